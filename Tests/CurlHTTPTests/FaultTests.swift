import CurlHTTP
import Foundation
import HTTPTypes
import Testing

@Suite("Server and network errors")
struct FaultTests {
  let server: MisbehavingServer

  init() throws { server = try MisbehavingServer.shared.get() }

  @Test(
    "A connection that ends before the reply",
    arguments: ["/short", "/cut-chunk", "/bad-chunk", "/nothing", "/reset"])
  func connectionLost(path: String) async {
    #expect(await server.client().failure(server.request(path))?.code == .connectionLost)
  }

  @Test(
    "A malformed reply",
    arguments: [
      "/no-length", "/cut-head", "/http-0.9", "/two-lengths", "/many-fields",
      "/many-short-fields", "/nul", "/bad-field", "/unknown-coding", "/gzip-cut-small",
      "/gzip-cut-half", "/gzip-cut-checksum", "/gzip-corrupt",
      "/gzip-garbage-after",
    ])
  func invalidResponse(path: String) async {
    #expect(await server.client().failure(server.request(path))?.code == .invalidResponse)
  }

  @Test("A client works after any error")
  func goesOn() async throws {
    let client = server.client()
    for path in ["/short", "/reset", "/gzip-corrupt", "/nul", "/flood"] {
      #expect(await client.failure(server.request(path)) != nil)
      #expect(try await client.echo(server.request("/after")).path == "/after")
    }
  }

  @Test("A host without an address, and a closed port")
  func unreachable() async {
    let nowhere = HTTPRequest(
      method: .get, scheme: "https", authority: "host.invalid", path: "/")
    let error = await server.client().failure(nowhere)
    #expect(error?.code == .cannotFindHost)
    #expect(
      error?.message
        == "“host.invalid” could not be reached: there is no such host, or the network is not"
        + " available.")
    let closed = server.request("/", port: server.ports.closed)
    #expect(await server.client().failure(closed)?.code == .cannotConnect)
  }

  @Test(
    "A proxy setting that means none is not blamed",
    arguments: ["direct", "direct://", "DIRECT://"])
  func noProxyAtFault(choice: String) async {
    let client = CurlClient(.init(caFile: server.files.ca) { _ in choice })
    let error = await client.failure(server.request("/", port: server.ports.closed))
    #expect(error?.code == .cannotConnect)
    #expect(error?.message == "Could not connect to localhost:\(server.ports.closed).")
  }

  @Test(
    "A redirect is a reply, and is not followed",
    arguments: [301, 302, 303, 307, 308])
  func redirects(status: Int) async throws {
    let request = server.request("/redirect/\(status)", method: .post)
    let reply = try await server.client().execute(request, body: Data("refresh_token=x".utf8))
    #expect(reply.response.status.code == status)
    #expect(
      reply.response.headerFields[.location] == "https://localhost:\(server.ports.other)/stolen")
    #expect(try await server.stats().requests["/stolen"] == nil)
  }

  @Test("A cookie is not sent back")
  func cookies() async throws {
    let client = server.client()
    let reply = try await client.execute(server.request("/cookie"))
    #expect(reply.response.headerFields[.setCookie] != nil)
    #expect(try await client.echo(server.request("/")).value(of: "cookie") == nil)
  }

  @Test("Errors contain nothing of the request but its host")
  func messages() async throws {
    let client = server.client()
    let ports = server.ports
    var requests = ["/short", "/gzip-corrupt", "/two-lengths", "/nothing"].map {
      server.request($0 + "?code=s3cret")
    }
    requests += [ports.stranger, ports.wrongName, ports.tls11, ports.closed].map {
      server.request("/path?code=s3cret", port: $0)
    }
    requests.append(server.request("/p ath?code=s3cret"))
    requests.append(server.request("/path?code=s3cret", method: .head))
    for var request in requests {
      request.headerFields[.authorization] = "Bearer s3cret"
      let error = try #require(await client.failure(request, body: Data("s3cret".utf8)))
      #expect(error.host == "localhost")
      for secret in ["s3cret", "path", "code", "Bearer", "/"] {
        #expect(!error.message.contains(secret))
      }
    }
  }
}
