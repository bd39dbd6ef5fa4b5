import CurlHTTP
import Foundation
import HTTPTypes
import Testing

@Suite("Bodies that arrive in pieces")
struct StreamTests {
  let server: MisbehavingServer
  private let limits = HTTPLimits(total: .seconds(600), bodySize: .max, idle: .seconds(30))

  init() throws { server = try MisbehavingServer.shared.get() }

  private func size(_ path: String, limits: HTTPLimits? = nil) async throws(HTTPError) -> Int {
    let stream = try await server.client().stream(
      server.request(path), body: Data(), limits: limits ?? self.limits)
    var size = 0
    for try await piece in stream.body { size += piece.count }
    return size
  }

  @Test("A large body arrives completely, in pieces")
  func large() async throws {
    #expect(try await size("/large") == 1600 * 64 << 10)
  }

  @Test("A gzip-coded body is decoded")
  func gzip() async throws {
    #expect(try await size("/bomb") == 300 << 20)
  }

  @Test(
    "A body that breaks off is an error after what arrived",
    arguments: ["/short", "/reset", "/cut-chunk"])
  func broken(path: String) async {
    let error = await #expect(throws: HTTPError.self) { try await size(path) }
    #expect(error?.code == .connectionLost)
  }

  @Test("A malformed or too large body is an error")
  func malformed() async {
    let checksum = await #expect(throws: HTTPError.self) { try await size("/gzip-cut-checksum") }
    #expect(checksum?.code == .invalidResponse)
    let large = await #expect(throws: HTTPError.self) {
      try await size("/large", limits: HTTPLimits(bodySize: 1 << 20))
    }
    #expect(large?.code == .bodyTooLarge)
  }

  @Test("A server that falls silent ends the body", .timeLimit(.minutes(5)))
  func silent() async {
    let error = await #expect(throws: HTTPError.self) {
      try await size("/silence", limits: HTTPLimits(total: .seconds(50), idle: .seconds(1)))
    }
    #expect(error?.code == .timedOut)
  }

  @Test("A reader that stops early or is canceled does not hold up the client")
  func stopped() async throws {
    let client = server.client()
    for _ in 1...3 {
      let stream = try await client.stream(server.request("/large"), body: Data(), limits: limits)
      for try await _ in stream.body { break }
    }
    let stream = try await client.stream(server.request("/drip"), body: Data(), limits: limits)
    let reading = Task {
      do throws(HTTPError) {
        for try await _ in stream.body { withUnsafeCurrentTask { $0?.cancel() } }
        return nil as HTTPError.Code?
      } catch {
        return error.code
      }
    }
    #expect(await reading.value == .cancelled)
    #expect(try await client.echo(server.request("/after")).path == "/after")
  }
}
