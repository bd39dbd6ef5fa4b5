import CurlHTTP
import Foundation
import Glibc
import HTTPTypes
import Testing

/// Servers close an idle connection after some seconds, and the client may send its next request
/// before it notices (RFC 9112, section 9.6; RFC 9113, section 6.8).
@Suite("Kept connections")
struct KeptConnectionTests {
  let server: MisbehavingServer

  init() throws { server = try MisbehavingServer.shared.get() }

  private struct Answer: Decodable {
    var connection: Int
  }

  /// The number of the connection that a request was sent on.
  private func connection(_ client: CurlClient, _ request: HTTPRequest) async throws -> Int {
    try JSONDecoder().decode(Answer.self, from: await client.execute(request).body).connection
  }

  @Test(
    "A request on a connection that the server has closed is sent again, and processed once",
    arguments: ["goaway", "close", "reset", "late-goaway", "late-close", "late-reset"],
    [HTTPRequest.Method.get, .post, .put, .patch, .delete])
  func rested(ending: String, method: HTTPRequest.Method) async throws {
    let client = server.client()
    let port = try #require(server.ports.idle[ending])
    let connection = try await connection(client, server.request("/before", port: port))
    _ = try await server.client().execute(server.request("/rest/\(connection)"))
    #expect(try await eventually { try await server.stats().rested.contains(connection) })

    let path = "/\(UUID())"
    let reply = try await client.execute(
      server.request(path, port: port, method: method), body: Data("code=once".utf8))
    #expect(reply.response.status == .ok)
    #expect(try await server.stats().requests[path]?.count == 1)
  }

  @Test(
    "A request that must not be sent twice is not, even if the server closes silently",
    arguments: [HTTPRequest.Method.post, .patch])
  func onlyOnce(method: HTTPRequest.Method) async throws {
    let client = server.client()
    _ = try await client.echo(server.request("/before"))
    let path = "/nothing?\(UUID())"
    let error = await client.failure(
      server.request(path, method: method), body: Data("code=once".utf8))
    #expect(error?.code == .connectionLost)
    #expect(try await server.stats().requests[path]?.count == 1)
  }

  @Test(
    "A kept connection whose other end is gone costs one request, and is not used again",
    arguments: ["HTTP/1.1", "HTTP/2"])
  func vanished(version: String) async throws {
    let client = server.client()
    let port = version == "HTTP/2" ? server.ports.http2 : server.ports.good
    let first = try await connection(client, server.request("/vanish", port: port))
    let options = try probes(toPort: port)
    #expect(!options.isEmpty)
    // Enabled, after 20 seconds of silence, every 10 seconds.
    #expect(options.allSatisfy { $0 == [1, 20, 10] })

    let limits = HTTPLimits(total: .seconds(2))
    let gone = server.request("/gone", port: port)
    #expect(await client.failure(gone, limits: limits)?.code == .timedOut)
    for _ in 1...2 {
      let next = try await connection(client, server.request("/next", port: port))
      #expect(next != first)
    }
    #expect(try await server.stats().requests["/gone"] == nil)
  }

  /// How this process's connections to `port` are probed while nothing is sent: whether, after how
  /// many seconds, and how often.
  private func probes(toPort port: Int) throws -> [[CInt]] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { name in
      guard let file = CInt(name), peerPort(of: file) == port else { return nil }
      let options: [CInt] = [
        (SOL_SOCKET, SO_KEEPALIVE), (CInt(IPPROTO_TCP), TCP_KEEPIDLE),
        (CInt(IPPROTO_TCP), TCP_KEEPINTVL),
      ].map { level, option in
        var value: CInt = -1
        var size = socklen_t(MemoryLayout<CInt>.size)
        getsockopt(file, level, option, &value, &size)
        return value
      }
      // Another test may have closed it meanwhile.
      return peerPort(of: file) == port ? options : nil
    }
  }

  /// The port that a socket of this process is connected to; nil for none.
  private func peerPort(of file: CInt) -> Int? {
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(file, $0, &size) }
    }
    return status == 0 ? Int(UInt16(bigEndian: address.sin_port)) : nil
  }

  @Test("A server that closes silently every time is not retried forever")
  func givesUp() async throws {
    let client = server.client()
    _ = try await client.echo(server.request("/before"))
    let path = "/nothing?\(UUID())"
    #expect(await client.failure(server.request(path))?.code == .connectionLost)
    #expect(try #require(await server.stats().requests[path]).count <= 3)
  }
}
