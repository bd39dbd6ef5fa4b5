import AuthCore
import FoundationEssentials
import TestSupport
import Testing

/// Accounts of other services than Microsoft Entra ID, as stored by the other MSALs.
@Suite("Accounts of other services in other programs' caches")
struct OtherServicesCacheTests {
  let authority = ScriptedAuthority()
  let clock = ManualClock()
  let directory: TemporaryDirectory
  var path: String { directory.path + "/cache.json" }

  init() throws {
    directory = try TemporaryDirectory()
  }

  func application(_ url: String, _ kind: Authority.Kind) throws -> PublicClientApplication {
    PublicClientApplication(
      configuration: try TestApplication.configuration(authority: url, known: [url], kind: kind),
      store: FileTokenCacheStore(path: path),
      runtime: Runtime(now: { [clock] in clock.now }, sleep: { _ in }, transport: authority))
  }

  /// From MSAL Python (`msal-python-cache-example.json`), and from MSAL.NET, which writes the
  /// tenant's ID.
  @Test(
    "A B2C account is used with the policy that signed it in",
    arguments: ["fabrikamb2c.onmicrosoft.com", "775527ff-9a37-4307-8b3d-cc311f58d925"])
  func b2c(realm: String) async throws {
    let owner = #"""
      "home_account_id":"OID3-b2c_1_susi.775527ff-9a37-4307-8b3d-cc311f58d925",\#
      "environment":"fabrikamb2c.b2clogin.com"
      """#.replacing("OID3", with: Person.adele.objectID)
    let client = #""client_id":"\#(TestApplication.clientID)""#
    try directory.write(
      "cache.json",
      #"""
      {"AccessToken":{"a":{"credential_type":"AccessToken","secret":"AT",\#(owner),\#(client),\#
      "target":"https://fabrikamb2c.onmicrosoft.com/demo.read","realm":"\#(realm)","token_type":"Bearer",\#
      "cached_at":"1799999000","expires_on":"1800001800","extended_expires_on":"1800001800"}},
      "RefreshToken":{"r":{"credential_type":"RefreshToken","secret":"RT",\#(owner),\#(client)}},
      "Account":{"c":{\#(owner),"realm":"\#(realm)","local_account_id":"\#(Person.adele.objectID)",\#
      "username":"","authority_type":"MSSTS"}}}
      """#)
    let host = "https://fabrikamb2c.b2clogin.com/fabrikamb2c.onmicrosoft.com"
    let app = try application("\(host)/B2C_1_susi", .b2c)
    let account = try #require(await app.currentAccount().current)
    let scopes = ["https://fabrikamb2c.onmicrosoft.com/demo.read"]
    let result = try await app.acquireTokenSilent(.init(scopes: scopes, account: account))
    #expect(result.accessToken.exposed == "AT" && result.source == .cache)

    let other = try application("\(host)/B2C_1_edit", .b2c)
    let error = await #expect(throws: AuthenticationError.self) {
      try await other.acquireTokenSilent(.init(scopes: scopes, account: account))
    }
    #expect(error?.code == .interactionRequired, "another policy's account is another")
  }

  /// MSAL.NET's AD FS accounts have no `realm`.
  static let adfs = #"""
    {"AccessToken":{"a":{"credential_type":"AccessToken","secret":"AT","home_account_id":"subject",\#
    "environment":"fs.contoso.example","client_id":"CLIENT","target":"api.read",\#
    "cached_at":"1799999000","expires_on":"1800001800","extended_expires_on":"1800001800"}},
    "RefreshToken":{"r":{"credential_type":"RefreshToken","secret":"RT","home_account_id":"subject",\#
    "environment":"fs.contoso.example","client_id":"CLIENT"}},
    "IdToken":{"i":{"credential_type":"IdToken","secret":"JWT","home_account_id":"subject",\#
    "environment":"fs.contoso.example","client_id":"CLIENT"}},
    "Account":{"subject-fs.contoso.example-":{"home_account_id":"subject","username":"adele@fs",\#
    "environment":"fs.contoso.example","name":"Adele","authority_type":"ADFS","realm":null}}}
    """#.replacing("CLIENT", with: TestApplication.clientID)
    .replacing(
      "JWT", with: ScriptedAuthority.jwt(["alg": .string("RS256")], ["sub": .string("subject")]))

  @Test("An AD FS account of MSAL.NET has its name and tokens, also after an import")
  func adfsOfDotNET() async throws {
    try directory.write("cache.json", Self.adfs)
    let shared = try application("https://fs.contoso.example/adfs", .adfs)
    let store = MemoryTokenCacheStore()
    _ = try await UnifiedCache(Secret(Data(Self.adfs.utf8))).merge(into: store)
    let own = PublicClientApplication(
      configuration: shared.configuration, store: store,
      runtime: Runtime(now: { [clock] in clock.now }, sleep: { _ in }, transport: authority))
    for app in [shared, own] {
      let account = try #require(await app.currentAccount().current)
      #expect(account.username == "adele@fs")
      #expect(account.name == "Adele")
      let result = try await app.acquireTokenSilent(.init(scopes: ["api.read"], account: account))
      #expect(result.accessToken.exposed == "AT")
      #expect(result.idToken != nil)
    }
    #expect(authority.calls.isEmpty)
  }
}
