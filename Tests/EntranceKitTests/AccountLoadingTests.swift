import AuthCore
import EntranceKit
import FoundationEssentials
import TestSupport
import Testing

/// The page while the current account is unknown, and how to proceed.
@MainActor @Suite("The current account on the page")
struct AccountLoadingTests {
  @Test("While the accounts are being read, nobody is shown as signed out")
  func loading() async throws {
    let page = try Page()
    #expect(page.model.state.accountText == "Loading Accounts…")
    await page.window.activate()?.value
    #expect(page.model.state.accountText == "Signed out")
    await page.model.callGraph()?.value
    #expect(page.model.state.accountText == "Adele Vance")
  }

  @Test("Unreadable accounts have a notice, and can be read again")
  func unavailable() async throws {
    let page = try Page()
    page.store.fail(.load)
    await page.window.activate()?.value
    #expect(page.model.state.accountText == "Account Not Available")
    #expect(page.model.state.subtitle == "Your accounts could not be read")
    #expect(!page.model.state.canSignOut)
    let lines = page.takeLog()
    #expect(lines.count == 1)
    #expect(
      lines.first?.hasPrefix(
        "Couldn't query current account with error: The store of this test is locked.\n") == true)
    let button = try #require(page.model.state.notices.first?.buttons.first)
    #expect(button == .init(label: "Try _Again", action: .readAgain))
    // When the window comes to the foreground again, the message is not repeated.
    await page.window.activate()?.value
    #expect(page.takeLog().isEmpty)
    #expect(page.store.timesAllowedToAsk == 0)

    await page.window.storage.unlock()?.value
    #expect(page.store.timesAllowedToAsk == 1)
    #expect(page.model.state.accountText == "Account Not Available")
    page.store.fail()
    await page.window.storage.unlock()?.value
    #expect(page.model.state.accountText == "Signed out")
    #expect(page.model.state.notices.isEmpty)
    #expect(page.takeLog() == ["Account signed out. Updating UX"])
  }

  @Test("A known account stays known when the store fails later")
  func known() async throws {
    let page = try Page()
    await page.model.callGraph()?.value
    page.store.fail(.load, .save)
    page.clock.advance(by: 3600)
    _ = page.takeLog()
    await page.model.callGraph()?.value
    #expect(page.model.state.accountText == "Adele Vance")
    #expect(page.model.state.notices.map(\.buttons.first?.action) == [.readAgain])
    #expect(!page.takeLog().contains { $0.hasPrefix("Couldn't query current account") })
  }

  @Test("The activity shows the pages first, then the call")
  func activities() async throws {
    let page = try Page()
    await page.model.callGraph()?.value
    #expect(
      Self.activities(page.states) == [.callingGraph, .signingIn, .callingGraph, nil])
    page.states = []
    await page.model.callGraph()?.value
    #expect(Self.activities(page.states) == [.callingGraph, nil])
  }

  private static func activities(_ states: [AccountState]) -> [Work?] {
    states.map(\.work).reduce(into: []) { if $0.isEmpty || $0.last != $1 { $0.append($1) } }
  }

  @Test(
    "A closed window cancels its work and gets no more updates, and its models are released",
    .timeLimit(.minutes(5)))
  func closed() async throws {
    let (pages, shown) = ScriptedPages.untilCanceled()
    var page: Page? = try Page(pages: pages)
    weak let model = page?.model
    weak let window = page?.window
    let work = page?.model.callGraph()
    for await _ in shown { break }
    page?.states = []
    page?.model.close()
    page?.window.close()
    await work?.value
    #expect(page?.states.isEmpty == true)
    #expect(page?.log.isEmpty == true)
    page = nil
    #expect(model == nil)
    #expect(window == nil)
  }
}
