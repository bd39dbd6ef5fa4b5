import EntranceKit
import TestSupport
import Testing

@MainActor @Suite("Large responses")
struct LargeResponseTests {
  private static let large =
    #"{"content":""# + String(repeating: "x", count: 10_000_000) + #""}"#

  @Test("All of a large response is in the log, which shows its beginning")
  func complete() async throws {
    let page = try Page()
    await page.model.callGraph()?.value
    page.authority.next(.api, status: 200, Self.large)
    _ = page.takeLog()
    await page.model.callGraph()?.value
    let content = Self.large.dropFirst(12).dropLast()
    let text = "Result from Graph: {\n  \"content\": \"" + content + "\n}"
    #expect(page.log.last == text)
    let entry = try #require(page.model.logEntries.last)
    #expect(entry.text == text)
    #expect(9_990_000...10_000_000 ~= entry.folded.hiddenSize)
    #expect(page.states.contains { $0.activity == .preparingResponse })
    #expect(page.model.state.activity == nil)
    #expect(page.model.state.outcome == "The result from Graph is in the log.")
  }

  /// A page while a large response is prepared, and the task that does it.
  private func preparing() async throws -> (Page, Task<Void, Never>) {
    let page = try Page()
    await page.model.callGraph()?.value
    page.authority.next(.api, status: 200, Self.large)
    _ = page.takeLog()
    let call = try #require(page.model.callGraph())
    while page.model.state.activity != .preparingResponse { await Task.yield() }
    return (page, call)
  }

  @Test("Sign Out and another call can start meanwhile, and come after it", .timeLimit(.minutes(2)))
  func otherWork() async throws {
    let (page, call) = try await preparing()
    #expect(page.model.state.canStart)
    #expect(page.model.state.canSignOut)
    let other = try #require(page.model.callGraph())
    #expect(page.model.state.activity == .callingGraph)
    await call.value
    #expect(page.model.state.activity == .callingGraph)
    await other.value
    #expect(page.log.count { $0.hasPrefix("Result from Graph: ") } == 2)
    #expect(page.log.first { $0.hasPrefix("Result") }.map { $0.utf8.count > 10_000_000 } == true)
    #expect(page.model.state.activity == nil)

    let (signingOut, _) = try await preparing()
    await signingOut.model.signOut()?.value
    #expect(signingOut.log.last == "Sign out completed successfully")
    #expect(signingOut.model.state.username == nil)
  }

  @Test("Cancel ends it, and the log says so")
  func canceled() async throws {
    let (page, call) = try await preparing()
    page.model.cancel()
    await call.value
    #expect(page.log.last == "Couldn't get graph result: The request was canceled.")
    #expect(page.model.state.activity == nil)
    #expect(page.model.state.canStart)
  }

  @Test("Closing the window ends it")
  func closed() async throws {
    let (page, call) = try await preparing()
    page.model.close()
    await call.value
    #expect(!page.log.contains { $0.hasPrefix("Result from Graph: ") })
  }
}
