import CurlHTTP
import EntranceKit
import FoundationEssentials
import TestSupport
import Testing

@MainActor @Suite("The JSONPath filter and the links of an answer")
struct ExplorerFilterTests {
  private func answered(
    _ body: String, to request: ExplorerRequest = ExplorerRequest(.get, "/v1.0/users?$top=2"),
    preferences: Preferences? = nil
  ) async throws -> (Page, ExplorerModel) {
    let page = try Page(preferences: preferences)
    await page.model.callGraph()?.value
    let model = ExplorerModel(page.window)
    model.request = request
    page.authority.next(.api, status: 200, body)
    page.authority.forget()
    await model.send()?.value
    return (page, model)
  }

  private static let users = """
    {"@odata.context":"https://graph.microsoft.com/v1.0/$metadata#users",\
    "@odata.nextLink":"https://graph.microsoft.com/v1.0/users?$skiptoken=a%3D",\
    "value":[{"id":"a/b=","mail":"a@contoso.example","n":1},{"id":"2","mail":null,"n":2}]}
    """

  private func selected(_ filter: AnswerFilter, _ path: String) async -> AnswerFilter.State {
    filter.path = path
    await filter.finish()
    return filter.state
  }

  @Test("A path narrows the answer: one value is itself, several and none are a list")
  func filter() async throws {
    let (_, model) = try await answered(Self.users)
    let filter = AnswerFilter(model)
    #expect(filter.state == .off && filter.state.text == nil)
    #expect(
      await selected(filter, " $.value[*].n ")
        == .values(FoldedText("[\n  1,\n  2\n]"), count: 2))
    #expect(filter.state.text == "Values: 2")
    #expect(
      await selected(filter, "$.value[?@.mail == null].id")
        == .values(FoldedText("\"2\""), count: 1)
    )
    #expect(await selected(filter, "$.nothing") == .values(FoldedText("[]"), count: 0))
    #expect(await selected(filter, "") == .off)
  }

  @Test("An invalid path is reported with the position of the error")
  func invalidPath() async throws {
    let (_, model) = try await answered(Self.users)
    let filter = AnswerFilter(model)
    #expect(
      await selected(filter, "value")
        == .problem("Not a JSONPath, character 1: A JSONPath begins with “$”."))
    guard case .problem(let text) = await selected(filter, "$.value[") else {
      Issue.record("no problem")
      return
    }
    #expect(text.hasPrefix("Not a JSONPath, character 9"))
  }

  @Test("The next answer is filtered, too; one that is not JSON is shown as it is")
  func nextAnswer() async throws {
    let (page, model) = try await answered(Self.users)
    let filter = AnswerFilter(model)
    _ = await selected(filter, "$.value[*].id")
    page.authority.next(.api, status: 200, #"{"value":[{"id":"3"}]}"#)
    await model.send()?.value
    await filter.finish()
    #expect(filter.state == .values(FoldedText("\"3\""), count: 1))
    page.authority.next(.api, status: 200, type: "text/plain", "text")
    await model.send()?.value
    await filter.finish()
    #expect(filter.state == .off)
  }

  @Test("A query that never ends is ended", .timeLimit(.minutes(5)))
  func hugeQuery() async throws {
    let deep = String(repeating: "[", count: 60) + String(repeating: "]", count: 60)
    let (_, model) = try await answered(
      "[\(Array(repeating: deep, count: 20).joined(separator: ","))]")
    let filter = AnswerFilter(model)
    #expect(
      await selected(filter, "$..*..*..*..*..*..*")
        == .problem("This selects too much to show."))
  }

  @Test("A URL of Graph in a line becomes a request; the next page keeps the header fields")
  func links() async throws {
    let request = ExplorerRequest(.get, "/users", fields: "ConsistencyLevel: eventual")
    let (page, model) = try await answered(Self.users, to: request)
    let lines = try #require(model.answer?.pretty?.whole.split(separator: "\n").map(String.init))
    #expect(model.linkedRequest(inLine: lines[1]) == nil)
    #expect(
      model.linkedRequest(inLine: lines[2])
        == ExplorerRequest(
          .get, "/v1.0/users?$skiptoken=a%3D", fields: "ConsistencyLevel: eventual"))
    #expect(
      model.linkedRequest(inLine: #"    "https://graph.microsoft.com/v1.0/me/x","#)
        == ExplorerRequest(.get, "/v1.0/me/x"))
    #expect(page.authority.calls.filter { $0.endpoint == .api }.count == 1)
  }

  @Test(
    "Links elsewhere, and what is no link, become none",
    arguments: [
      #""@odata.id": "https://evil.example/v1.0/users""#,
      #""@odata.id": "https://graph.microsoft.com.evil.example/v1.0/users""#,
      #""@odata.id": "https://graph.microsoft.com@evil.example/v1.0/users""#,
      #""@odata.id": "http://graph.microsoft.com/v1.0/users""#,
      #""@odata.id": "https://graph.microsoft.com:444/v1.0/users""#,
      #""users@odata.context": "https://graph.microsoft.com/v1.0/$metadata""#,
      #""webUrl": "https://contoso.sharepoint.com/x""#, #""id": "1""#, "}", "", "\"", "{", "  [",
      #""n": 1"#,
    ])
  func noLinks(line: String) async throws {
    let (_, model) = try await answered(Self.users)
    #expect(model.linkedRequest(inLine: line) == nil)
  }

  @Test(
    "A row becomes the request for its item",
    arguments: [
      ("/v1.0/users?$top=2", "/v1.0/users/a%2Fb%3D"), ("/users/", "/users/a%2Fb%3D"),
      ("users", "users/a%2Fb%3D"), ("/users/delta", "/users/a%2Fb%3D"),
      ("/users/a#EXT#@b/messages", "/users/a#EXT#@b/messages/a%2Fb%3D"),
      ("https://graph.microsoft.com/beta/users", "https://graph.microsoft.com/beta/users/a%2Fb%3D"),
    ])
  func rows(address: String, expected: String) async throws {
    let (_, model) = try await answered(Self.users, to: ExplorerRequest(.get, address))
    #expect(model.linkedRequest(row: 0) == ExplorerRequest(.get, expected))
    #expect(model.linkedRequest(row: 2) == nil && model.linkedRequest(row: -1) == nil)
  }

  @Test("A row without an ID, and one of a function, become none")
  func noRows() async throws {
    let (_, model) = try await answered(#"{"value":[{"n":1},{"id":""}]}"#)
    #expect(model.linkedRequest(row: 0) == nil && model.linkedRequest(row: 1) == nil)
    let search = ExplorerRequest(.get, "/me/drive/root/search(q='x')")
    let (_, other) = try await answered(Self.users, to: search)
    #expect(other.linkedRequest(row: 0) == nil)
  }

  @Test("While personal details are hidden, filter and links have none")
  func hidden() async throws {
    let preferences = Preferences(MemorySettings())
    let id = "5d6059b6-368d-45f8-91e1-8e07d485f1d0"
    let (_, model) = try await answered(
      "{\"@odata.id\":\"https://graph.microsoft.com/v1.0/users/\(id)\",\"value\":"
        + "[{\"id\":\"\(id)\",\"mail\":\"a@contoso.example\"}]}", preferences: preferences)
    preferences.hidesPersonalDetails = true
    await model.send()?.value
    #expect(model.answer == nil || model.answer?.pretty?.whole.contains(id) == false)
    let filter = AnswerFilter(model)
    if case .values(let text, _) = await selected(filter, "$..*") {
      #expect(!text.whole.contains("contoso") && !text.whole.contains(id))
    }
    #expect(model.linkedRequest(row: 0) == nil)
  }
}
