import CurlHTTP
import Foundation
import HTTPTypes

/// The addresses of `misbehave.py`, which is started once and ends with the test process.
struct MisbehavingServer: Codable, Sendable {
  struct Ports: Codable, Sendable {
    var good, other, http2, stranger, wrongName, expired, tls11, mute, closed, plain: Int
    var proxy, deniedProxy: Int
    /// HTTP/2 servers that close a connection on demand, by how they do it.
    var idle: [String: Int]
  }

  struct Files: Codable, Sendable {
    var ca, serverCertificate, notACA: String
  }

  /// What the server saw of a request, as it tells on any path without a fault.
  struct Echo: Decodable {
    var connection: Int
    var method, path, body: String
    var fields: [[String]]

    func value(of name: String) -> String? { fields.first { $0[0] == name }?[1] }
  }

  /// What the server counts.
  struct Stats: Decodable {
    /// The numbers of the connections that are closed.
    var closed: [Int]
    /// The numbers of the connections that were closed on demand.
    var rested: [Int]
    /// By path, the numbers of the connections that requests came on.
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
    // Debian's, which has the package for HTTP/2.
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

  /// Closed by the system when the test process ends, however it ends.
  private static let input = Pipe()

  /// A client that trusts the server's authority.
  func client() -> CurlClient { CurlClient(.init(caFile: files.ca)) }

  /// A request to a path of the server, which may be named by one of its ports.
  func request(
    _ path: String, port: Int? = nil, method: HTTPRequest.Method = .get, fields: HTTPFields = [:]
  ) -> HTTPRequest {
    HTTPRequest(
      method: method, scheme: "https", authority: "localhost:\(port ?? ports.good)", path: path,
      headerFields: fields)
  }

  /// The server's counters, asked on a connection of their own.
  func stats() async throws -> Stats {
    try JSONDecoder().decode(Stats.self, from: await client().execute(request("/stats")).body)
  }
}

/// Waits until `condition` holds; false if it does not within ten seconds.
func eventually(_ condition: () async throws -> Bool) async rethrows -> Bool {
  let deadline = ContinuousClock.now + .seconds(10)
  while try await !condition() {
    guard ContinuousClock.now < deadline else { return false }
    await Task.yield()
  }
  return true
}

extension CurlClient {
  /// Sends a request that the server describes in its reply.
  func echo(_ request: HTTPRequest, body: Data = Data()) async throws -> MisbehavingServer.Echo {
    try JSONDecoder().decode(
      MisbehavingServer.Echo.self,
      from: await execute(request, body: body, limits: HTTPLimits(bodySize: 32 << 20)).body)
  }

  /// The error that `request` ends with; nil if it has a reply.
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
