import HTTPTypes
import MicrosoftGraph
import Testing

@Suite("Hints about requests to Microsoft Graph")
struct GraphHintTests {
  private func hints(_ request: GraphRequest, _ body: String) async throws -> [String] {
    try await GraphClient.of(API(200, body)).send(request).hints(for: request).map { "\($0)" }
  }

  @Test("What $select names, and the response does not have, is said")
  func select() async throws {
    let request = GraphRequest(.get, "/me?$select=id,nickname", .select("DisplayName", "city/name"))
    let one = try await hints(request, #"{"id": "1", "displayName": null}"#)
    #expect(one.count == 1 && one[0].contains("$select names: nickname, city/name."))
    let list = try await hints(
      request, #"{"value": [{"id": "1", "nickname": ""}, {"displayName": "A", "city": {}}]}"#)
    #expect(list.isEmpty)
    for body in [#"{"value": []}"#, "[]", "text", #"{"value": ["a"]}"#] {
      #expect(try await hints(request, body).isEmpty)
    }
    #expect(try await hints("/me", "{}").isEmpty)
    #expect(try await hints("/me?$select=*", "{}").isEmpty)
  }

  @Test("A count that does not come is said")
  func count() async throws {
    let request = GraphRequest(.get, "/users", .count)
    #expect(try await hints(request, #"{"value": []}"#).count == 1)
    #expect(try await hints(request, #"{"value": [], "@odata.count": 0}"#).isEmpty)
    #expect(try await hints("/users", #"{"value": []}"#).isEmpty)
  }

  @Test("For an advanced query, what is missing is said; not when it is there")
  func advancedQuery() async {
    func hint(_ request: GraphRequest) async -> String? {
      await self.hint(request, "Request_UnsupportedQuery", "No.")
    }
    let request = GraphRequest(.get, "/users", .filter("endsWith(mail,'a')"))
    let text = await hint(request)
    #expect(text?.contains("“ConsistencyLevel: eventual”") == true)
    #expect(text?.contains("“$count=true”") == true)
    #expect(await hint(request.advancedQuery) == nil)
  }

  private func hint(_ request: GraphRequest, _ code: String, _ message: String) async -> String? {
    let api = API(400, #"{"error": {"code": "\#(code)", "message": "\#(message)"}}"#)
    let error = await #expect(throws: GraphError.self) {
      try await GraphClient.of(api).send(request)
    }
    return error?.hint(for: request).map { "\($0)" }
  }

  // Microsoft Graph, "Advanced query capabilities on Microsoft Entra ID objects": the errors, and
  // which queries need `$count=true`.
  @Test(
    "A number of items and a search of the directory need the header field alone",
    arguments: [
      ("/users/$count", "Request_BadRequest", "$count is not currently supported."),
      ("/users/%24count?$filter=x", "Request_BadRequest", "$count is not currently supported."),
      ("/users?$search=x", "Request_UnsupportedQuery", "Request with $search query parameter."),
    ])
  func withoutCount(path: String, code: String, message: String) async throws {
    var request = GraphRequest(.get, GraphPath(path))
    let text = await hint(request, code, message)
    #expect(text?.contains("“ConsistencyLevel: eventual”") == true)
    #expect(text?.contains("$count=true") == false)
    request.headerFields[try #require(HTTPField.Name("ConsistencyLevel"))] = "eventual"
    #expect(await hint(request, code, message) == nil)
    #expect(await hint("/users", "Request_BadRequest", "No.") == nil)
  }

  @Test("A search together with another option needs the number of items, too")
  func searchAndMore() async throws {
    let search = "/users?$search=x&"
    for path in [search + "$filter=endsWith(mail,'a')", search + "$orderby=displayName"] {
      var request = GraphRequest(.get, GraphPath(path))
      request.headerFields[try #require(HTTPField.Name("ConsistencyLevel"))] = "eventual"
      let text = await hint(request, "Request_UnsupportedQuery", "No.")
      #expect(text?.contains("“$count=true”") == true)
    }
  }
}
