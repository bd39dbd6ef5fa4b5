import AuthCore
import EntranceKit
import FoundationEssentials
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
    let entry = try #require(page.model.log.entries.last)
    #expect(entry.text == text)
    #expect(9_990_000...10_000_000 ~= entry.folded.hiddenSize)
    #expect(page.states.contains { $0.work == .preparingResponse })
    #expect(page.model.state.work == nil)
    #expect(page.model.state.outcome == "The result from Graph is in the log.")
  }

  /// Calls an API with a large response, and returns when that is done.
  ///
  /// - Parameters:
  ///   - page: where it is called; nil for a new page.
  ///   - body: called when the response begins to be prepared.
  private func callGraph(
    on page: Page? = nil, meanwhile body: @escaping @MainActor (Page) -> Void
  ) async throws -> Page {
    let page = try page ?? Page()
    await page.model.callGraph()?.value
    page.authority.next(.api, status: 200, Self.large)
    _ = page.takeLog()
    var hasBegun = false
    // The state tells at once; a task that waits for it may come when it is over.
    let observer = page.model.changes.add { [weak page] state in
      guard let page, state.work == .preparingResponse, !hasBegun else { return }
      hasBegun = true
      body(page)
    }
    await page.model.callGraph()?.value
    withExtendedLifetime(observer) {}
    #expect(hasBegun)
    return page
  }

  @Test("Another call can start meanwhile, and comes after it")
  func otherCall() async throws {
    var other: Task<Void, Never>?
    let page = try await callGraph { page in
      #expect(page.model.state.canStart)
      other = page.model.callGraph()
      #expect(page.model.state.work == .callingGraph)
    }
    try await #require(other).value
    #expect(page.log.count { $0.hasPrefix("Result from Graph: ") } == 2)
    #expect(page.log.first { $0.hasPrefix("Result") }.map { $0.utf8.count > 10_000_000 } == true)
    #expect(page.model.state.work == nil)
  }

  @Test("When its account is signed out meanwhile, another account's call continues")
  func left() async throws {
    let twoAccounts = try await AccountsTests().twoAccounts()
    let adele = try twoAccounts.row(.adele).id
    var other: Task<Void, Never>?
    let page = try await callGraph(on: twoAccounts) { page in
      // Another program signs Ben out.
      page.store.records = page.store.records.filter {
        !String(decoding: $0.contents.exposed, as: UTF8.self).contains(Person.ben.objectID)
      }
      page.store.markChanged()
      _ = page.window.activate()
      #expect(page.window.accounts.select(adele))
      other = page.model.callGraph()
    }
    let call = try #require(other)
    await call.value
    #expect(!call.isCancelled)
    #expect(page.model.state.rows.map(\.title) == [Person.adele.name])
    #expect(page.log.last?.hasPrefix("Result from Graph: {\n  \"displayName\"") == true)
  }

  @Test("Sign Out can start meanwhile, and comes after it")
  func signOut() async throws {
    var signOut: Task<Void, Never>?
    let page = try await callGraph { page in
      #expect(page.model.state.canSignOut)
      signOut = page.model.signOut.signOut()
    }
    try await #require(signOut).value
    #expect(page.log.last == "Sign out completed successfully")
    #expect(page.model.state.username == nil)
  }

  @Test("Cancel ends the call, and the log says so")
  func canceled() async throws {
    let page = try await callGraph { $0.window.status.cancel() }
    #expect(page.log.last == "Couldn't get graph result: The request was canceled.")
    #expect(page.model.state.work == nil)
    #expect(page.model.state.canStart)
  }

  @Test("Closing the window ends the call")
  func closed() async throws {
    let page = try await callGraph { $0.window.close() }
    #expect(!page.log.contains { $0.hasPrefix("Result from Graph: ") })
  }
}
