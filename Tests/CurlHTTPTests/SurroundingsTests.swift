import CurlHTTP
import Foundation
import HTTPTypes
import Testing

@Suite("Proxies and the environment")
struct SurroundingsTests {
  let server: MisbehavingServer

  init() throws { server = try MisbehavingServer.shared.get() }

  private func client(proxy: String?) -> CurlClient {
    CurlClient(.init(caFile: server.files.ca, proxyResolver: { _ in proxy }))
  }

  @Test("A resolver's proxy is used, and the resolver gets only the host")
  func resolver() async throws {
    let asked = LockedValue<[String]>([])
    let proxy = "http://localhost:\(server.ports.proxy)"
    let client = CurlClient(
      .init(caFile: server.files.ca) { url in
        asked.withLock { $0.append(url) }
        return proxy
      })
    let tunnel = "localhost:\(server.ports.other)"
    let before = try await server.stats().requests[tunnel] ?? []
    let reply = try await client.execute(server.request("/size/3?code=s", port: server.ports.other))
    #expect(reply.response.headerFields[try #require(.init("X-Proxy"))] == nil)
    #expect(asked.withLock { $0 } == ["https://\(tunnel)/"])
    #expect(try await server.stats().requests[tunnel]?.count == before.count + 1)
  }

  @Test("A proxy that is missing, refuses or is invalid is a proxy failure")
  func badProxy() async throws {
    for proxy in [
      "http://localhost:\(server.ports.closed)", "http://localhost:\(server.ports.deniedProxy)",
      "http://host.invalid:3128", "http://:::", "nonsense://localhost",
    ] {
      let error = await client(proxy: proxy).failure(server.request("/"))
      #expect(error?.code == .proxyFailure, "\(proxy): \(String(describing: error))")
      #expect(error?.host == "localhost")
    }
  }

  @Test("A resolver that hangs delays neither the limit nor a cancellation")
  func hangingResolver() async throws {
    let lookUp = Task<Void, Never> { try? await Task.sleep(for: .seconds(20)) }
    defer { lookUp.cancel() }
    let client = CurlClient(
      .init(caFile: server.files.ca) { _ in
        // Does not react to cancellation, like a look-up in C.
        await lookUp.value
        return nil
      })
    let limits = HTTPLimits(total: .milliseconds(200))
    #expect(await client.failure(server.request("/"), limits: limits)?.code == .timedOut)
    let task = Task { await client.failure(server.request("/")) }
    task.cancel()
    #expect(await task.value?.code == .cancelled)
  }

  @Test("The environment's proxy is used if there is no resolver")
  func environment() async throws {
    await #expect(processExitsWith: .success) { [server = server as MisbehavingServer] in
      setenv("https_proxy", "http://localhost:\(server.ports.closed)", 1)
      setenv("no_proxy", "", 1)
      #expect(await server.client().failure(server.request("/")) != nil)
      let undecided = CurlClient(.init(caFile: server.files.ca) { _ in nil })
      #expect(await undecided.failure(server.request("/")) != nil)
      let direct = CurlClient(.init(caFile: server.files.ca) { _ in "direct://" })
      let echo = try await direct.echo(server.request("/direct"))
      #expect(echo.path == "/direct")

      // A resolver's choice is used, whatever the environment exempts.
      setenv("no_proxy", "*", 1)
      let proxy = "http://localhost:\(server.ports.closed)"
      let chosen = CurlClient(.init(caFile: server.files.ca) { _ in proxy })
      #expect(await chosen.failure(server.request("/"))?.code == .proxyFailure)
    }
  }

  @Test("~/.netrc is not used")
  func netrc() async throws {
    await #expect(processExitsWith: .success) { [server = server as MisbehavingServer] in
      let home = FileManager.default.temporaryDirectory.appending(path: "netrc-\(UUID())")
      try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: home) }
      try Data("machine localhost login someone password s3cret\n".utf8).write(
        to: home.appending(path: ".netrc"))
      setenv("HOME", home.path, 1)
      let echo = try await server.client().echo(server.request("/"))
      #expect(echo.value(of: "authorization") == nil)
    }
  }
}
