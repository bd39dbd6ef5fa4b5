import AuthCore
import CurlHTTP
import FoundationEssentials
import HTTPTypes
import MicrosoftGraph
import Testing

@Suite("Collections of Microsoft Graph")
struct GraphPagesTests {
  struct Item: Decodable, Sendable, Equatable { var id: Int }

  private func ids(_ api: API) async throws(GraphError) -> [Int] {
    var ids: [Int] = []
    for try await item in GraphClient.of(api).items("/me/events?$top=2", of: Item.self) {
      ids.append(item.id)
    }
    return ids
  }

  private static func page(_ ids: [Int], next: String? = nil) -> HTTPReply {
    let items = ids.map { "{\"id\":\($0)}" }.joined(separator: ",")
    let link = next.map { ",\"@odata.nextLink\":\"\($0)\"" } ?? ""
    return HTTPReply(200, "{\"value\":[\(items)]\(link)}")
  }

  @Test("An empty page with a link is not the end, and the link is used as it is")
  func emptyPage() async throws {
    let link = "https://graph.microsoft.com/v1.0/me/events?$skiptoken=a%2Bb%20c&x='1'"
    let api = API([Self.page([1], next: link), Self.page([], next: link + "&2"), Self.page([2])])
    #expect(try await ids(api) == [1, 2])
    #expect(
      api.requests.map(\.path) == [
        "/v1.0/me/events?$top=2", "/v1.0/me/events?$skiptoken=a%2Bb%20c&x='1'",
        "/v1.0/me/events?$skiptoken=a%2Bb%20c&x='1'&2",
      ])
  }

  @Test("A link to another host does not get the token")
  func otherHost() async {
    let api = API([Self.page([1], next: "https://evil.example/v1.0/me/events")])
    let error = await #expect(throws: GraphError.self) { try await ids(api) }
    #expect(error?.code == .invalidURL)
    #expect(api.requests.count == 1)
  }

  @Test("A page that leads to itself is an error, not a loop")
  func loop() async {
    let link = "https://graph.microsoft.com/v1.0/me/events?$skip=2"
    let api = API([Self.page([1], next: link)])
    let error = await #expect(throws: GraphError.self) { try await ids(api) }
    #expect(error?.code == .invalidResponse)
    #expect(api.requests.count == 2)
  }

  @Test("Pages that lead to each other are an error, not a loop", arguments: [2, 3, 7])
  func circle(length: Int) async {
    func link(_ page: Int) -> String {
      "https://graph.microsoft.com/v1.0/me/events?$skip=\(page % length)"
    }
    let api = API((0..<50).map { Self.page([$0], next: link($0)) } + [Self.page([50])])
    let error = await #expect(throws: GraphError.self) { try await ids(api) }
    #expect(error?.code == .invalidResponse)
    #expect(error?.message.contains("leads back to an earlier one") == true)
    #expect(api.requests.count < 4 * length)
    let changes = API((0..<50).map { Self.page([$0], next: link($0)) } + [Self.page([50])])
    await #expect(throws: GraphError.self) {
      for try await _ in GraphClient.of(changes).delta("/me/events/delta") {}
    }
    #expect(changes.requests.count < 4 * length)
  }

  @Test("Many pages are no loop")
  func manyPages() async throws {
    let api = API(
      (0..<300).map {
        Self.page([$0], next: "https://graph.microsoft.com/v1.0/me/events?$skip=\($0)")
      } + [Self.page([300])])
    #expect(try await ids(api) == Array(0...300))
  }

  @Test("What is no collection is an error")
  func noCollection() async {
    let error = await #expect(throws: GraphError.self) {
      try await ids(API([HTTPReply(200, "{}")]))
    }
    #expect(error?.code == .invalidResponse)
  }

  @Test("A delta query begins again only once", arguments: [410, 400])
  func startsOverOnce(status: Int) async {
    let api = API([HTTPReply(status, "{\"error\":{\"code\":\"resyncRequired\"}}")])
    let token = GraphDeltaToken(
      rawValue: "https://graph.microsoft.com/v1.0/users/delta?$deltatoken=1")
    let error = await #expect(throws: GraphError.self) {
      for try await _ in GraphClient.of(api).delta("/users/delta", of: Item.self, since: token) {}
    }
    #expect(error?.serverCode == "resyncRequired")
    #expect(
      api.requests.map(\.path) == ["/v1.0/users/delta?$deltatoken=1", "/v1.0/users/delta"])
  }

  @Test("Changes are JSON as the server wrote them, too, and its removals")
  func rawDelta() async throws {
    let link = "https://graph.microsoft.com/v1.0/users/delta?$deltatoken=2"
    let api = API([
      HTTPReply(
        200,
        "{\"@odata.deltaLink\":\"\(link)\",\"value\":[{\"id\":\"1\",\"size\":1.50},"
          + "{\"id\":\"2\",\"@removed\":{\"reason\":\"deleted\"}}]}")
    ])
    for try await page in GraphClient.of(api).delta("/users/delta") {
      #expect(
        page.changes == [
          .changed(try JSON(parsing: Data("{\"id\":\"1\",\"size\":1.50}".utf8))),
          .removed(id: "2", reason: "deleted"),
        ])
      #expect(page.token?.rawValue == link)
    }
    #expect(api.requests.count == 1)
  }

  struct File: Decodable, Sendable, Equatable { var id: String }

  // Graph's documentation of driveItem: delta, and of the resource deleted.
  @Test("What was deleted from a drive is gone")
  func driveDelta() async throws {
    let api = API([
      HTTPReply(
        200,
        #"{"value":[{"id":"1","name":"a","deleted":{"state":"softDeleted"}},"#
          + #"{"id":"2","deleted":{}},{"id":"3","deleted":null},{"id":"4"}]}"#)
    ])
    let request: GraphRequest = "/me/drive/root/delta"
    for try await page in GraphClient.of(api).delta(request, of: File.self) {
      #expect(
        page.changes == [
          .removed(id: "1", reason: "softDeleted"), .removed(id: "2", reason: "deleted"),
          .changed(File(id: "3")), .changed(File(id: "4")),
        ])
    }
    for try await page in GraphClient.of(api).delta(request) {
      #expect(
        page.changes == [
          .removed(id: "1", reason: "softDeleted"), .removed(id: "2", reason: "deleted"),
          .changed(try JSON(parsing: Data(#"{"id":"3","deleted":null}"#.utf8))),
          .changed(try JSON(parsing: Data(#"{"id":"4"}"#.utf8))),
        ])
    }
    #expect(api.requests.count == 2)
  }

  @Test("A delta token on another host does not get the access token")
  func foreignToken() async {
    let api = API([HTTPReply(200)])
    let token = GraphDeltaToken(rawValue: "https://evil.example/v1.0/users/delta")
    await #expect(throws: GraphError.self) {
      for try await _ in GraphClient.of(api).delta("/users/delta", of: Item.self, since: token) {}
    }
    #expect(api.requests.isEmpty)
  }
}
