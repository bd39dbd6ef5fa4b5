import AuthCore
import CryptoExtras
import CurlHTTP
import FoundationEssentials
import HTTPTypes
import TestSupport
import Testing

@Suite("The signature of the ID token (RFC 7515, RFC 7517)", .timeLimit(.minutes(5)))
struct SignatureTests {
  let authority = ScriptedAuthority()
  let clock = ManualClock()
  let store = ScriptedStore()
  let app: PublicClientApplication

  init() throws {
    app = try TestApplication.make(authority, clock: clock, store: store)
  }

  @discardableResult
  func signIn() async throws -> AuthenticationResult {
    try await app.acquireToken(.init(scopes: ["User.Read"], session: authority.pages))
  }

  func refuses(keeping records: [StoredRecord] = []) async throws {
    let error = try #require(
      await #expect(throws: AuthenticationError.self) { try await signIn() })
    #expect(error.code == .invalidIDToken)
    #expect(error.step == .token)
    #expect(store.records == records, "neither the ID token nor the access token is stored")
    let shown = "\(error) \(error.details)"
    for secret in authority.secrets { #expect(!shown.contains(secret)) }
  }

  // MARK: - Signatures

  @Test("A signature by another key with the same ID is rejected")
  func otherKey() async throws {
    authority.willSign(with: .rsa("key-1"), serving: [.first])
    try await refuses()
  }

  @Test("A claim that was changed after signing is rejected")
  func changedClaim() async throws {
    authority.edit(.tokens) { response in
      let parts = (response["id_token"]?.string ?? "").split(separator: ".")
      let claims = String(decoding: Base64URL.decode(parts[1]) ?? Data(), as: UTF8.self)
      let changed = claims.replacing("Adele Vance", with: "Alice Vance")
      #expect(changed != claims)
      response["id_token"] = .string(
        "\(parts[0]).\(Base64URL.encode(changed.utf8)).\(parts[2])")
    }
    try await refuses()
  }

  @Test("Each algorithm in the metadata is accepted with a matching key")
  func algorithms() async throws {
    let keys =
      [ScriptedKey.first]
      + ["ES256", "ES384", "ES512", "EdDSA", "Ed25519"].map { ScriptedKey.curve($0, id: $0) }
    let names = keys.flatMap(\.algorithms)
    authority.edit(.configuration) {
      $0["id_token_signing_alg_values_supported"] = .array(names.map(JSON.string))
    }
    for key in keys {
      for name in key.algorithms {
        authority.willSign(with: key, serving: keys)
        authority.edit(.header) { $0["alg"] = .string(name) }
        #expect(try await signIn().account.name == "Adele Vance")
      }
    }
    #expect(names.count == 11)
  }

  @Test(
    "An algorithm that is not in the metadata is rejected, even with a valid signature",
    arguments: [nil, ["RS256"], ["ES384", "HS256", "none"]] as [[String]?])
  func unlistedAlgorithm(list: [String]?) async throws {
    authority.edit(.configuration) {
      $0["id_token_signing_alg_values_supported"] = list.map { .array($0.map(JSON.string)) }
    }
    authority.willSign(with: .curve("ES256", id: "e"))
    try await refuses()
    authority.willSign(with: .first)
    authority.edit(.header) { $0["alg"] = .string("RS512") }
    try await refuses()
    authority.edit(.header, nil)
    try await signIn()
  }

  @Test("An unsigned token is rejected, whatever the metadata lists")
  func none() async throws {
    authority.edit(.configuration) {
      $0["id_token_signing_alg_values_supported"] = .array([.string("none"), .string("HS256")])
    }
    for name in ["none", "HS256"] {
      authority.edit(.header) { $0["alg"] = .string(name) }
      try await refuses()
    }
  }

  @Test("A key of less than 2048 bits is rejected (RFC 7518, section 3.3)")
  func shortKey() async throws {
    let key = try _RSA.Signing.PrivateKey(unsafeKeySize: .init(bitCount: 1024))
    let numbers = try key.publicKey.getKeyPrimitives()
    authority.edit(.keys) {
      $0["keys"] = .array([
        .object([
          "kty": .string("RSA"), "kid": .string("key-1"),
          "n": .string(Base64URL.encode(numbers.modulus)),
          "e": .string(Base64URL.encode(numbers.publicExponent)),
        ])
      ])
    }
    authority.edit(.tokens) { response in
      let parts = (response["id_token"]?.string ?? "").split(separator: ".")
      let signature = try? key.signature(
        for: Array("\(parts[0]).\(parts[1])".utf8), padding: .insecurePKCS1v1_5)
      response["id_token"] = .string(
        "\(parts[0]).\(parts[1]).\(Base64URL.encode(signature?.rawRepresentation ?? Data()))")
    }
    try await refuses()
  }

  @Test(
    "Only a key for this signature is used (RFC 7517, section 4)",
    arguments: [
      ("use", .string("enc"), false), ("use", .number("1"), false), ("use", .string("sig"), true),
      ("use", nil, true), ("use", .null, true), ("key_ops", .null, true),
      ("key_ops", .array([.string("encrypt")]), false),
      ("key_ops", .array([.string("verify")]), true), ("alg", .string("RS512"), false),
      ("alg", .string("PS256"), false), ("alg", .string("RSA-OAEP"), false),
      ("alg", .string("RS256"), true), ("kty", .string("EC"), false), ("kty", nil, false),
      ("n", nil, false), ("e", .string("AQAB="), false),
    ] as [(String, JSON?, Bool)])
  func purpose(member: String, value: JSON?, isGood: Bool) async throws {
    authority.edit(.keys) {
      var key = ScriptedKey.first.jwk
      key[member] = value
      $0["keys"] = .array([.object(key)])
    }
    if isGood { try await signIn() } else { try await refuses() }
  }

  @Test("Keys of unknown types are ignored (RFC 7517, section 5)")
  func otherKinds() async throws {
    authority.edit(.keys) {
      let others: [JSON] = [
        .object(["kty": .string("oct"), "kid": .string("key-1"), "k": .string("c2VjcmV0")]),
        .object(["kty": .string("AKP"), "kid": .string("key-1")]), .null, .string("key-1"),
      ]
      $0["keys"] = .array(others + ($0["keys"]?.array ?? []))
    }
    try await signIn()
  }

  @Test(
    "Entra ID's keys have an issuer; a key of one tenant is not used for another",
    arguments: [
      ("https://login.microsoftonline.com/{tenantid}/v2.0", true),
      ("https://login.microsoftonline.com/\(Person.contoso)/v2.0", true),
      ("https://login.microsoftonline.com/\(Person.fabrikam)/v2.0", false),
      ("https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0", false),
      ("https://login.microsoftonline.us/{tenantid}/v2.0", false), ("", false),
    ])
  func keyIssuer(issuer: String, isGood: Bool) async throws {
    authority.edit(.keys) {
      var key = ScriptedKey.first.jwk
      key["issuer"] = .string(issuer)
      $0["keys"] = .array([.object(key)])
    }
    if isGood { try await signIn() } else { try await refuses() }
  }

  // MARK: - Key selection

  @Test("Without a key ID there must be only one key (OpenID Connect Core 1.0, section 10.1)")
  func noKeyID() async throws {
    authority.edit(.header) { $0["kid"] = nil }
    try await signIn()
    clock.advance(by: 24 * 3600)
    authority.willSign(with: .first, serving: [.first, .second])
    try await refuses(keeping: store.records)
    clock.advance(by: 24 * 3600)
    authority.willSign(with: .first, serving: [.curve("ES256", id: "e"), .first])
    try await signIn()
  }

  @Test(
    "A key ID that is not a string is rejected",
    arguments: [.number("1"), .array([])] as [JSON])
  func oddKeyID(value: JSON) async throws {
    authority.edit(.header) { $0["kid"] = value }
    try await refuses()
  }

  @Test("Of keys with the same ID, the matching one is used (RFC 7517, section 4.5)")
  func sharedKeyID() async throws {
    let twin = ScriptedKey.rsa("key-1")
    authority.willSign(with: twin, serving: [.curve("ES256", id: "key-1"), .first, twin])
    try await signIn()
  }

  @Test("Key IDs are case-sensitive")
  func keyIDCase() async throws {
    authority.edit(.header) { $0["kid"] = .string("KEY-1") }
    try await refuses()
  }

  @Test("For an unknown key ID the keys are fetched again, and the sign-in continues")
  func rotation() async throws {
    try await signIn()
    authority.willSign(with: .second, serving: [.first, .second])
    try await signIn()
    #expect(authority.count(.keys) == 2)
    authority.willSign(with: .first, serving: [.first, .second])
    try await signIn()
    #expect(authority.count(.keys) == 2)
  }

  @Test("A new key of all organizations is accepted for each of them at once")
  func rotationForAll() async throws {
    try await signIn()
    authority.willSign(with: .second)
    for tenant in [Person.contoso, Person.fabrikam] {
      authority.willSignIn(Person.adele.asGuest(in: tenant, objectID: Person.adele.objectID))
      #expect(try await signIn().tenantID == tenant)
    }
  }

  @Test("Each sign-in and, after ten seconds, each renewal finds the next new key")
  func changedOften() async throws {
    let account = try await signIn().account
    for key in [.second, .rsa("key-3"), .rsa("key-4")] as [ScriptedKey] {
      authority.willSign(with: key)
      try await signIn()
    }
    authority.willSign(with: .second)
    clock.advance(by: 10)
    authority.edit(.claims) { $0["name"] = .string("Adele V.") }
    #expect(try await app.silently(account, force: true).account.name == "Adele V.")
  }

  @Test("Because of an unknown key ID, renewals fetch each set of keys every ten seconds at most")
  func unknownKey() async throws {
    let account = try await signIn().account
    authority.willSign(with: .second, serving: [.first])
    // Those of the app, and everyone's.
    for (seconds, count) in [(0.0, 3), (9, 3), (1, 5), (9, 5)] {
      clock.advance(by: seconds)
      let error = await #expect(throws: AuthenticationError.self) {
        try await app.silently(account, force: true)
      }
      #expect(error?.code == .invalidIDToken)
      #expect(authority.count(.keys) == count)
    }
    authority.willSign(with: .second)
    try await signIn()
    #expect(try await app.silently(account, force: true).source == .server)
  }

