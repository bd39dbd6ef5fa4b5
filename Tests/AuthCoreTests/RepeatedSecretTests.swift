import AuthCore
import CurlHTTP
import FoundationEssentials
import TestSupport
import Testing

/// RFC 6749, section 5.2, allows a server to send any text in its errors.
@Suite("Servers that echo secrets")
struct RepeatedSecretTests {
  let authority = ScriptedAuthority()
  let clock = ManualClock()

  /// How a server can echo a secret in its message.
  enum Echo: String, CaseIterable {
    case plain, beginning, end, encoded, encodedTwice

    func words(_ secret: String) -> String {
      let half = secret.count / 2
      // Unnecessary escapes are valid escapes too.
      let escaped = secret.utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      return switch self {
      case .plain: "'\(secret)' is not known here."
      case .beginning: "'\(secret.prefix(half))…' is not known here."
      case .end: "…\(secret.suffix(half)) is not known here."
      case .encoded: "code=\(escaped)&state=1"
      case .encodedTwice: "next=\(escaped.replacing("%", with: "%25"))"
      }
    }
  }

  static let long = "0.AXwAgkkNcDZgq06Z+Q/gyC=M.AgABBAIAAADnfolhJpSnRYB1SVj-Hgd8"

  /// Everything in `error` that can be shown or stored.
  func shown(_ error: AuthenticationError) -> String {
    var dumped = ""
    dump(error, to: &dumped)
    return "\(error) \(error.details) \(String(reflecting: error)) \(dumped)"
  }

  func check(_ error: AuthenticationError?, hides secret: String) throws {
    let text = shown(try #require(error))
    for part in [secret.prefix(secret.count / 2), secret.suffix(secret.count / 2)] {
      #expect(!text.contains(part))
      let escaped = part.utf8.map { "%" + String($0, radix: 16) }.joined()
      #expect(!text.contains(escaped) && !text.contains(escaped.replacing("%", with: "%25")))
    }
    #expect(error?.message.isEmpty == false)
  }

  /// Rejects the next form, and echoes the value of its field `name` in all messages.
  func refuse(repeating name: String, _ echo: Echo) {
    authority.next(.token) { call in
      let words = JSON.string(echo.words(call.form[name] ?? ""))
      return .json(
        [
          "error": .string("invalid_request"), "suberror": words, "error_description": words,
          "correlation_id": words,
          "claims": .string(
            JSON.object([
              JSON.Member(
                "access_token",
                .object([
                  JSON.Member("x", .object([JSON.Member("value", words)]))
                ]))
            ]).compactText),
        ], status: 400)
    }
  }

  @Test(
    "A code and its verifier are not in the error",
    arguments: Echo.allCases, ["code", "code_verifier"])
  func code(echo: Echo, field: String) async throws {
    refuse(repeating: field, echo)
    let pages = authority.pages {
      "code=\(FormEncoding.percentEncoded(Self.long))&state=\($0["state"] ?? "")"
    }
    let error = await #expect(throws: AuthenticationError.self) {
      try await TestApplication.make(authority).acquireToken(
        InteractiveTokenParameters(scopes: ["User.Read"], session: pages))
    }
    #expect(error?.oauthError == "invalid_request", "a word of the standard is no echo")
    try check(error, hides: try #require(authority.lastForm[field]))
  }

  @Test("A refresh token is not in the error", arguments: Echo.allCases)
  func refreshToken(echo: Echo) async throws {
    authority.edit(.tokens) { $0["refresh_token"] = .string(Self.long) }
    let app = try TestApplication.make(authority, clock: clock)
    let account = try await app.acquireToken(
      InteractiveTokenParameters(scopes: ["User.Read"], session: authority.pages)
    ).account
    clock.advance(by: 3600)
    refuse(repeating: "refresh_token", echo)
    let error = await #expect(throws: AuthenticationError.self) {
      try await app.acquireTokenSilent(.init(scopes: ["User.Read"], account: account))
    }
    try check(error, hides: Self.long)
  }

  @Test("A device code is not in the error", arguments: Echo.allCases)
  func deviceCode(echo: Echo) async throws {
    authority.edit(.deviceCode) { $0["device_code"] = .string(Self.long) }
    refuse(repeating: "device_code", echo)
    let error = await #expect(throws: AuthenticationError.self) {
      try await TestApplication.make(authority).acquireToken(
        DeviceCodeTokenParameters(scopes: ["User.Read"]) { _ in })
    }
    try check(error, hides: Self.long)
  }

  @Test("State and nonce are not in the error", arguments: ["state", "nonce"])
  func redirect(name: String) async throws {
    let pages = authority.pages {
      "error=server_error&error_description=\($0[name] ?? "")&state=\($0["state"] ?? "")"
    }
    let error = await #expect(throws: AuthenticationError.self) {
      try await TestApplication.make(authority).acquireToken(
        InteractiveTokenParameters(scopes: ["User.Read"], session: pages))
    }
    #expect(error?.oauthError == "server_error")
    try check(error, hides: try #require(authority.authorization[name]))
  }

  @Test("The rest of the server's message is in the error")
  func others() async throws {
    authority.next(
      .token, status: 400,
      """
      {"error": "invalid_scope", "error_description": "User.Read for \(TestApplication.clientID) at \
      \(TestApplication.redirectURI) is not offered."}
      """)
    let error = await #expect(throws: AuthenticationError.self) {
      try await TestApplication.make(authority).acquireToken(
        InteractiveTokenParameters(scopes: ["User.Read"], session: authority.pages))
    }
    #expect(error?.serverDescription?.hasSuffix("is not offered.") == true)
    #expect(error?.message.contains(TestApplication.clientID) == true)
  }
}
