import AuthCore
import CurlHTTP
import FoundationEssentials
import HTTPTypes
import TestSupport
import Testing

@Suite("The ID token (OpenID Connect Core 1.0, section 3.1.3.7)")
struct IDTokenTests {
  let authority = ScriptedAuthority()
  let store = ScriptedStore()

  func signIn(
    at url: String = "https://login.microsoftonline.com/common"
  ) async throws -> AuthenticationResult {
    try await TestApplication.make(authority, store: store, authority: url).acquireToken(
      InteractiveTokenParameters(scopes: ["User.Read"], session: authority.pages))
  }

  func refuses(at url: String = "https://login.microsoftonline.com/common") async throws {
    let error = try #require(
      await #expect(throws: AuthenticationError.self) { try await signIn(at: url) })
    #expect(error.code == .invalidIDToken)
    #expect(store.records.isEmpty, "neither the ID token nor the access token is stored")
    let shown = "\(error) \(error.details)"
    for secret in authority.secrets { #expect(!shown.contains(secret)) }
  }

  @Test(
    "An ID token has three parts, each strict base64url",
    arguments: [
      "", "a.b", "a.b.c.d", "@.@", "..", "@.@.", ".@.@", "@.@.c2ln=", "@.@.c2 n", "@.@.c2+n",
      "@.@.c2/n", "@.@.c2ln\n", "@.@.c2l", "@=.@.c2ln", "@.@=.c2ln",
    ])
  func shape(text: String) async throws {
    let part = Base64URL.encode("{\"alg\":\"RS256\"}".utf8)
    let token = text.replacing("@", with: part)
    authority.edit(.tokens) { $0["id_token"] = .string(token) }
    try await refuses()
  }

  @Test("A token of more than 64 KiB is rejected")
  func tooLong() async throws {
    authority.edit(.claims) { $0["groups"] = .string(String(repeating: "g", count: 65_536)) }
    try await refuses()
  }

  @Test(
    "Only asymmetric signatures are accepted",
    arguments: ["none", "None", "HS256", "HS512", "", "rs256", nil])
  func algorithm(name: String?) async throws {
    authority.edit(.header) { $0["alg"] = name.map(JSON.string) }
    try await refuses()
  }

  @Test("A header with critical extensions is rejected (RFC 7515, section 4.1.11)")
  func critical() async throws {
    authority.edit(.header) { $0["crit"] = .array([.string("b64")]) }
    try await refuses()
  }

  @Test(
    "A member that is null counts as missing",
    arguments: [(.header, "kid"), (.header, "crit"), (.claims, "azp"), (.claims, "at_hash")]
      as [(ScriptedAuthority.Document, String)])
  func nullMember(document: ScriptedAuthority.Document, name: String) async throws {
    authority.edit(document) { $0[name] = .null }
    _ = try await signIn()
    #expect(store.records.count == 1)
  }

  @Test("Keys named in the token are not fetched", arguments: ["jku", "x5u"])
  func foreignKeys(name: String) async throws {
    authority.edit(.header) { $0[name] = .string("https://evil.example/keys") }
    _ = try await signIn()
    #expect(authority.calls.allSatisfy { $0.request.authority == authority.host })
  }

  @Test(
    "The issuer is the authority's, with the token's own tenant",
    arguments: [
      "https://login.microsoftonline.com/\(Person.fabrikam)/v2.0",
      "https://login.microsoftonline.com/{tenantid}/v2.0",
      "https://login.microsoftonline.com/\(Person.contoso)/v2.0/",
      "https://sts.windows.net/\(Person.contoso)/", "https://evil.example/\(Person.contoso)/v2.0",
      "",
    ])
  func issuer(issuer: String) async throws {
    authority.edit(.claims) { $0["iss"] = .string(issuer) }
    try await refuses()
  }

  @Test("The tenant is a GUID", arguments: [nil, "", "contoso.example", "../common"])
  func tenantShape(tenant: String?) async throws {
    let host = authority.host
    authority.edit(.claims) {
      $0["tid"] = tenant.map(JSON.string)
      $0["iss"] = .string("https://\(host)/\(tenant ?? "")/v2.0")
    }
    try await refuses()
  }

  @Test("A single-tenant authority accepts only tokens of its tenant")
  func otherTenant() async throws {
    authority.willSignIn(.adele.asGuest(in: Person.fabrikam, objectID: "guest"))
    authority.edit(.configuration) {
      $0["issuer"] = .string("https://login.microsoftonline.com/\(Person.contoso)/v2.0")
    }
    try await refuses(at: "https://login.microsoftonline.com/\(Person.contoso)")
  }

  @Test("'organizations' rejects personal accounts, and 'consumers' all others")
  func audience() async throws {
    authority.willSignIn(.megan)
    try await refuses(at: "https://login.microsoftonline.com/organizations")
    authority.willSignIn(.adele)
    try await refuses(at: "https://login.microsoftonline.com/consumers")
    authority.willSignIn(.megan)
    let account = try await signIn(at: "https://login.microsoftonline.com/consumers").account
    #expect(account.isPersonal)
  }

  @Test(
    "The audience must be this app",
    arguments: [
      nil, .string("other"), .number("1"), .array([]), .array([.string("other")]),
      .array([.string("other"), .string(TestApplication.clientID)]),
    ] as [JSON?])
  func wrongAudience(value: JSON?) async throws {
    authority.edit(.claims) { $0["aud"] = value }
    try await refuses()
  }

  @Test(
    "A token issued to another app is rejected, even if this app is its audience",
    arguments: [.string("other"), .string(""), .number("1"), .array([])] as [JSON])
  func otherParty(value: JSON) async throws {
    authority.edit(.claims) { $0["azp"] = value }
    try await refuses()
    authority.edit(.claims) {
      $0["aud"] = .array([.string(TestApplication.clientID)])
      $0["azp"] = value
    }
    try await refuses()
    authority.edit(.claims) { $0["azp"] = .string(TestApplication.clientID) }
    _ = try await signIn()
  }

  @Test(
    "A clock difference is reported, and does not fail the sign-in",
    arguments: [
      ("exp", -301, true), ("exp", -299, false), ("iat", 301, true), ("iat", 299, false),
      ("nbf", 301, true), ("nbf", 299, false), ("nbf", -9_000_000, false),
    ] as [(String, Int, Bool)])
  func clock(claim: String, seconds: Int, isWrong: Bool) async throws {
    authority.edit(.claims) { $0[claim] = .number("\(1_800_000_000 + seconds)") }
    let result = try await signIn()
    #expect(result.isClockWrong == isWrong)
    // The ID token says when it was issued, and when it expires.
    #expect(result.clockDifference == (isWrong ? .seconds(-seconds) : nil))
    #expect(store.records.count == 1)
  }

  @Test("Several audiences require this app as the authorized party")
  func severalAudiences() async throws {
    for party in [nil, JSON.null] {
      authority.edit(.claims) {
        $0["aud"] = .array([.string("other"), .string(TestApplication.clientID)])
        $0["azp"] = party
      }
      try await refuses()
    }
    authority.edit(.claims) {
      $0["aud"] = .array([.string("other"), .string(TestApplication.clientID)])
      $0["azp"] = .string(TestApplication.clientID)
    }
    _ = try await signIn()
  }

  @Test(
    "The nonce must be this request's",
    arguments: [nil, "", "nonce-of-an-earlier-request"])
  func nonce(value: String?) async throws {
    authority.edit(.claims) { $0["nonce"] = value.map(JSON.string) }
    try await refuses()
  }

  @Test(
    "Numbers that are not valid times do not trap",
    arguments: ["1.5", "9223372036854775808", "-1", "1e400"])
  func oddTimes(text: String) async throws {
    let value = try JSON(parsing: text.utf8)
    authority.edit(.claims) {
      $0["exp"] = value
      $0["nbf"] = value
      $0["iat"] = value
    }
    _ = try await signIn()
  }

  @Test(
    "Times without end give a clock difference that can be used",
    arguments: [
      ("-9223372036854775808", "1"), ("9223372036854775807", "9223372036854775807"),
      ("-1e400", "-1e400"), ("1e400", "1e400"), ("\"-1e300\"", "\"-1e300\""),
    ])
  func endlessTimes(start: String, end: String) async throws {
    let (start, end) = (try JSON(parsing: start.utf8), try JSON(parsing: end.utf8))
    authority.edit(.claims) {
      $0["iat"] = start
      $0["exp"] = end
    }
    let difference = try #require(try await signIn().clockDifference)
    // Both are between the years 1 and 9999.
    #expect(difference.components.seconds.magnitude < 10_000 * 366 * 86_400)
    #expect(difference != .zero)
  }

  @Test(
    "A time may have a fraction, and may be text",
    arguments: ["1799990000.5", "\"1799990000\""])
  func fractions(text: String) async throws {
    let value = try JSON(parsing: text.utf8)
    authority.edit(.claims) { $0["exp"] = value }
    // RFC 7519, section 2: NumericDate.
    #expect(try await signIn().isClockWrong)
  }

  @Test("Without a subject there is no account", arguments: [nil, ""])
  func noSubject(value: String?) async throws {
    authority.edit(.claims) { $0["sub"] = value.map(JSON.string) }
    try await refuses()
  }

  @Test("A guest is identified by the home account")
  func guest() async throws {
    authority.willSignIn(.adele.asGuest(in: Person.fabrikam, objectID: "guest-id"))
    let result = try await signIn(at: "https://login.microsoftonline.com/\(Person.fabrikam)")
    #expect(result.account.id == Person.adele.identifier)
    #expect(result.tenantID == Person.fabrikam)
    #expect(result.account.tenantProfiles.map(\.localAccountID) == ["guest-id"])
  }

  @Test("A name is passed on unchanged")
  func oddName() async throws {
    let name = "\u{202E}<b>Adele</b> & \"Vance\"" + String(repeating: "e", count: 10_240)
    authority.edit(.claims) { $0["name"] = .string(name) }
    #expect(try await signIn().account.name == name)
  }

  @Test("An access token need not be a JWT")
  func opaqueAccessToken() async throws {
    authority.willSignIn(.megan)
    authority.edit(.tokens) { $0["access_token"] = .string("EwB4A8l6BAAU+opaque/==") }
    #expect(try await signIn().accessToken.exposed == "EwB4A8l6BAAU+opaque/==")
  }
}