  @Test("Keys of which none matches are fetched again once: another may have the same ID now")
  func misfit() async throws {
    authority.edit(.keys) {
      var key = ScriptedKey.first.jwk
      key["alg"] = .string("RS512")
      $0["keys"] = .array([.object(key)])
    }
    for count in 2...4 {
      try await refuses()
      #expect(authority.count(.keys) == count)
    }
  }

  @Test("Keys are used for a day, and then fetched again, as one may have been withdrawn")
  func lifetime() async throws {
    try await signIn()
    clock.advance(by: 24 * 3600 - 1)
    try await signIn()
    #expect(authority.count(.keys) == 1)
    let records = store.records
    clock.advance(by: 1)
    authority.willSign(with: .first, serving: [.second])
    try await refuses(keeping: records)
  }

  @Test("Setting the clock back does not make keys younger")
  func clockSetBack() async throws {
    try await signIn()
    clock.advance(by: -1)
    try await signIn()
    #expect(authority.count(.keys) == 2)
  }

  // MARK: - at_hash

  @Test(
    "At_hash must match the access token (OpenID Connect Core 1.0, appendix A.3)",
    arguments: [
      (.string("77QmUPtjPfzWtF2AnpK9RQ"), true), (.string("77QmUPtjPfzWtF2AnpK9RR"), false),
      (.string(""), false), (.number("1"), false), (nil, true),
    ] as [(JSON?, Bool)])
  func accessTokenHash(value: JSON?, isGood: Bool) async throws {
    authority.edit(.claims) { $0["at_hash"] = value }
    authority.edit(.tokens) {
      $0["access_token"] = .string("jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y")
    }
    if isGood { try await signIn() } else { try await refuses() }
  }
}
