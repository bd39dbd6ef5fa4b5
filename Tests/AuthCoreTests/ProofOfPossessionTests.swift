import AuthCore
import CurlHTTP
import FoundationEssentials
import HTTPTypes
import TestSupport
import Testing

@Suite("Proof of possession (signed HTTP requests)", .timeLimit(.minutes(5)))
struct ProofOfPossessionTests {
  static let scheme = AuthenticationScheme.proofOfPossession(
    httpMethod: .get, url: "https://api.contoso.example/v1/files?sort=name")

  let authority = ScriptedAuthority()
  let clock = ManualClock()
  let store = ScriptedStore()
  let app: PublicClientApplication

  init() throws {
    app = try TestApplication.make(authority, clock: clock, store: store)
  }

  func signIn(
    _ scheme: AuthenticationScheme = scheme, scopes: [String] = ["Files.Read"]
  ) async throws -> AuthenticationResult {
    var parameters = InteractiveTokenParameters(scopes: scopes, session: authority.pages)
    parameters.authenticationScheme = scheme
    return try await app.acquireToken(parameters)
  }

  func silently(
    _ account: Account, _ scheme: AuthenticationScheme = scheme,
    scopes: [String] = ["Files.Read"], forceRefresh: Bool = false,
    by other: PublicClientApplication? = nil
  ) async throws -> AuthenticationResult {
    var parameters = SilentTokenParameters(scopes: scopes, account: account)
    parameters.authenticationScheme = scheme
    parameters.forceRefresh = forceRefresh
    return try await (other ?? app).acquireTokenSilent(parameters)
  }

  func proof(_ result: AuthenticationResult) throws -> ProvenRequest {
    try #require(ProvenRequest(authorization: result.authorizationHeader))
  }

  /// The key in the last token request.
  var requestedKey: String? {
    authority.lastForm["req_cnf"].flatMap(ProvenRequest.keyID)
  }

