import AuthCore
import CurlHTTP
import EntranceKit
import FoundationEssentials
import HTTPTypes
import TestSupport
import Testing

@MainActor @Suite("Pauses that a service requests", .timeLimit(.minutes(5)))
struct ExplorerWaitTests {
  /// A page whose first request was answered with the wish for a pause.
  private func asked(
    toWait seconds: Int, _ status: Int, store: ScriptedStore = ScriptedStore()
  ) async throws -> (Page, ExplorerModel, [ExplorerState.Wait]) {
    let page = try Page(store: store)
    await page.model.callGraph()?.value
    page.authority.forget()
    requestPause(page, seconds, status)
    let model = ExplorerModel(page.window)
    var waits: [ExplorerState.Wait] = []
    let observer = model.changes.add {
      if let wait = $0.wait, wait != waits.last { waits.append(wait) }
    }
    await model.send()?.value
    // The longer one ends with the test.
    while seconds < 10, model.state.wait != .over { try await Task.sleep(for: .milliseconds(20)) }
    withExtendedLifetime(observer) {}
    return (page, model, waits)
  }

  /// Has the next response request a pause.
  private func requestPause(_ page: Page, _ seconds: Int, _ status: Int = 429) {
    page.authority.next(.api) { _ in
      var reply = HTTPReply.make(status, "{}")
      reply.response.headerFields[.retryAfter] = "\(seconds)"
      return reply
    }
  }

  @Test("A pause is counted down to its end, and nothing is sent then", arguments: [429, 503])
  func countdown(status: Int) async throws {
    let (page, model, waits) = try await asked(toWait: 2, status)
    #expect(waits == [.left(2), .left(1), .over])
    #expect(model.state.wait?.text == "The next request can be sent now.")
    #expect(page.authority.count(.api) == 1 && model.state.work == nil)
  }

  @Test("A pause is shown with its answer, prevents no request, and is removed with the answer")
  func next() async throws {
    let (page, model, waits) = try await asked(toWait: 3600, 429)
    #expect(waits.first == .left(3600) && model.state.work == nil && model.state.canSend)
    #expect(
      waits.first?.text
        == "The service asked Entrance to wait. The next request can be sent in 1:00:00.")
    await model.send()?.value
    #expect(model.state.wait == nil && page.authority.count(.api) == 2)
  }

  @Test("One that another program was asked for is counted down before anything is sent")
  func shared() async throws {
    let store = ScriptedStore(lockName: "test \(UUID())")
    let (page, _, _) = try await asked(toWait: 3600, 429, store: store)
    let path = page.application.pausesOfAPIs?.path
    defer { if let path { try? FileManager.default.removeItem(atPath: path) } }
    // Nothing but the store tells it that it has to wait.
    let model = ExplorerModel(page.window)
    let sent = model.list.history.count
    await model.send()?.value
    #expect(page.authority.count(.api) == 1)
    // Nothing came, so there is no status and no size.
    #expect(model.answer?.status == nil && model.answer?.statusText == "Not Sent")
    #expect(model.answer?.meta == "" && model.list.history.count == sent)
    guard case .left(let seconds) = model.state.wait else {
      Issue.record("Nothing is counted down.")
      return
    }
    #expect((3000...3600).contains(seconds))
    // Whether it is sent does not depend on how often that is tried.
    await model.send()?.value
    #expect(page.authority.count(.api) == 1 && model.state.canSendAnyway)
    await model.sendAnyway()?.value
    #expect(page.authority.count(.api) == 2 && model.answer?.status == 200)
    #expect(model.state.wait == nil && model.sendAnyway() == nil)
    await model.send()?.value
    #expect(page.authority.count(.api) == 2 && model.state.canSendAnyway)
  }

  @Test("“Send Anyway” is for the request that waits, and asks before a DELETE, too")
  func anyway() async throws {
    let (page, model, _) = try await asked(toWait: 3600, 429)
    #expect(model.state.canSendAnyway)
    model.request.address = "/me/messages/1"
    #expect(!model.state.canSendAnyway && model.sendAnyway() == nil)
    requestPause(page, 3600)
    await model.send()?.value
    model.request.method = .delete
    #expect(!model.state.canSendAnyway)
    requestPause(page, 3600)
    var confirm: (@MainActor () -> Void)?
    let observer = model.questions.add { confirm = $0.1 }
    model.send()
    let first = try #require(confirm)
    first()
    await model.finish()
    #expect(page.authority.count(.api) == 3 && model.state.canSendAnyway)
    #expect(model.sendAnyway() == nil)
    let second = try #require(confirm)
    second()
    await model.finish()
    #expect(page.authority.count(.api) == 4)
    withExtendedLifetime(observer) {}
  }

  @Test("For another page of a list, “Send Anyway” goes on with that page, for the same account")
  func anywayForNextPage() async throws {
    let store = ScriptedStore(lockName: "test \(UUID())")
    let explorer = ExplorerTests()
    let page = try Page(store: store)
    defer {
      let path = page.application.pausesOfAPIs?.path
      if let path { try? FileManager.default.removeItem(atPath: path) }
    }
    await page.model.callGraph()?.value
    page.authority.forget()
    let model = ExplorerModel(page.window)
    model.request = ExplorerRequest(.get, "/users", fields: "ConsistencyLevel: eventual")
    let link = "https://graph.microsoft.com/v1.0/users?$skiptoken=a"
    page.authority.next(.api, status: 200, explorer.page(1...2, next: link))
    await model.send()?.value
    requestPause(page, 3600)
    await model.sendForNextPage()?.value
    #expect(model.answer?.status == 429 && model.state.canSendAnyway)
    #expect(model.answer?.pagesText == "The next page was not received.")
    let noted = model.list.history.count
    page.authority.next(.api, status: 200, explorer.page(3...3, next: nil))
    await model.sendAnyway()?.value
    #expect(explorer.sent(page).map(\.url).suffix(2) == [link, link])
    let call = try #require(explorer.sent(page).last)
    #expect(call.request.headerFields.contains { $0.value == "eventual" })
    #expect(model.answer?.table?.count == 1 && model.state.wait == nil)
    #expect(model.list.history.count == noted)
    // The request itself is that of the first page, for which the pause counts, too.
    await model.send()?.value
    await model.sendAnyway()?.value
    #expect(explorer.sent(page).last?.url == "https://graph.microsoft.com/v1.0/users")
  }

  @Test("Who sees the pause of one account does not know that of another")
  func otherAccount() async throws {
    let store = ScriptedStore(lockName: "test \(UUID())")
    let (page, _, _) = try await asked(toWait: 3600, 429, store: store)
    let path = page.application.pausesOfAPIs?.path
    defer { if let path { try? FileManager.default.removeItem(atPath: path) } }
    page.authority.willSignIn(.ben)
    await page.window.accounts.add()?.value
    let (adele, ben) = (try page.row(.adele).id, try page.row(.ben).id)
    page.window.accounts.select(adele)
    page.authority.forget()
    let model = ExplorerModel(page.window)
    model.setSender(ben)
    requestPause(page, 1800)
    await model.send()?.value
    #expect(page.authority.count(.api) == 1 && model.state.wait != nil)
    model.setSender(adele)
    #expect(!model.state.canSendAnyway)
    await model.send()?.value
    #expect(page.authority.count(.api) == 1 && model.answer?.statusText == "Not Sent")
    await model.sendAnyway()?.value
    #expect(page.authority.count(.api) == 2)
  }
}
