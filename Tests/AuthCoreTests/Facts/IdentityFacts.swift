import AuthCore
import CurlHTTP
import TestSupport
import Sentences
import Testing

extension TokenResponseTests {
  func expectAccount(
    _ clientInfo: String, _ id: String, at location: SourceLocation = #_sourceLocation
  ) async throws {
    authority.edit(.tokens) { $0["client_info"] = .string(clientInfo) }
    let account = try await signIn().account
    #expect(account.id == id, sourceLocation: location)
    #expect(HomeAccountID(id) == account.homeAccountID, sourceLocation: location)
  }

  @Test("Client_info contains uid.utid")
  func clientInfoOfAccount() async throws {
    try await expectAccount(
      "eyJ1aWQiOiIxIiwidXRpZCI6IjEyMzQtNTY3OC05MGFiY2RlZmcifQ", "1.1234-5678-90abcdefg")
  }

  @Test(
    "Without a valid client_info there is no account",
    arguments: [
      "badclientinfo", "", "e30", "eyJ1aWQiOiIxIn0", "eyJ1aWQiOiIiLCJ1dGlkIjoiMSJ9",
      "eyJ1aWQiOiIxIiwidXRpZCI6IjIifQ==",
    ])
  func invalidClientInfo(text: String) async throws {
    authority.edit(.tokens) { $0["client_info"] = .string(text) }
    #expect(try await refusal().code == .invalidResponse)
  }

  @Test("The uid and utid of a real client_info")
  func realClientInfo() async throws {
    try await expectAccount(
      "eyJ1aWQiOiI5ZjQ4ODBkOC04MGJhLTRjNDAtOTdiYy1mN2EyM2M3MDMwODQiLCJ1dGlkIjoiZjY0NWFkOTItZTM4ZC00"
        + "ZDFhLWI1MTAtZDFiMDlhNzRhOGNhIn0",
      "9f4880d8-80ba-4c40-97bc-f7a23c703084.f645ad92-e38d-4d1a-b510-d1b09a74a8ca")
  }

  @Test("A response without client_info is an error that says so")
  func withoutClientInfo() async throws {
    authority.edit(.tokens) { $0["client_info"] = nil }
    let error = try await refusal()
    #expect(error.code == .invalidResponse)
    #expect(error.message.contains("it has no “client_info”"))
  }

  @Test("A response without an access token is rejected")
  func withoutAccessToken() async throws {
    authority.edit(.tokens) { $0["access_token"] = nil }
    #expect(try await refusal().code == .invalidResponse)
  }

  /// Intune app protection, for which MSAL has an error code and a user name, does not exist on
  /// Linux.
  @Test("A required Intune policy is an error that says so")
  func intunePolicy() async throws {
    authority.next(
      .token, status: 400,
      "{\"error\":\"unauthorized_client\",\"suberror\":\"protection_policy_required\","
        + "\"adi\":\"cooldude@somewhere.com\"}")
    let error = try await refusal()
    #expect(error.code == .serverError)
    #expect(error.oauthError == "unauthorized_client")
    #expect(error.suberror == "protection_policy_required")
    #expect(error.message.contains("managed by Intune"))
    #expect(error.message == error.guidance?.sentence.description)
    #expect(!"\(error) \(error.details)".contains("cooldude"))
  }
}

extension AuthorizationRequestTests {
  @Test(
    "Verifiers have 43 to 128 unreserved characters (RFC 7636, section 4.1), method S256"
  )
  func verifierLength() async throws {
    let allowed = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
    for _ in 1...50 {
      _ = try await signIn()
      let verifier = try #require(authority.lastForm["code_verifier"])
      #expect((43...128).contains(verifier.count))
      #expect(verifier.allSatisfy(allowed.contains))
      #expect(authority.authorization["code_challenge_method"] == "S256")
    }
  }
}

extension AuthorityFlowTests {
  @Test("A B2C token without a user name has no 'Missing' in the login hint")
  func withoutUsername() async throws {
    let service = Service.all[4]
    let network = try service.authority()
    let app = try service.app(network)
    let account = try await app.acquireToken(Self.interactive(network)).account
    #expect(account.username == "Missing from the token response")
    var parameters = Self.interactive(network)
    parameters.account = account
    _ = try await app.acquireToken(parameters)
    #expect(network.authorization["login_hint"] == nil)
    network.edit(.claims) { $0["emails"] = .array([.string("adele@contoso.example")]) }
    let named = try await app.acquireToken(Self.interactive(network)).account
    #expect(named.username == "adele@contoso.example")
  }
}
