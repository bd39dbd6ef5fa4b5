import EntranceKit
import TestSupport
import Testing

@Suite("The status line")
@MainActor
struct OutcomeTests {
  @Test("It says what came of each piece of work, and nothing of the one before")
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

  @Test("An error is said as the log says it")
  func failure() async throws {
    let page = try Page()
    await page.model.callGraph()?.value
    page.authority.next(.api, status: 403, #"{"error": {"code": "C", "message": "No"}}"#)
    await page.model.callGraph()?.value
    let outcome = try #require(page.model.state.outcome)
    #expect(outcome.hasPrefix("Couldn't get graph result: "))
    #expect(page.takeLog().contains { $0.hasPrefix(outcome) })
  }
}
