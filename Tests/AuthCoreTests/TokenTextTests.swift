import AuthCore
import FoundationEssentials
import TestSupport
import Testing

/// RFC 6749, appendix A.
@Suite("The characters of tokens")
struct TokenTextTests {
  let authority = ScriptedAuthority()
  let store = ScriptedStore()

  func signIn() async throws -> AuthenticationResult {
    try await TestApplication.make(authority, store: store).acquireToken(
      InteractiveTokenParameters(scopes: ["User.Read"], session: authority.pages))
  }

  func refuses() async throws {
    let error = try #require(
      await #expect(throws: AuthenticationError.self) { try await signIn() })
    #expect(error.code == .invalidResponse)
    #expect(store.records.isEmpty)
    #expect(!"\(error.message)\(error.details)".contains("canary"))
  }

  @Test(
    "An access token that cannot be sent unchanged is rejected",
    arguments: [
      "canary\r\nX-Evil: 1", "canary\n", "\ncanary", "canary\u{0}", "canary\u{1b}[2J", "canary x",
      " canary", "canary\u{7f}", "canary\u{9b}", "canäry", "canary\u{2028}", "canary\u{202e}",
    ])
  func accessToken(text: String) async throws {
    authority.edit(.tokens) { $0["access_token"] = .string(text) }
    try await refuses()
  }

  @Test(
    "Every visible ASCII character is accepted, as in the tokens of Salesforce",
    arguments: [
      "aZ09-._~+/==", "a", "A=", "00D5g00000ABCDE!AQ0AQ.zY_x1w", "can=ary", "canary%0d",
      String(decoding: UInt8(0x21)...0x7e, as: UTF8.self),
    ])
  func goodAccessToken(text: String) async throws {
    authority.edit(.tokens) { $0["access_token"] = .string(text) }
    #expect(try await signIn().authorizationHeader.exposed == "Bearer \(text)")
  }

  @Test(
    "A refresh token is visible ASCII",
    arguments: ["canary\r\n", "canary\u{0}", "canary\u{1b}", "canary\u{7f}", "canäry", "canary\t"])
  func refreshToken(text: String) async throws {
    authority.edit(.tokens) { $0["refresh_token"] = .string(text) }
    try await refuses()
  }

  @Test("Microsoft's additional characters are accepted")
  func goodRefreshToken() async throws {
    let text = "M.C531_BAY.0.U.-Cn!a*b$c \"~"
    authority.edit(.tokens) { $0["refresh_token"] = .string(text) }
    let app = try TestApplication.make(authority, store: store)
    let account = try await app.acquireToken(
      InteractiveTokenParameters(scopes: ["User.Read"], session: authority.pages)
    ).account
    _ = try await app.silently(account, force: true)
    #expect(authority.lastForm["refresh_token"] == text)
  }

  @Test("A device code is visible ASCII", arguments: ["canary\r\n", "canary\u{0}", "canäry"])
  func deviceCode(text: String) async throws {
    authority.edit(.deviceCode) { $0["device_code"] = .string(text) }
    let error = await #expect(throws: AuthenticationError.self) {
      try await TestApplication.make(authority).acquireToken(
        DeviceCodeTokenParameters(scopes: ["User.Read"]) { _ in })
    }
    #expect(error?.code == .invalidResponse)
    #expect(authority.count(.token) == 0)
  }
}
