import EntranceKit
import FoundationEssentials
import TestSupport
import Testing

@MainActor @Suite("The comparison of two answers")
struct ExplorerComparisonTests {
  private func answered(
    _ body: String, preferences: Preferences? = nil
  ) async throws -> (Page, ExplorerModel, ExplorerComparison) {
    let page = try Page(preferences: preferences)
    await page.model.callGraph()?.value
    let model = ExplorerModel(page.window)
    let comparison = ExplorerComparison(model)
    try await send(body, page, model)
    return (page, model, comparison)
  }

  private func send(_ body: String, _ page: Page, _ model: ExplorerModel) async throws {
    page.authority.next(.api, status: 200, body)
    await model.send()?.value
  }

  @Test("The next answer is compared with the one that is kept, and the one after it, too")
  func compare() async throws {
    let (page, model, comparison) = try await answered(#"{"a":1,"b":[{"id":"x","n":1}],"c":"d"}"#)
    #expect(comparison.state == ExplorerComparison.State())
    comparison.keep()
    #expect(
      comparison.state.kept
        == "GET /v1.0/me · 200 OK · adele@contoso.example · contoso.example")
    #expect(comparison.state.text == "Send the next request to see what differs.")
    try await send(#"{"c":"d","b":[{"id":"x","n":2},{"id":"y"}],"e":null}"#, page, model)
    #expect(comparison.state.isSearching)
    await comparison.finish()
    #expect(comparison.state.text == "Differences: 4" && !comparison.state.isSearching)
    let rows = comparison.state.rows.map { [$0.kind, $0.path] + $0.lines }
    #expect(
      rows == [
        ["Changed", "$.b[?@.id == 'x'].n", "Before: 1", "Now: 2"],
        ["Added", "$.b[?@.id == 'y']", #"Now: {"id":"y"}"#], ["Added", "$.e", "Now: null"],
        ["Removed", "$.a", "Before: 1"],
      ])
    try await send(#"{"c":"d","b":[{"n":1,"id":"x"}],"a":1}"#, page, model)
    await comparison.finish()
    #expect(comparison.state.text == "There is no difference." && comparison.state.rows.isEmpty)
    comparison.stop()
    #expect(comparison.state == ExplorerComparison.State())
  }

  @Test("An answer that is not JSON is told; nothing but JSON is kept")
  func notJSON() async throws {
    let (page, model, comparison) = try await answered("{}")
    comparison.keep()
    page.authority.next(.api, status: 200, type: "text/plain", "text")
    await model.send()?.value
    await comparison.finish()
    #expect(comparison.state.text == "This answer is not JSON, so it cannot be compared.")
    comparison.stop()
    comparison.keep()
    #expect(comparison.state.kept == nil)
  }

  @Test("A long value is shortened")
  func longValue() async throws {
    let (page, model, comparison) = try await answered(#"{"a":"x"}"#)
    comparison.keep()
    try await send(#"{"a":"\#(String(repeating: "é", count: 1000))"}"#, page, model)
    await comparison.finish()
    let after = try #require(comparison.state.rows.first?.after)
    #expect(after.count == 301 && after.hasSuffix("…"))
  }

  @Test("Signing out, and hiding personal details, forget the answer that is kept")
  func forget() async throws {
    let preferences = Preferences(MemorySettings())
    let (page, model, comparison) = try await answered(#"{"a":1}"#, preferences: preferences)
    comparison.keep()
    preferences.hidesPersonalDetails = true
    #expect(comparison.state.kept == nil)
    try await send(#"{"mail":"grace@fabrikam.example"}"#, page, model)
    comparison.keep()
    #expect(comparison.state.kept?.contains("adele") == false)
    try await send(#"{"mail":"bram@fabrikam.example","x":"bram@fabrikam.example"}"#, page, model)
    await comparison.finish()
    #expect(comparison.state.rows.count == 1)
    #expect(comparison.state.rows.first?.after?.contains("@") == false)
    preferences.hidesPersonalDetails = false
    try await send("{}", page, model)
    comparison.keep()
    #expect(comparison.state.kept != nil)
    let answer = try #require(model.answer)
    #expect(answer.isSuccess)
    await page.model.signOut.signOut()?.value
    #expect(comparison.state.kept == nil)
  }
}
