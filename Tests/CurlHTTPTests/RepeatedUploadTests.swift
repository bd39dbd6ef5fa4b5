import CurlHTTP
import Foundation
import HTTPTypes
import Testing

/// A server may end a connection while a large body is sent to it.
///
/// The request that is sent again has the whole body, which libcurl asks for from its beginning.
@Suite("Large bodies that are sent again")
struct RepeatedUploadTests {
  let server: MisbehavingServer
  /// Numbers, so that nothing can be missing, twice or at another place.
  private let text = (0..<400_000).map(String.init).joined(separator: "\n")

  init() throws { server = try MisbehavingServer.shared.get() }

  private struct Answer: Decodable {
    var connection: Int
    var body: String
  }

  /// Where the body comes from.
  enum Source: CaseIterable { case memory, file }

  /// Sends the body, and returns what arrived.
  private func send(
    _ method: HTTPRequest.Method, _ path: String, port: Int, _ client: CurlClient,
    from source: Source = .memory
  ) async throws -> Answer {
    let request = server.request(path, port: port, method: method)
    let limits = HTTPLimits(bodySize: 32 << 20)
    let reply: HTTPReply
    switch source {
    case .memory:
      reply = try await client.execute(request, body: Data(text.utf8), limits: limits)
    case .file:
      let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      // What comes before and after the part is not sent.
      try Data("before\(text)after".utf8).write(to: file)
      defer { try? FileManager.default.removeItem(at: file) }
      let part = FilePart(try BodyFile(file.path), 6..<(6 + text.utf8.count))
      reply = try await client.execute(request, body: .file(part), limits: limits)
    }
    return try JSONDecoder().decode(Answer.self, from: reply.body)
  }

  @Test(
    "A server that ends a kept connection in the middle of the body gets all of it on another one",
    arguments: ["close", "reset"], Source.allCases)
  func cut(ending: String, source: Source) async throws {
    let client = server.client()
    let before = try await client.echo(server.request("/before"))
    let path = "/cut/\(ending)/\(UUID())"
    let answer = try await send(.put, path, port: server.ports.good, client, from: source)
    #expect(answer.body == text)
    #expect(answer.connection != before.connection)
    let stats = try await server.stats()
    #expect(stats.cut.contains(path) && stats.requests[path]?.count == 1)
  }

  @Test(
    "A request that an HTTP/2 server refuses in the middle of the body is sent again",
    arguments: [HTTPRequest.Method.put, .post], Source.allCases)
  func refused(method: HTTPRequest.Method, source: Source) async throws {
    let client = server.client()
    let path = "/cut/\(UUID())"
    let answer = try await send(method, path, port: server.ports.http2, client, from: source)
    #expect(answer.body == text)
    let stats = try await server.stats()
    #expect(stats.cut.contains(path) && stats.requests[path]?.count == 1)
  }

  @Test(
    "A kept connection that the server has closed costs a large body nothing",
    arguments: ["goaway", "close", "reset", "late-goaway", "late-close", "late-reset"])
  func rested(ending: String) async throws {
    let client = server.client()
    let port = try #require(server.ports.idle[ending])
    let before = try await client.execute(server.request("/before", port: port))
    let connection = try JSONDecoder().decode(Answer.self, from: before.body).connection
    _ = try await server.client().execute(server.request("/rest/\(connection)"))
    #expect(try await eventually { try await server.stats().rested.contains(connection) })

    let path = "/\(UUID())"
    #expect(try await send(.put, path, port: port, client).body == text)
    #expect(try await server.stats().requests[path]?.count == 1)
  }

  @Test(
    "A body is not sent again when that could repeat something: the error says what happened",
    arguments: ["close", "reset"])
  func notRepeated(ending: String) async throws {
    let client = server.client()
    _ = try await client.echo(server.request("/before"))
    let path = "/cut/\(ending)/\(UUID())"
    let error = await client.failure(
      server.request(path, method: .post), body: Data(text.utf8))
    #expect(error?.code == .connectionLost)
    #expect(
      error?.message
        == "The connection to localhost was lost before the response was complete.")
    #expect(try await server.stats().requests[path] == nil)
  }
}
