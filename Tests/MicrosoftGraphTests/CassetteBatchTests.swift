import AuthCore
import CurlHTTP
import FoundationEssentials
import HTTPTypes
import MicrosoftGraph
import Testing

@Suite("What a recording holds of a batch")
struct CassetteBatchTests {
  /// Sends a batch of two, the second of which depends on the first.
  private func send(
    over cassette: Cassette
  ) async throws -> [Result<GraphResponse, GraphError>] {
    let graph = GraphClient(tokens: Tokens(), runtime: Runtime(transport: cassette))
    let user: JSON = ["id": "23", "note": "Adele resigns"]
    return try await graph.batch(
      [GraphRequest(.get, "/users/17"), GraphRequest(.post, "/users", body: .json(user))],
      dependsOn: [1: [0]])
  }

  @Test("It is replayed, and what the bodies of its parts call an ID has a stand-in")
  func replay() async throws {
    let path = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString).har"
    defer { try? FileManager.default.removeItem(atPath: path) }
    // In any order.
    let answer = """
      {"responses": [\
      {"id": "1", "status": 201, "body": {"id": "42", "dependsOn": ["43"], "givenName": "Adele"}},\
      {"id": "0", "status": 404, "body": {"error": {"code": "itemNotFound", "id": "44"}}}]}
      """
    let cassette = try Cassette(recordingTo: path, over: API([HTTPReply(200, answer)]))
    _ = try await send(over: cassette)
    try cassette.save()

    let results = try await send(over: Cassette(replaying: path))
    #expect(try results[1].get().status == 201)
    guard case .failure(let error) = results[0] else {
      Issue.record("the first one fails")
      return
    }
    #expect(error.status == 404 && error.serverCode == "itemNotFound")

    let file = try #require(FileManager.default.contents(atPath: path))
    let entry = try JSON(parsing: file)["log"]?["entries"]?.array?.first
    let sent = try #require(entry?["request"]?["postData"]?["text"]?.string)
    let requests = try JSON(parsing: sent.utf8)["requests"]?.array ?? []
    #expect(requests.map { $0["id"]?.string } == ["0", "1"])
    #expect(requests.last?["dependsOn"]?.array?.compactMap(\.string) == ["0"])
    #expect(requests.last?["body"]?["id"]?.string?.hasPrefix("id-") == true)
    let received = try #require(entry?["response"]?["content"]?["text"]?.string)
    let responses = try JSON(parsing: received.utf8)["responses"]?.array ?? []
    #expect(responses.map { $0["id"]?.string } == ["1", "0"])
    #expect(responses.first?["body"]?["id"]?.string?.hasPrefix("id-") == true)
    for word in ["Adele", "resigns", "\"17\"", "\"23\"", "\"42\"", "\"43\"", "\"44\""] {
      #expect(!sent.contains(word) && !received.contains(word), "\(word)")
    }
  }

  @Test("An ID of a part that can be somebody’s has a stand-in", arguments: ["adele", "4711230"])
  func otherID(id: String) async throws {
    let path = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString).har"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let answer = #"{"responses": [{"id": "\#(id)", "status": 200}]}"#
    let cassette = try Cassette(recordingTo: path, over: API([HTTPReply(200, answer)]))
    let graph = GraphClient(tokens: Tokens(), runtime: Runtime(transport: cassette))
    let body: JSON = ["requests": [["id": .string(id), "method": "GET", "url": "/me"]]]
    _ = try await graph.send(GraphRequest(.post, "/$batch", body: .json(body)))
    try cassette.save()
    let file = try #require(FileManager.default.contents(atPath: path))
    #expect(!String(decoding: file, as: UTF8.self).contains(id))
  }
}
