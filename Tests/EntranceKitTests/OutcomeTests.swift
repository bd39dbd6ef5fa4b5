import EntranceKit
import TestSupport
import Testing

@Suite("The status line")
@MainActor
struct OutcomeTests {
  @Test("The status line has the outcome of the last work only")
  func outcomes() async throws {
    let page = try Page()
    await page.window.activate()?.value
    #expect(page.model.state.outcome == "Signed out")
    await page.model.callGraph()?.value
    #expect(
      page.model.state.outcome
        == "Signed in as adele@contoso.example. The result from Graph is in the log.")
    await page.model.callGraph()?.value
    #expect(page.model.state.outcome == "The result from Graph is in the log.")
    await page.model.signOut.signOut()?.value
    #expect(page.model.state.outcome == "Sign out completed successfully")
    #expect(page.states.allSatisfy { $0.outcome?.contains("eyJ") != true })
  }

  @Test("An error without a notice has the same text in the status line and in the log")
  func failure() async throws {
    let page = try Page()
    await page.model.callGraph()?.value
    page.authority.next(.api, status: 403, #"{"error": {"code": "C", "message": "No"}}"#)
    await page.model.callGraph()?.value
    let outcome = try #require(page.model.state.outcome)
    #expect(outcome.hasPrefix("Couldn't get graph result: "))
    #expect(page.model.state.notices.isEmpty)
    #expect(page.takeLog().contains { $0.hasPrefix(outcome) })
  }

  @Test("An error with a notice is in the log, and not in the status line")
  func failureWithNotice() async throws {
    let page = try Page()
    page.authority.next(.api, status: 503, "{}")
    await page.model.callGraph()?.value
    #expect(page.model.state.notices.map(\.title) == ["The Service Is Not Available"])
    // What went well before is said.
    #expect(page.model.state.outcome == "Signed in as adele@contoso.example.")
    #expect(page.takeLog().contains { $0.hasPrefix("Couldn't get graph result: ") })

    page.clock.advance(by: 7200)
    page.authority.next(.token, times: 2, status: 400, #"{"error":"invalid_request"}"#)
    await page.model.callGraph()?.value
    #expect(page.model.state.notices.map(\.title) == ["The Request Was Refused"])
    #expect(page.model.state.outcome == nil)
    #expect(page.takeLog().contains { $0.hasPrefix("Could not acquire token silently: ") })
  }
}
