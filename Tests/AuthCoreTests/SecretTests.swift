import AuthCore
import TestSupport
import Testing

@Suite("Secrets and errors")
struct SecretTests {
  @Test("A secret is never revealed by accident")
  func secret() {
    let secret = Secret("canary")
    var dumped = ""
    dump([secret], to: &dumped)
    let wrapped: Any = (secret, [secret], Optional(secret), ["k": secret])
    for text in [
      "\(secret)", String(reflecting: secret), dumped, "\(wrapped)", String(reflecting: wrapped),
      "\(Mirror(reflecting: secret).children.map(\.value))",
    ] { #expect(!text.contains("canary")) }
    #expect(secret.exposed == "canary")
  }

  @Test("A result shows no token")
  func result() async throws {
    let authority = ScriptedAuthority()
    let result = try await TestApplication.make(authority).acquireToken(
      InteractiveTokenParameters(scopes: ["User.Read"], session: authority.pages))
    var dumped = ""
    dump(result, to: &dumped)
    for secret in authority.secrets {
      #expect(!"\(result)\(String(reflecting: result))\(dumped)".contains(secret))
    }
  }

  @Test("The details of an error are what support needs, in this order")
  func details() {
    var error = AuthenticationError(.serverError, "A sentence.", step: .token)
    #expect("\(error)" == "A sentence.")
    #expect(error.details.map { "\($0)" } == ["Step: token"])
    error.oauthError = "invalid_grant"
    error.suberror = "bad_token"
    error.serverErrorCodes = [50173, 700_082]
    error.httpStatus = 400
    error.correlationID = "id"
    error.serverDescription = "Words"
    #expect(
      error.details.map { "\($0)" } == [
        "Step: token", "Error: invalid_grant (bad_token)", "Codes: AADSTS50173, AADSTS700082",
        "HTTP status: 400", "Correlation ID: id", "Server: Words",
      ])
  }
}
