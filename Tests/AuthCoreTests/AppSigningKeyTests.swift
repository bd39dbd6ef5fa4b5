import AuthCore
import CurlHTTP
import FoundationEssentials
import TestSupport
import Testing

private let everyones = "https://login.microsoftonline.com/discovery/v2.0/keys"

private func ofApp(in tenant: String) -> String {
  "https://login.microsoftonline.com/\(tenant)/discovery/v2.0/keys"
    + "?appid=\(TestApplication.clientID)"
}

/// Microsoft identity platform, access tokens, "Validate the signature": the keys of an app with a
/// signing key of its own are at its tenant's `…/discovery/v2.0/keys?appid=<client ID>`.
extension SignatureTests {
  /// Signs with the app's key, which only the documents at `places` have.
  private func sign(servingAt places: String..., issuer: String? = nil) {
    authority.willSign(with: .second, serving: [.first])
    authority.next(.keys, times: 50) { call in
      var key = places.contains(call.url) ? ScriptedKey.second.jwk : ScriptedKey.first.jwk
      key["issuer"] = issuer.map(JSON.string)
      return .json(["keys": .array([.object(key)])])
    }
  }

  /// The documents of keys that were requested.
  private var asked: [String] { authority.calls.filter { $0.endpoint == .keys }.map(\.url) }

  @Test(
    "An app with its own signing key signs in and renews, and the key is fetched once a day",
    arguments: [nil, "https://login.microsoftonline.com/\(Person.contoso)/v2.0"] as [String?])
  func ownKey(issuer: String?) async throws {
    sign(servingAt: ofApp(in: Person.contoso), issuer: issuer)
    let account = try await signIn().account
    #expect(account.name == "Adele Vance")
    authority.edit(.claims) { $0["name"] = .string("Adele V.") }
    #expect(try await app.silently(account, force: true).account.name == "Adele V.")
    try await signIn()
    #expect(asked == [everyones, ofApp(in: Person.contoso)])
    clock.advance(by: 24 * 3600)
    try await signIn()
    #expect(asked.count == 4 && Set(asked).count == 2)
  }

  @Test(
    "A key of another app, another tenant or another issuer is not used",
    arguments: [
      (ofApp(in: Person.contoso).replacing("b6c69a37", with: "00000000"), nil),
      (ofApp(in: Person.fabrikam), nil),
      (ofApp(in: Person.contoso), "https://login.microsoftonline.com/\(Person.fabrikam)/v2.0"),
    ] as [(String, String?)])
  func foreignKey(place: String, issuer: String?) async throws {
    sign(servingAt: place, issuer: issuer)
    let error = await #expect(throws: AuthenticationError.self) { try await signIn() }
    #expect(error?.code == .invalidIDToken)
    #expect(store.records.isEmpty)
  }

  @Test("With its own signing key, an app signs in to two organizations one after the other")
  func twoTenants() async throws {
    sign(servingAt: ofApp(in: Person.contoso), ofApp(in: Person.fabrikam))
    try await signIn()
    authority.willSignIn(Person.adele.asGuest(in: Person.fabrikam, objectID: Person.contoso))
    #expect(try await signIn().tenantID == Person.fabrikam)
    #expect(asked == [everyones, ofApp(in: Person.contoso), ofApp(in: Person.fabrikam)])
  }

  @Test("Each sign-in with a forged token causes one request for each set of keys that it names")
  func forged() async throws {
    try await signIn()
    authority.willSign(with: .second, serving: [.first])
    var expected = [everyones]
    for tenant in [Person.contoso, Person.fabrikam, Person.contoso] {
      authority.willSignIn(Person.adele.asGuest(in: tenant, objectID: Person.adele.objectID))
      let error = await #expect(throws: AuthenticationError.self) { try await signIn() }
      #expect(error?.code == .invalidIDToken)
      expected += [ofApp(in: tenant), everyones]
      #expect(asked == expected)
    }
  }

  @Test("Where there are no keys of apps, a new key is found among everyone's")
  func noKeysOfApps() async throws {
    try await signIn()
    authority.willSign(with: .second)
    authority.next(.keys, status: 404, "")
    try await signIn()
    #expect(asked == [everyones, ofApp(in: Person.contoso), everyones])
  }

  @Test("A kept token is called verified only when it is for this app and this tenant")
  func keptToken() async throws {
    sign(servingAt: ofApp(in: Person.contoso))
    let result = try await signIn()
    let own = try #require(result.idToken)
    func signature(_ token: Secret<String>) async -> KeptTokens.Signature {
      await app.signature(of: token, for: result.account, inTenant: nil)
    }
    #expect(await signature(own) == .verified)
    for (audience, issuer) in [
      (TestApplication.clientID, Person.contoso), (Person.ben.objectID, Person.contoso),
      (TestApplication.clientID, Person.fabrikam),
    ] {
      let token = ScriptedKey.second.jwt(
        ["alg": .string("RS256"), "kid": .string(ScriptedKey.second.id)],
        [
          "aud": .string(audience), "tid": .string(Person.contoso), "sub": .string("x"),
          "iss": .string("https://login.microsoftonline.com/\(issuer)/v2.0"),
        ])
      let isOwn = audience == TestApplication.clientID && issuer == Person.contoso
      #expect(await (signature(Secret(token)) == .verified) == isOwn)
    }
  }
}
