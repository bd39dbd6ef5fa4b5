import CurlHTTP
import Foundation
import HTTPTypes
import Testing

@Suite("Requests and replies")
struct ExchangeTests {
  let server: MisbehavingServer

  init() throws { server = try MisbehavingServer.shared.get() }

  @Test(
    "Method, path, fields and body are sent unchanged",
    arguments: [HTTPRequest.Method.get, .post, .put, .patch, .delete])
  func requestArrives(method: HTTPRequest.Method) async throws {
    let body = method == .get ? "" : "grant_type=refresh_token&x=\u{0}\u{1}"
    let request = server.request(
      "/a/../b?c=%2F&d=", method: method,
      fields: [.authorization: "Bearer abc", .contentType: "text/x", .userAgent: ""])
    let echo = try await server.client().echo(request, body: Data(body.utf8))
    #expect(echo.method == method.rawValue)
    #expect(echo.path == "/a/../b?c=%2F&d=")
    #expect(echo.body == body)
    #expect(echo.value(of: "authorization") == "Bearer abc")
    #expect(echo.value(of: "content-type") == "text/x")
    #expect(echo.value(of: "user-agent") == "")
    #expect(echo.value(of: "host") == "localhost:\(server.ports.good)")
  }

  @Test("No unrequested header fields are sent")
  func noFieldsOfItsOwn() async throws {
    let large = Data(count: 2 << 20)
    let echo = try await server.client().echo(server.request("/", method: .post), body: large)
    let names = Set(echo.fields.map { $0[0] })
    #expect(names == ["host", "accept", "accept-encoding", "content-length"])
    #expect(echo.body.utf8.count == large.count)
  }

  @Test(
    "Without a body, no field that describes one is sent",
    arguments: [HTTPRequest.Method.get, .delete])
  func noFieldsOfNoBody(method: HTTPRequest.Method) async throws {
    let echo = try await server.client().echo(server.request("/", method: method))
    #expect(Set(echo.fields.map { $0[0] }) == ["host", "accept", "accept-encoding"])
  }

  @Test("A large body, which is sent in pieces, arrives as it is")
  func largeBody() async throws {
    let text = (0..<40_000).map(String.init).joined(separator: " ")
    // Its first index is not 0.
    let body = Data("left out \(text)".utf8).dropFirst(9)
    let echo = try await server.client().echo(server.request("/", method: .put), body: body)
    #expect(echo.body == text)
  }

  @Test("An empty POST has a length, so that servers accept it")
  func emptyPost() async throws {
    let echo = try await server.client().echo(server.request("/", method: .post))
    #expect(echo.value(of: "content-length") == "0")
  }

  @Test("Any status is a reply")
  func statusIsNoError() async throws {
    let client = server.client()
    let refused = try await client.execute(server.request("/unauthorized"))
    #expect(refused.response.status == .unauthorized)
    #expect(refused.response.headerFields[.wwwAuthenticate] == "Bearer")
    #expect(refused.body == Data("no".utf8))
    let empty = try await client.execute(server.request("/empty"))
    #expect(empty.response.status == .noContent)
    #expect(empty.body.isEmpty)
  }

  @Test("Interim replies and trailers are not mixed with the reply's head")
  func onlyTheFinalHead() async throws {
    let client = server.client()
    let reply = try await client.execute(server.request("/interim"))
    #expect(reply.response.status == .ok)
    #expect(reply.response.headerFields[try #require(.init("X-Interim"))] == nil)
    #expect(reply.body == Data("done".utf8))
    let trailed = try await client.execute(server.request("/trailer"))
    #expect(trailed.response.headerFields[try #require(.init("X-Late"))] == nil)
    #expect(trailed.body == Data("ok".utf8))
  }

  @Test("Repeated and folded fields keep all their values")
  func repeatedFields() async throws {
    let fields = try await server.client().execute(server.request("/repeated")).response
      .headerFields
    #expect(fields[values: try #require(.init("X-Twice"))] == ["one", "two"])
    #expect(fields[values: try #require(.init("X-Folded"))] == ["one two"])
  }

  @Test(
    "Compressed bodies are decoded", arguments: ["/gzip", "/gzip-members", "/no-length-gzip"])
  func gzip(path: String) async throws {
    let body = try await server.client().execute(server.request(path)).body
    #expect(body.count == 40_000)
    #expect(body.allSatisfy { "0123456789abcdef".utf8.contains($0) })
  }

  @Test("A body without any bytes is empty, whatever its coding")
  func emptyGzip() async throws {
    #expect(try await server.client().execute(server.request("/gzip-empty")).body.isEmpty)
  }

  @Test("Consecutive requests share a connection")
  func connectionReuse() async throws {
    let client = server.client()
    var connections: Set<Int> = []
    for _ in 0..<10 {
      connections.insert(try await client.echo(server.request("/")).connection)
    }
    #expect(connections.count == 1)
    let stranger = try await server.client().echo(server.request("/")).connection
    #expect(!connections.contains(stranger), "clients share nothing")
  }

  @Test("HTTP/2 is used if the server supports it, on one connection")
  func http2() async throws {
    struct Answer: Decodable { var connection: Int }
    let client = server.client()
    var connections: Set<Int> = []
    for _ in 0..<10 {
      let request = server.request("/", port: server.ports.http2, method: .put)
      let reply = try await client.execute(request, body: Data("x".utf8))
      #expect(reply.response.status == .ok)
      connections.insert(try JSONDecoder().decode(Answer.self, from: reply.body).connection)
    }
    #expect(connections.count == 1)
  }

  @Test("A hundred concurrent requests get their own replies")
  func parallel() async throws {
    let client = server.client()
    let paths = try await withThrowingTaskGroup(of: String.self) { group in
      for number in 0..<100 {
        group.addTask { try await client.echo(server.request("/parallel/\(number)")).path }
      }
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(paths == Set((0..<100).map { "/parallel/\($0)" }))
  }

  @Test("A client has no thread before its first request")
  func laziness() async throws {
    await #expect(processExitsWith: .success) { [server = server as MisbehavingServer] in
      func threads() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
      }
      let before = try threads()
      let clients = (0..<50).map { _ in server.client() }
      let after = try threads()
      #expect(after == before)
      let echo = try await clients[0].echo(server.request("/"))
      #expect(echo.path == "/")
    }
  }

  @Test("A released client completes its requests, then closes its connections")
  func release() async throws {
    var client: CurlClient? = server.client()
    let running = Task { [client] in try await client?.echo(server.request("/release")) }
    client = nil
    let connection = try #require(try await running.value).connection
    #expect(try await eventually { try await server.stats().closed.contains(connection) })
  }
}
