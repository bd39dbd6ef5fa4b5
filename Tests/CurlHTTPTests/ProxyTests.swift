import CurlHTTP
import Foundation
import HTTPTypes
import Testing

@Suite("Proxies and the environment")
struct ProxyTests {
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

  @Test("The trusted authorities are those of an HTTPS proxy, too, and it is named when it fails")
  func secureProxy() async throws {
    let proxy = "https://localhost:\(server.ports.deniedSecureProxy)"
    // It was reached, and refused the connection.
    #expect(await client(proxy: proxy).failure(server.request("/"))?.code == .proxyFailure)
    for (proxy, message) in [
      (
        "https://localhost:\(server.ports.stranger)",
        "The certificate of the proxy for localhost could not be verified."
      ),
      (
        "https://localhost:\(server.ports.tls11)",
        "Could not make a secure connection to the proxy for localhost."
      ),
    ] {
      let error = await client(proxy: proxy).failure(server.request("/"))
      #expect(error?.code == .tlsFailure)
      #expect(error?.message == message)
    }
    // Behind a proxy, the host's own certificate is still the host's.
    let tunnel = client(proxy: "http://localhost:\(server.ports.proxy)")
    let error = await tunnel.failure(server.request("/", port: server.ports.expired))
    #expect(error?.message == "The certificate of localhost has expired.")
  }

  @Test(
    "A resolver that hangs delays neither the limit nor a cancellation", .timeLimit(.minutes(5)))
  func hangingResolver() async throws {
    let hasEnded = LockedValue(false)
    let lookUp = Task<Void, Never> {
      try? await Task.sleep(for: .seconds(60))
      hasEnded.withLock { $0 = true }
    }
    defer { lookUp.cancel() }
    let (questions, question) = AsyncStream.makeStream(of: Void.self)
    var asked = questions.makeAsyncIterator()
    let client = CurlClient(
      .init(caFile: server.files.ca) { _ in
        question.yield()
        // Does not react to cancellation, like a look-up in C.
        await lookUp.value
        return nil
      })
    let limits = HTTPLimits(total: .milliseconds(200))
    #expect(await client.failure(server.request("/"), limits: limits)?.code == .timedOut)
    _ = await asked.next()
    let task = Task { await client.failure(server.request("/")) }
    _ = await asked.next()
    task.cancel()
    #expect(await task.value?.code == .cancelled)
    #expect(!hasEnded.withLock { $0 })
  }

  @Test("The environment's proxy is used if there is no resolver")
  func environment() async throws {
    await #expect(processExitsWith: .success) { [server = server as MisbehavingServer] in
      setenv("https_proxy", "http://localhost:\(server.ports.closed)", 1)
      setenv("no_proxy", "", 1)
      let error = await server.client().failure(server.request("/"))
      #expect(error?.code == .cannotConnect)
      #expect(
        error?.message
          == "Could not connect to \(server.request("/").authority ?? ""),"
          + " or to the proxy in the environment variable https_proxy."
      )
      setenv("https_proxy", "http://:::", 1)
      #expect(await server.client().failure(server.request("/"))?.code == .proxyFailure)
      setenv("https_proxy", "http://localhost:\(server.ports.closed)", 1)
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
