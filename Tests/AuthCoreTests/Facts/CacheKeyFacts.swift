import AuthCore
import CurlHTTP
import FoundationEssentials
import TestSupport
import Testing

/// The facts describe MSAL's keychain, with an account and a service; a file's key has both,
/// separated by a hyphen.
///
/// Entra ID's realm is a tenant's ID.
extension StoreTests {
  /// The record of an account with `clientInfo` and granted `scopes`.
  func record(
    client: String = "client", clientInfo: String = #"{"uid":"uid","utid":"utid"}"#,
    scopes: String = "user.read user.write"
  ) async throws -> JSON {
    let configuration = try PublicClientApplicationConfiguration(
      clientID: client, redirectURI: RedirectURI(TestApplication.redirectURI))
    let app = PublicClientApplication(
      configuration: configuration, store: store,
      runtime: Runtime(now: { [clock] in clock.now }, transport: authority))
    authority.edit(.tokens) {
      $0["client_info"] = .string(Base64URL.encode(clientInfo.utf8))
      $0["scope"] = .string(scopes)
      $0["ext_expires_in"] = .number("262800")
      $0["foci"] = .string("1")
    }
    let asked = scopes.split(separator: " ").map(String.init)
      .filter { !["openid", "profile"].contains($0) }
    _ = try await app.acquireToken(.init(scopes: asked, session: authority.pages))
    return try JSON(parsing: try #require(store.records.first).contents.exposed)
  }

  /// The only entry of a section.
  func entry(_ section: String, _ record: JSON) throws -> JSON.Member {
    let entries = try #require(record[section]?.object)
    #expect(entries.count == 1)
    return try #require(entries.first)
  }

  @Test("The key of an access token")
  func accessTokenKey() async throws {
    let entry = try entry("AccessToken", await record())
    #expect(
      entry.name == "uid.utid-login.microsoftonline.com-accesstoken-client-\(Person.contoso)"
        + "-user.read user.write")
    #expect(entry.value["credential_type"]?.string == "AccessToken")
  }

  @Test("Keys are in lower case, values keep their case")
  func lowerCaseKeys() async throws {
    let record = try await record(
      client: "CLIENT", clientInfo: #"{"uid":"UID","utid":"UTID"}"#,
      scopes: "User.Read User.WRITE")
    let entry = try entry("AccessToken", record)
    #expect(
      entry.name == "uid.utid-login.microsoftonline.com-accesstoken-client-\(Person.contoso)"
        + "-user.read user.write")
    #expect(entry.value["target"]?.string == "User.Read User.WRITE")
    #expect(entry.value["client_id"]?.string == "CLIENT")
    #expect(entry.value["home_account_id"]?.string == "uid.utid", "an ID is in lower case")
  }

  /// The family's refresh token is only for Microsoft's own programs.
  @Test("ID tokens have a realm, refresh tokens have none and belong to the app")
  func realmsOfKeys() async throws {
    let record = try await record()
    let owner = "uid.utid-login.microsoftonline.com"
    let idToken = try entry("IdToken", record)
    #expect(idToken.name == "\(owner)-idtoken-client-\(Person.contoso)-")
    #expect(idToken.value["credential_type"]?.string == "IdToken")
    let refreshToken = try entry("RefreshToken", record)
    #expect(refreshToken.name == "\(owner)-refreshtoken-client--")
    #expect(refreshToken.value["credential_type"]?.string == "RefreshToken")
    #expect(refreshToken.value["secret"]?.string == "refresh-canary-1")
  }

  @Test("The keys of an account and of the app's metadata")
  func accountAndMetadataKeys() async throws {
    let record = try await record()
    let account = try entry("Account", record)
    #expect(account.name == "uid.utid-login.microsoftonline.com-\(Person.contoso)")
    #expect(account.value["username"]?.string == Person.adele.username)
    #expect(account.value["authority_type"]?.string == "MSSTS")
    let metadata = try entry("AppMetadata", record)
    #expect(metadata.name == "appmetadata-login.microsoftonline.com-client")
    #expect(metadata.value["client_id"]?.string == "client")
    #expect(metadata.value["environment"]?.string == "login.microsoftonline.com")
  }

  /// MSAL for Apple keeps the server's order; MSAL Python looks scopes up in code-point order.
  @Test("A complete access token of Entra ID, with sorted scopes")
  func completeAccessToken() async throws {
    let record = try await record(
      client: "b6c69a37-df96-4db0-9088-2ab96e1d8215",
      clientInfo: #"{"uid":"9f4880d8-80ba-4c40-97bc-f7a23c703084","#
        + #""utid":"f645ad92-e38d-4d1a-b510-d1b09a74a8ca"}"#,
      scopes: "Calendars.Read openid profile Tasks.Read User.Read email")
    let entry = try entry("AccessToken", record)
    #expect(
      entry.name
        == "9f4880d8-80ba-4c40-97bc-f7a23c703084.f645ad92-e38d-4d1a-b510-d1b09a74a8ca"
        + "-login.microsoftonline.com-accesstoken-b6c69a37-df96-4db0-9088-2ab96e1d8215"
        + "-f645ad92-e38d-4d1a-b510-d1b09a74a8ca"
        + "-calendars.read tasks.read user.read email openid profile")
    #expect(
      entry.value["target"]?.string
        == "Calendars.Read Tasks.Read User.Read email openid profile")
    #expect(entry.value["realm"]?.string == "f645ad92-e38d-4d1a-b510-d1b09a74a8ca")
    #expect(entry.value["environment"]?.string == "login.microsoftonline.com")
    #expect(entry.value["cached_at"]?.string == "1800000000")
    #expect(entry.value["expires_on"]?.string == "1800003600")
    #expect(entry.value["extended_expires_on"]?.string == "1800262800")
  }

  @Test("A personal account has the tenant of personal accounts")
  func personalTenant() async throws {
    let account = try await signIn(newRun(), .megan)
    let id = "00000000-0000-0000-40c0-3bac188d01d1.9188040d-6c67-4c5b-b112-36a304b66dad"
    #expect(account.id == id)
    #expect(account.isPersonal)
    let record = try JSON(parsing: try #require(store.records.first).contents.exposed)
    let entry = try entry("AccessToken", record)
    #expect(entry.name.hasPrefix("\(id)-login.microsoftonline.com-accesstoken-"))
    #expect(entry.value["realm"]?.string == "9188040d-6c67-4c5b-b112-36a304b66dad")
  }
}

extension AuthorityFlowTests {
  /// `expires_on` depends on the server's clock, `expires_in` (RFC 6749, section 5.1) does not.
  @Test("A B2C account's ID has the policy; a lifetime starts at the response")
  func policyInAccountID() async throws {
    let service = Service(
      url: "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_SignIn", kind: .b2c)
    let network = try service.authority()
    network.edit(.tokens) {
      $0["client_info"] = .string(
        Base64URL.encode(
          (#"{"uid":"ad020f8e-b1ba-44b2-bd69-c22be86737f5-b2c_1_signin","#
            + #""utid":"ba6c0d94-a8da-45b2-83ae-33871f9c2dd8"}"#).utf8))
      $0["expires_on"] = .string("1538804860")
    }
    let clock = ManualClock()
    let app = try service.app(network, clock: clock)
    let result = try await app.acquireToken(Self.interactive(network))
    #expect(
      result.account.id == "ad020f8e-b1ba-44b2-bd69-c22be86737f5-b2c_1_signin"
        + ".ba6c0d94-a8da-45b2-83ae-33871f9c2dd8")
    #expect(result.expiresOn == clock.now + 3600)
  }
}