  @Test("The API verifies proofs as in RFC 7638, section 3.1, and fact 19")
  func oracles() throws {
    let modulus =
      "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECP"
      + "ebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2Qvz"
      + "qY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6We"
      + "Zu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw"
    #expect(
      ProvenRequest.thumbprint(n: modulus, e: "AQAB")
        == "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs")
    #expect(
      ProvenRequest.keyID(
        confirmation: "eyJraWQiOiJlQWkyNE9leml1czc5VlRadDhsZlhldFJTejdsR2thSmloWEJFWkIwMnV3In0")
        == "eAi24Oezius79VTZt8lfXetRSz7lGkaJihXBEZB02uw")
  }

  @Test("The token is bound to a key, and each proof is signed with that key")
  func signedIn() async throws {
    let result = try await signIn()
    #expect(authority.lastForm["token_type"] == "pop")
    let key = try #require(requestedKey)
    let proof = try proof(result)
    #expect(proof.thumbprint == key)
    #expect(
      proof.header == ["alg": .string("RS256"), "typ": .string("pop"), "kid": .string(key)])
    #expect(Set(proof.claims.keys) == ["at", "ts", "m", "u", "p", "nonce", "cnf"])
    #expect(proof.claims["at"] == .string("access-canary-1"))
    #expect(proof.claims["ts"] == .number("1800000000"))
    #expect(proof.claims["m"] == .string("GET"))
    #expect(proof.claims["u"] == .string("api.contoso.example"))
    #expect(proof.claims["p"] == .string("/v1/files"))
    #expect(proof.claims["nonce"]?.string?.isEmpty == false)
    #expect(result.authenticationScheme == Self.scheme)
    #expect(result.accessToken.exposed == "access-canary-1")
  }

  @Test("Each use has a new proof; it contains the API's nonce")
  func fresh() async throws {
    let result = try await signIn()
    let first = try proof(result)
    clock.advance(by: 5)
    let second = try proof(result)
    #expect(second.claims["ts"] == .number("1800000005"))
    #expect(second.claims["nonce"] != first.claims["nonce"])
    let asked = AuthenticationScheme.proofOfPossession(
      httpMethod: .post, url: "https://api.contoso.example", nonce: "nonce-of-the-api")
    let third = try await proof(silently(result.account, asked))
    #expect(third.claims["nonce"] == .string("nonce-of-the-api"))
    #expect(third.claims["m"] == .string("POST"))
    #expect(third.claims["p"] == .string("/"))
  }

  @Test(
    "The signed parts of a URL",
    arguments: [
      ("https://API.contoso.example:8443/A/b%20c?d=e#f", "api.contoso.example:8443", "/A/b%20c"),
      ("https://api.contoso.example/", "api.contoso.example", "/"),
      ("https://api.contoso.example?q", "api.contoso.example", "/"),
    ])
  func places(url: String, host: String, path: String) async throws {
    let result = try await signIn(.proofOfPossession(httpMethod: .delete, url: url))
    let claims = try proof(result).claims
    #expect(claims["u"] == .string(host))
    #expect(claims["p"] == .string(path))
  }

  @Test(
    "Only requests to 'https' URLs are signed; others fail before the sign-in",
    arguments: [
      "http://api.contoso.example/", "api.contoso.example", "", "https:///", "https://a@b/",
    ])
  func badURL(url: String) async throws {
    let scheme = AuthenticationScheme.proofOfPossession(httpMethod: .get, url: url)
    let error = await #expect(throws: AuthenticationError.self) { try await signIn(scheme) }
    #expect(error?.code == .invalidParameter)
    #expect(authority.pagesShown.isEmpty)
    let account = try await signIn().account
    let silent = await #expect(throws: AuthenticationError.self) {
      try await silently(account, scheme)
    }
    #expect(silent?.code == .invalidParameter)
  }

  // MARK: - In the cache

  @Test("A cached token is used for every request to the API, without a request to the server")
  func cached() async throws {
    let first = try await signIn()
    let other = AuthenticationScheme.proofOfPossession(
      httpMethod: .put, url: "https://other.contoso.example/x")
    let second = try await silently(first.account, other)
    #expect(second.source == .cache)
    let (one, two) = (try proof(first), try proof(second))
    #expect(two.claims["at"] == one.claims["at"])
    #expect(two.thumbprint == one.thumbprint)
    #expect(two.claims["u"] == .string("other.contoso.example"))
    #expect(authority.count(.token) == 1)
  }

  @Test("A bound token and a bearer token for the same scopes are cached separately")
  func bothSchemes() async throws {
    let bound = try await signIn()
    let bearer = try await silently(bound.account, .bearer)
    #expect(bearer.source == .server)
    #expect(bearer.authorizationHeader.exposed == "Bearer access-canary-2")
    #expect(authority.lastForm["req_cnf"] == nil && authority.lastForm["token_type"] == nil)
    for _ in 1...2 {
      #expect(try await silently(bound.account).accessToken == bound.accessToken)
      #expect(try await silently(bound.account, .bearer).accessToken == bearer.accessToken)
    }
    #expect(authority.count(.token) == 2)
  }

  @Test("A renewal is for the same key")
  func renewal() async throws {
    let first = try await signIn()
    let key = try #require(requestedKey)
    clock.advance(by: 3600)
    let second = try await silently(first.account)
    #expect(authority.lastForm["grant_type"] == "refresh_token")
    #expect(authority.lastForm["token_type"] == "pop")
    #expect(requestedKey == key)
    #expect(try proof(second).thumbprint == key)
    #expect(try proof(second).claims["at"] == .string("access-canary-2"))
  }

  @Test("An account with a bearer token gets a key with its first bound token, and keeps it")
  func keyLater() async throws {
    let account = try await signIn(.bearer).account
    let first = try await proof(silently(account))
    #expect(requestedKey == first.thumbprint)
    let second = try await proof(silently(account, scopes: ["Mail.Read"]))
    #expect(second.thumbprint == first.thumbprint)
    #expect(try await proof(silently(account)).claims["at"] == first.claims["at"])
    #expect(authority.count(.token) == 3)
  }

  @Test("The next run has the key and the token from the store")
  func nextRun() async throws {
    let first = try await signIn()
    let next = try TestApplication.make(authority, clock: clock, store: store)
    let second = try await silently(first.account, by: next)
    #expect(second.source == .cache)
    #expect(try proof(second).thumbprint == proof(first).thumbprint)
    #expect(try proof(second).claims["at"] == .string("access-canary-1"))
  }

  @Test("A new sign-in creates a new key, and tokens of the old key are not returned")
  func newKey() async throws {
    let first = try await signIn()
    _ = try await silently(first.account, scopes: ["Mail.Read"])
    let second = try await signIn()
    let (old, new) = (try proof(first).thumbprint, try proof(second).thumbprint)
    #expect(new != old)
    let mail = try await silently(first.account, scopes: ["Mail.Read"])
    #expect(mail.source == .server)
    #expect(try proof(mail).thumbprint == new)
  }

  @Test("Two accounts have two keys")
  func keyOfEach() async throws {
    let adele = try await signIn()
    authority.willSignIn(.ben)
    let ben = try await signIn()
    #expect(try proof(adele).thumbprint != proof(ben).thumbprint)
    #expect(try await proof(silently(adele.account)).thumbprint == proof(adele).thumbprint)
  }

  @Test("Concurrent requests for several URLs share one renewal, and have their own proofs")
  func shared() async throws {
    let account = try await signIn().account
    clock.advance(by: 3600)
    let hosts = try await withThrowingTaskGroup(of: JSON?.self) { group in
      for index in 0..<20 {
        group.addTask {
          let url = "https://api\(index).contoso.example/"
          return try await proof(
            silently(account, .proofOfPossession(httpMethod: .get, url: url))
          ).claims["u"]
        }
      }
      return try await group.reduce(into: [JSON?]()) { $0.append($1) }
    }
    #expect(Set(hosts.compactMap { $0?.string }).count == 20)
    #expect(authority.count(.token) == 2)
  }

  @Test("A bearer token instead of a bound token is rejected")
  func notBound() async throws {
    authority.edit(.tokens) { $0["token_type"] = .string("Bearer") }
    let error = await #expect(throws: AuthenticationError.self) { try await signIn() }
    #expect(error?.code == .invalidResponse)
    #expect(store.records.isEmpty)
  }

  @Test("A bound token has its own key and type in the cache")
  func boundTokenKey() async throws {
    authority.edit(.tokens) { $0["scope"] = .string("user.read user.write") }
    _ = try await signIn(scopes: ["User.Read", "User.Write"])
    let record = try JSON(parsing: try #require(store.records.first).contents.exposed)
    let entries = try #require(record["AccessToken"]?.object)
    let entry = try #require(entries.first)
    #expect(entries.count == 1)
    #expect(
      entry.name == "\(Person.adele.identifier)-login.microsoftonline.com"
        + "-accesstoken_with_authscheme-\(TestApplication.clientID)-\(Person.contoso)"
        + "-user.read user.write-pop")
    #expect(entry.value["credential_type"]?.string == "AccessToken_With_AuthScheme")
    #expect(entry.value["token_type"]?.string == "pop")
    #expect(entry.value["kid"]?.string == requestedKey)
  }
}
