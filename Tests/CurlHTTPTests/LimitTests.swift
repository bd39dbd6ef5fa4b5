import CurlHTTP
import Foundation
import HTTPTypes
import Testing

@Suite("Time and size limits")
struct LimitTests {
  let server: MisbehavingServer

  init() throws { server = try MisbehavingServer.shared.get() }

  @Test("A server that accepts and then is silent exceeds the connect limit")
  func handshake() async {
    let limits = HTTPLimits(connect: .milliseconds(300), total: .seconds(60))
    let start = ContinuousClock.now
    let error = await server.client().failure(
      server.request("/", port: server.ports.mute), limits: limits)
    #expect(error?.code == .timedOut)
    #expect(ContinuousClock.now - start >= .milliseconds(290))
    #expect(ContinuousClock.now - start < .seconds(10))
  }

  @Test(
    "No reply, or a very slow one, exceeds the total limit",
    arguments: ["/silence", "/drip"])
  func total(path: String) async {
    let limits = HTTPLimits(total: .milliseconds(500))
    let start = ContinuousClock.now
    #expect(await server.client().failure(server.request(path), limits: limits)?.code == .timedOut)
    #expect(ContinuousClock.now - start >= .milliseconds(490))
    #expect(ContinuousClock.now - start < .seconds(10))
  }

  @Test("The time for choosing a proxy counts toward the limit")
  func proxyResolver() async {
    let choosing = CurlClient(
      .init(caFile: server.files.ca) { _ in
        try? await Task.sleep(for: .seconds(10))
        return "direct"
      })
    let limits = HTTPLimits(total: .seconds(12))
    let start = ContinuousClock.now
    let error = await choosing.failure(server.request("/silence"), limits: limits)
    #expect(error?.code == .timedOut)
    // With a separate limit for choosing the proxy, it would take 22 s.
    #expect(ContinuousClock.now - start < .seconds(20), "took \(ContinuousClock.now - start)")
  }

  @Test("A field folded into forty thousand lines takes no longer than a single line")
  func foldedField() async throws {
    // CPU time, because other programs may run; the tests that run beside it are part of it.
    let start = clock()
    let reply = try await server.client().execute(server.request("/folded"))
    #expect((clock() - start) / CLOCKS_PER_SEC < 30)
    let value = reply.response.headerFields[try #require(.init("X-Folded"))]
    #expect(value?.utf8.count == "one".utf8.count + 40_000 * " two".utf8.count)
  }

  @Test("Limits that are zero, negative or infinite do not trap")
  func extremes() async throws {
    let client = server.client()
    for total in [Duration.zero, .seconds(-5)] {
      let error = await client.failure(server.request("/silence"), limits: HTTPLimits(total: total))
      #expect(error?.code == .timedOut)
    }
    let endless = Duration.seconds(Int64.max)
    let limits = HTTPLimits(connect: endless, total: endless, bodySize: .max)
    #expect(
      try await client.execute(server.request("/gzip"), body: Data(), limits: limits).body.count
        == 40_000)
    let empty = await client.failure(server.request("/size/1"), limits: HTTPLimits(bodySize: 0))
    #expect(empty?.code == .bodyTooLarge)
  }

  @Test("A body may be as large as the limit, and not a byte larger")
  func bodySize() async throws {
    let client = server.client()
    let limits = HTTPLimits(bodySize: 5000)
    let reply = try await client.execute(server.request("/size/5000"), body: Data(), limits: limits)
    #expect(reply.body == Data(count: 5000))
    let error = await client.failure(server.request("/size/5001"), limits: limits)
    #expect(error?.code == .bodyTooLarge)
    #expect(await client.failure(server.request("/gzip"), limits: limits)?.code == .bodyTooLarge)
  }

  @Test("A hundred megabytes in chunks are aborted at the limit")
  func flood() async throws {
    #expect(await server.client().failure(server.request("/flood"))?.code == .bodyTooLarge)
    // Some of the data beyond the limit filled socket buffers.
    #expect(try await server.stats().flood < 50 << 20)
  }

  @Test("Three hundred megabytes of zeros in gzip take no memory")
  func bomb() async throws {
    await #expect(processExitsWith: .success) { [server = server as MisbehavingServer] in
      let client = server.client()
      _ = try await client.execute(server.request("/gzip"))
      let before = try peakMemory()
      #expect(await client.failure(server.request("/bomb"))?.code == .bodyTooLarge)
      #expect(try peakMemory() - before < 8 << 20)
    }
  }
}

/// The peak memory of this process, in bytes.
func peakMemory() throws -> Int {
  let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
  let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
  return try #require(Int(line.filter(\.isNumber))) * 1024
}
