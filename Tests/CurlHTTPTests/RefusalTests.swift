import CurlHTTP
import Foundation
import HTTPTypes
import Testing

@Suite("Requests that are rejected before anything is sent")
struct RefusalTests {
  let server: MisbehavingServer

  init() throws { server = try MisbehavingServer.shared.get() }

  @Test("A URL without TLS")
  func plainHTTP() async throws {
    for scheme in ["http", "HTTP", "ftp", "file", ""] {
      let request = HTTPRequest(
        method: .get, scheme: scheme, authority: "localhost:\(server.ports.plain)", path: "/")
      #expect(await server.client().failure(request)?.code == .invalidRequest)
    }
    #expect(try await server.stats().plain == 0)
  }

  @Test(
    "An authority that is not just host and port",
    arguments: [
      "", "user@localhost", "localhost/x", "localhost:x", "localhost:70000", "local host",
      "local\nhost", "localhost#", "localhost?x", "[::1", "[localhost]", "bücher.example", ":443",
      "a:b:1", "localhost:443:443", "localhost:+443", "localhost:-0", "localhost:",
    ])
  func authority(authority: String) async {
    let request = HTTPRequest(method: .get, scheme: "https", authority: authority, path: "/")
    #expect(await server.client().failure(request)?.code == .invalidRequest)
  }

  @Test(
    "A path with characters that are invalid in a URL",
    arguments: ["", "x", "/a b", "/a\r\nX: y", "/a\u{0}b", "/ä", "/a#b", "@elsewhere.example/"])
  func path(path: String) async {
    let error = await server.client().failure(server.request(path))
    #expect(error?.code == .invalidRequest)
    #expect(error?.host == "localhost")
  }

  @Test("Control characters in a field, and fields that libcurl writes")
  func fields() async throws {
    let name = try #require(HTTPField.Name("X-Name"))
    let refused = [
      HTTPField(name: name, lenientValue: "a\u{1}b".utf8),
      HTTPField(name: name, lenientValue: "a\u{7F}b".utf8),
      HTTPField(name: try #require(.init("Host")), value: "elsewhere.example"),
      HTTPField(name: .contentLength, value: "1"),
      HTTPField(name: .transferEncoding, value: "chunked"),
      HTTPField(name: .connection, value: "close"),
    ]
    for field in refused {
      let request = server.request("/never-sent", fields: HTTPFields([field]))
      #expect(await server.client().failure(request)?.code == .invalidRequest, "\(field)")
    }
    #expect(try await server.stats().requests["/never-sent"] == nil)
  }

  @Test("A field's value cannot become a second field")
  func splitting() async throws {
    let echo = try await server.client().echo(
      server.request("/", fields: [.accept: "a\r\nX-Injected: 1\u{0}"]))
    #expect(echo.value(of: "x-injected") == nil)
    #expect(echo.value(of: "accept")?.hasPrefix("a") == true)
  }

  @Test("An unsupported method")
  func method() async {
    for method in [HTTPRequest.Method.connect, .trace, .head] {
      let request = server.request("/", method: method)
      #expect(await server.client().failure(request)?.code == .invalidRequest)
    }
  }
}
