import AuthCore
import Testing

@Suite("The redirect URI of an app")
struct RedirectURITests {
  @Test(
    "Any other redirect URI is a configuration error",
    arguments: [
      "", "auth", "://auth", "msauth.app", "msauth.app:", "msauth.app:auth", "msauth.app://",
      "msauth://auth", "myapp://auth", "https://example.com/", "http://example.com/",
      "http://localhost.evil.example/", "http://localhost@evil.example/", "http://localhost:x",
      "http://localhost:", "http://localhost:123456", "http://localhost:0",
      "http://localhost:65536",
      "http://localhost:080", "http://[::1]/", "http:/localhost",
      "urn:ietf:wg:oauth:2.0:oob", "javascript:alert(1)", "file:///tmp/x",
      "msauth.app://auth?x=y", "msauth.app://auth#x", "msauth.app://au th",
      "msauth.app://auth\r\n", "msauth.app://a\\b", "msauth.аpp://auth", "1msauth.app://auth",
      "ms_auth.app://auth", "msauth.app://\u{0}",
    ])
  func refused(uri: String) {
    let error = #expect(throws: AuthenticationError.self) { try RedirectURI(uri) }
    #expect(error?.code == .invalidConfiguration)
  }

  @Test("Only the scheme is case-insensitive")
  func comparison() throws {
    let redirect = try RedirectURI("MsAuth.App://Auth")
    #expect(redirect.schemeName == "msauth.app")
    #expect(redirect.matches("msauth.app://Auth?code=x"))
    #expect(!redirect.matches("msauth.app://auth?code=x"))
  }

  @Test(
    "A client ID is printable and fits into a URL",
    arguments: ["", " ", "a b", "a\nb", "a&b", "a\"b", "a#b", "a/b", "é"])
  func clientID(text: String) throws {
    let redirect = try RedirectURI("msauth.app.x://auth")
    let error = #expect(throws: AuthenticationError.self) {
      try PublicClientApplicationConfiguration(clientID: text, redirectURI: redirect)
    }
    #expect(error?.code == .invalidConfiguration)
  }

  @Test(
    "A client ID of another service is any visible ASCII (RFC 6749, appendix A.1)",
    arguments: [Service.oidc, .adfs])
  func foreignClientID(service: Service) throws {
    let redirect = try RedirectURI("msauth.app.x://auth")
    let authority = try Authority(service.url, kind: service.kind)
    func clientID(_ text: String) throws -> String {
      try PublicClientApplicationConfiguration(
        clientID: text, redirectURI: redirect, authority: authority
      ).clientID
    }
    let all = String(decoding: UInt8(0x21)...0x7e, as: UTF8.self)
    for text in ["https://app.example/client?a=b&c#d", "Contoso\\App", all] {
      #expect(try clientID(text) == text)
    }
    for text in ["", " ", "a b", "a\nb", "a\u{7f}", "é"] {
      #expect(throws: AuthenticationError.self) { try clientID(text) }
    }
  }
}
