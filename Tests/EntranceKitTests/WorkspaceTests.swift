@testable import EntranceKit
import TestSupport
import Testing

@MainActor @Suite("Two windows of a connection", .timeLimit(.minutes(5)))
struct WorkspaceTests {
  private func window(of page: Page) -> AccountModel {
    AccountModel(
      WindowModel(page.workspace, on: ScriptedDesktop(page.authority.pages)))
  }

  @Test("Two windows have the same accounts, and logs of their own; one may close")
  func accounts() async throws {
    let page = try Page()
    let other = window(of: page)
    await page.model.callGraph()?.value
    await page.workspace.finishWork()
    #expect(page.model.log.entries.count == 2)
    #expect(
      other.log.entries.map(\.text) == [
        "Found a signed in account adele@contoso.example. Updating data for that account..."
      ])
    page.window.close()
    #expect(other.state.username == "adele@contoso.example")
    await other.callGraph()?.value
    #expect(page.authority.pagesShown.count == 1)
  }

  @Test(
    "A window that comes back to an app has its log again, without tokens, if the accounts are the same",
    arguments: [false, true])
  func comingBack(_ hasChanged: Bool) async throws {
    let page = try Page()
    await page.model.callGraph()?.value
    await page.workspace.finishWork()
    let count = page.model.log.entries.count
    #expect(count > 0)
    let log = LeftLog(of: page.window)
    page.window.close()
    if hasChanged {
      let other = window(of: page)
      await other.window.activate()?.value
      page.authority.willSignIn(.ben)
      await other.window.accounts.add()?.value
    }
    let next = AccountModel(
      WindowModel(
        page.workspace, on: ScriptedDesktop(page.authority.pages), continuing: log))
    #expect(next.log.entries.count == (hasChanged ? 0 : count))
    next.log.setShowsFullTokens(true)
    #expect(!next.log.entries.contains { $0.text.contains("access-canary-") })
    await next.window.activate()?.value
    #expect(next.log.entries.count > (hasChanged ? 0 : count))
  }

  @Test("The logs that a window has left are limited together: the first one loses its texts first")
  func leftLogs() throws {
    var pages: [Page] = []
    var logs: [LeftLog] = []
    for _ in 0..<3 {
      let page = try Page()
      let text = String(repeating: "x", count: LeftLog.limit / 3)
      page.window.status.activity.add(.response, LogMessage(lines: ["Result", text]))
      logs.append(LeftLog(of: page.window))
      page.window.close()
      LeftLog.shorten(logs)
      pages.append(page)
    }
    var kept: [Activity] = []
    for (page, log) in zip(pages, logs) {
      kept.append(try #require(log.activity(in: page.workspace)))
    }
    #expect(kept.reduce(0) { $0 + $1.size } <= LeftLog.limit)
    let texts = kept.map { $0.entries.last?.event(showing: .hidden).text ?? "" }
    #expect(texts.map { $0.hasPrefix("Result\n") } == [true, true, true])
    #expect(texts.map { $0.hasSuffix("xxx") } == [false, true, true])
  }

  @Test("Names given in each of two windows are both stored, and shown in both")
  func renaming() async throws {
    let files = try TemporaryDirectory()
    let page = try Page(files: files)
    await page.model.callGraph()?.value
    page.authority.willSignIn(.ben)
    await page.window.accounts.add()?.value
    let other = window(of: page)
    await other.window.activate()?.value
    page.window.accounts.rename(try page.row(.adele).id, to: "Work")
    other.window.accounts.rename(try page.row(.ben).id, to: "Home")
    for model in [page.model, other] {
      #expect(Set(model.state.rows.compactMap(\.ownName)) == ["Work", "Home"])
    }
    await page.window.activate()?.value
    let next = try Page(store: page.store, files: files)
    await next.window.activate()?.value
    #expect(Set(next.model.state.rows.compactMap(\.ownName)) == ["Work", "Home"])
  }

  @Test("An edit of the connection waits for the work of both windows, and both show it")
  func edit() async throws {
    let page = try Page()
    let other = window(of: page)
    await other.window.activate()?.value
    let call = page.model.callGraph()
    #expect(page.workspace.isBusy)
    await page.workspace.finishWork()
    #expect(!page.workspace.isBusy)
    await call?.value
    page.workspace.use(page.workspace.connection, page.application, page.graph)
    await page.workspace.finishWork()
    for model in [page.model, other] {
      #expect(model.log.entries.count { $0.text == "The app was changed." } == 1)
      #expect(model.state.username == "adele@contoso.example")
    }
  }
}
