import CurlHTTP
import Foundation
import HTTPTypes

/// The addresses of `misbehave.py`, which is started once and ends with the test process.
struct MisbehavingServer: Codable, Sendable {
  struct Ports: Codable, Sendable {
    var good, other, http2, stranger, wrongName, expired, tls11, mute, handshake, closed, plain: Int
    var proxy, deniedProxy, deniedSecureProxy: Int
    /// HTTP/2 servers that close a connection on demand, by the way they do it.
    var idle: [String: Int]
  }

  struct Files: Codable, Sendable {
    var ca, serverCertificate, notACA: String
  }

  /// The server's view of a request, returned for any path without a fault.
  struct Echo: Decodable {
    var connection: Int
    var method, path, body: String
    var fields: [[String]]

    func value(of name: String) -> String? { fields.first { $0[0] == name }?[1] }
  }

  /// The server's counters.
  struct Stats: Decodable {
    /// The numbers of the closed connections.
    var closed: [Int]
    /// The numbers of the connections closed on demand.
    var rested: [Int]
    /// The paths of requests that were ended in the middle of their bodies.
    var cut: [String]
    /// For each path, the numbers of the connections with its requests.
    var requests: [String: [Int]]
    /// Bytes of `/flood` that were sent.
    var flood: Int
    /// Connections to the port without TLS.
    var plain: Int
  }

  var ports: Ports
  var files: Files

  static let shared = Result {
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "misbehave.py")
    let process = Process()
    // Debian's Python, which has the package for HTTP/2.
    process.executableURL = URL(filePath: "/usr/bin/python3")
    process.arguments = ["-W", "ignore", script.path]
    let output = Pipe()
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    var line = Data()
    while line.last != UInt8(ascii: "\n") {
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { throw CocoaError(.executableLoad) }
      line += more
    }
    return try JSONDecoder().decode(MisbehavingServer.self, from: line)
  }

  /// The system closes it when the test process ends in any way.
  private static let input = Pipe()

  /// A client that trusts the server's authority.
  func client() -> CurlClient { CurlClient(.init(caFile: files.ca)) }

  /// A request to a path of the server, optionally at one of its other ports.
  func request(
    _ path: String, port: Int? = nil, method: HTTPRequest.Method = .get, fields: HTTPFields = [:]
  ) -> HTTPRequest {
    HTTPRequest(
      method: method, scheme: "https", authority: "localhost:\(port ?? ports.good)", path: path,
      headerFields: fields)
  }

  /// The server's counters, requested on a separate connection.
  func stats() async throws -> Stats {
    try JSONDecoder().decode(Stats.self, from: await client().execute(request("/stats")).body)
  }
}

/// Waits until `condition` is true; returns false if it is not within ten seconds.
func eventually(_ condition: () async throws -> Bool) async rethrows -> Bool {
  let deadline = ContinuousClock.now + .seconds(10)
  while try await !condition() {
    guard ContinuousClock.now < deadline else { return false }
    await Task.yield()
  }
  return true
}

extension CurlClient {
  /// Sends a request, and returns the server's view of it.
  func echo(_ request: HTTPRequest, body: Data = Data()) async throws -> MisbehavingServer.Echo {
    try JSONDecoder().decode(
      MisbehavingServer.Echo.self,
      from: await execute(request, body: body, limits: HTTPLimits(bodySize: 32 << 20)).body)
  }

  /// The error of `request`; nil if there is a reply.
  func failure(
    _ request: HTTPRequest, body: Data = Data(), limits: HTTPLimits = HTTPLimits()
  ) async -> HTTPError? {
    do throws(HTTPError) {
      _ = try await execute(request, body: body, limits: limits)
      return nil
    } catch {
      return error
    }
  }
}
