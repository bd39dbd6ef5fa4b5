import CurlHTTP
import HTTPTypes
import IdentityEmulator
import Testing

/// The emulator as a web server.
struct ServerTests {
  private let token = "/common/oauth2/v2.0/token"

  @Test(.timeLimit(.minutes(5)))
  func `Hundreds of concurrent connections are served`() async throws {
    try await withEmulator { emulator, client in
      await emulator.setDelay(.milliseconds(200), route: "/devicelogin")
      try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
        for _ in 0..<300 {
          // Each client has its own connections.
          group.addTask { try await Client(client.running).get("/devicelogin").response.status }
        }
        for try await status in group { #expect(status == .ok) }
      }
      #expect(await emulator.requestCounts == ["GET /devicelogin": 300])
    }
  }

  @Test(arguments: [1 << 16, 60 << 20])
  func `A body of the maximum size is read, and a larger one is rejected`(size: Int)
    async throws
  {
    try await withEmulator { _, client in
      let largest = String(repeating: "x", count: size)
      var statuses: [HTTPResponse.Status] = []
      for body in [largest, largest + "x", "x"] {
        statuses.append(try await client.post(token, form: body).response.status)
      }
      // A body up to the maximum size of a form is parsed; a larger one is too large for a form.
      let expected: HTTPResponse.Status = size > 1 << 16 ? .contentTooLarge : .badRequest
      #expect(statuses == [expected, .contentTooLarge, .badRequest])
    }
  }

  @Test(arguments: [
    (HTTPRequest.Method.get, "/"), (.get, "/nowhere"), (.get, "/common/oauth2/v2.0/token"),
  ])
  func `A request without a route gets 404, and is recorded`(
    method: HTTPRequest.Method, path: String
  ) async throws {
    try await withEmulator { emulator, client in
      var request = HTTPRequest(url: client.running.baseURL + path)
      request.method = method
      let reply = try await client.http.execute(request)
      #expect(reply.response.status == .notFound)
      #expect(reply.body.isEmpty)
      #expect(await emulator.requestCounts == ["\(method) unknown": 1])
    }
  }

  @Test func `A literal route takes precedence over one with a parameter`() async throws {
    try await withEmulator { emulator, client in
      for path in ["/adfs/signin", "/contoso.example/signin", "/v1.0/me", "/v1.0/me/other"] {
        _ = try await client.get(path + "?ctx=a+b%20c")
      }
      #expect(
        await emulator.requests.map(\.route) == [
          "/adfs/signin", "/{tenant}/signin", "/v1.0/me", "/v1.0/me/other",
        ])
      #expect(await emulator.requests.allSatisfy { $0.query == "ctx=a+b%20c" })
    }
  }
}
