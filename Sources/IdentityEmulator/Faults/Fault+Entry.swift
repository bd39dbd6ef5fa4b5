import Crypto
import FoundationEssentials
import HTTPTypes

extension Fault {
  /// A line of the table.
  struct Entry: Sendable {
    let name: String
    let meaning: String
    private(set) var changes = FaultChanges()

    /// A line whose fault changes the value at `place`.
    init<Value>(
      _ name: String, _ meaning: String, _ place: FaultChanges.Place<Value>,
      _ edit: @escaping FaultChanges.Edit<Value>
    ) {
      self.name = name
      self.meaning = meaning
      changes[keyPath: place] = edit
    }

    /// Changes the value at another place too.
    func and<Value>(
      _ place: FaultChanges.Place<Value>, _ edit: @escaping FaultChanges.Edit<Value>
    ) -> Entry {
      var entry = self
      entry.changes[keyPath: place] = edit
      return entry
    }
  }

  /// A host that is not the emulator's, and does not exist.
  private static let foreignHost = "https://evil.example"
  private static let otherApplication: JSON = "another-application"
  private static let day = 86_400
  /// The number of bytes that a large answer has at least.
  private static let largeAnswer = 10_000_000

  /// Text with control characters that start a new line, color a terminal, delete text or reverse
  /// its direction: CR, LF, ESC, NUL, CSI, LINE SEPARATOR and RIGHT-TO-LEFT OVERRIDE.
  private static let terminalCodes =
    "\r\n2026-11-21T00:00:00Z FORGED \u{1B}[31m\u{0}\u{9B}2K\u{2028}\u{202E}moc"

  /// The table of faults.
  var entry: Entry {
    switch self {
    // The claims of ID tokens.
    case .wrongIssuer:
      Entry("wrong-issuer", "iss is another service's", \.idToken) {
        $0["iss"] = "https://evil.example/id"
      }
    case .otherTenantIssuer:
      Entry(
        "other-tenant-issuer", "iss is another tenant's than tid", \.idToken
      ) { $0.replaceTenant(inIssuer: Tenant.fabrikam.id) }
    case .otherTenant:
      Entry(
        "other-tenant", "iss and tid are those of a tenant that nobody knows", \.idToken
      ) {
        let stranger = "11111111-2222-4333-8444-555555555555"
        $0.replaceTenant(inIssuer: stranger)
        $0["tid"] = .string(stranger)
      }
    case .missingIssuer: Entry("missing-issuer", "there is no iss", \.idToken) { $0["iss"] = nil }
    case .missingTenant: Entry("missing-tenant", "there is no tid", \.idToken) { $0["tid"] = nil }
    case .wrongAudience:
      Entry("wrong-audience", "aud is another application", \.idToken) {
        $0["aud"] = Self.otherApplication
      }
    case .missingAudience:
      Entry("missing-audience", "there is no aud", \.idToken) { $0["aud"] = nil }
    case .audiencesWithoutParty:
      Entry(
        "audiences-without-azp", "aud is this application and another, without azp", \.idToken
      ) { $0.addAudience(Self.otherApplication, party: nil) }
    case .audiencesOfOther:
      Entry(
        "audiences-azp-other", "aud is this application and another, which is the azp", \.idToken
      ) {
        $0.addAudience(Self.otherApplication, party: Self.otherApplication)
      }
    case .audiencesOfClient:
      Entry(
        "audiences-azp-client",
        "aud is this application and another, and azp is this one: allowed", \.idToken
      ) { $0.addAudience(Self.otherApplication, party: $0["aud"]) }
    case .missingExpiry: Entry("missing-exp", "there is no exp", \.idToken) { $0["exp"] = nil }
    case .oldExpiry: Entry("old-exp", "exp is a day ago", \.idToken) { $0["exp"] = .now(-Self.day) }
    case .wrongExpiry: Entry("text-exp", "exp is a text", \.idToken) { $0["exp"] = "tomorrow" }
    case .missingIssuedAt: Entry("missing-iat", "there is no iat", \.idToken) { $0["iat"] = nil }
    case .oldIssuedAt:
      Entry("old-iat", "iat is a year ago", \.idToken) { $0["iat"] = .now(-365 * Self.day) }
    case .futureIssuedAt:
      Entry("future-iat", "iat is a day ahead", \.idToken) { $0["iat"] = .now(Self.day) }
    case .missingNotBefore:
      Entry("missing-nbf", "there is no nbf: allowed", \.idToken) { $0["nbf"] = nil }
    case .futureNotBefore:
      Entry("future-nbf", "nbf is a day ahead", \.idToken) { $0["nbf"] = .now(Self.day) }
    case .wrongNonce:
      Entry("wrong-nonce", "nonce is another request's", \.idToken) {
        $0["nonce"] = .string(Random.token())
      }
    case .missingNonce: Entry("missing-nonce", "there is no nonce", \.idToken) { $0["nonce"] = nil }
    case .missingSubject: Entry("missing-sub", "there is no sub", \.idToken) { $0["sub"] = nil }
    case .emptySubject: Entry("empty-sub", "sub is empty", \.idToken) { $0["sub"] = "" }
    case .missingObjectID: Entry("missing-oid", "there is no oid", \.idToken) { $0["oid"] = nil }
    case .wrongTokenHash:
      Entry("wrong-at-hash", "at_hash is another access token's", \.idToken) {
        $0["at_hash"] = .string(Random.token(bytes: 16))
      }
    case .wrongCodeHash:
      Entry("wrong-c-hash", "c_hash is another code's", \.idToken) {
        $0["c_hash"] = .string(Random.token(bytes: 16))
      }
    case .hostileText:
      Entry(
        "hostile-text",
        "names, and errors of Graph, hold what terminals and logs obey: to be shown", \.idToken
      ) {
        for name in ["name", "preferred_username"] {
          $0[name] = .string(($0[name]?.string ?? "") + Self.terminalCodes)
        }
      }
      .and(\.graphError) {
        $0.code += Self.terminalCodes
        $0.message += Self.terminalCodes
      }
    case .otherSubject:
      Entry(
        "other-sub", "a refresh brings an ID token with another sub", \.refreshedIDToken
      ) { $0["sub"] = .string(Random.token()) }

    // The signatures of ID tokens.
    case .wrongSignature:
      Entry(
        "wrong-signature", "the signature is one bit off", \.signature
      ) { $0.bytes[$0.bytes.startIndex] ^= 1 }
    case .algorithmNone:
      Entry(
        "alg-none", "alg is none, and there is no signature",
        \.tokenHeader
      ) { $0["alg"] = "none" }
      .and(\.signature) { $0.bytes = Data() }
    case .algorithmHMAC:
      Entry(
        "alg-hs256", "alg is HS256, with the public key as the secret",
        \.tokenHeader
      ) { $0["alg"] = "HS256" }
      .and(\.signature) {
        let secret = SymmetricKey(data: Data($0.publicKey.utf8))
        $0.bytes = Data(HMAC<SHA256>.authenticationCode(for: Data($0.text.utf8), using: secret))
      }
    case .unknownKeyID:
      Entry(
        "unknown-kid", "kid names no key of the key set", \.tokenHeader
      ) { $0["kid"] = .string(Random.token(bytes: 20)) }
    case .unknownExtension:
      Entry(
        "unknown-crit", "crit asks for an extension that nobody knows", \.tokenHeader
      ) {
        $0["crit"] = ["b64"]; $0["b64"] = false
      }
    case .foreignKeySet:
      Entry(
        "foreign-jku", "jku names a key set on another host: to be passed over", \.tokenHeader
      ) { $0["jku"] = .string(Self.foreignHost + "/keys") }
    case .rotatedKey:
      Entry(
        "rotated-key", "another key signs, and the one before is gone from the key set: allowed",
        \.signsWithNewKey
      ) { $0 = true }
    case .keySetUnavailable:
      Entry(
        "jwks-unavailable", "the key set is answered with 503", \.keySetReply
      ) { $0 = Response(status: .serviceUnavailable) }
    case .keySetGarbage:
      Entry("jwks-garbage", "the key set is not JSON", \.keySetReply) { $0 = .text("keys: {") }

    // The contents of token responses.
    case .refreshOfAnother:
      Entry(
        "refresh-other-user", "a refresh is answered with another user's tokens", \.refresh
      ) { grant in
        let user = grant.user
        grant.user =
          User.demo.first { $0 != user && $0.homeTenant == user.homeTenant } ?? user
      }
    case .codeRedeemed:
      Entry("code-redeemed", "every code is redeemed already", \.code) { $0.isRedeemed = true }
    case .missingIDToken:
      Entry("no-id-token", "there is no ID token", \.tokenResponse) { $0["id_token"] = nil }
    case .missingAccessToken:
      Entry(
        "no-access-token", "there is no access token", \.tokenResponse
      ) { $0["access_token"] = nil }
    case .missingRefreshToken:
      Entry(
        "no-refresh-token", "there is no refresh token", \.tokenResponse
      ) { $0["refresh_token"] = nil }
    case .missingClientInfo:
      Entry(
        "no-client-info", "there is no client_info", \.tokenResponse
      ) { $0["client_info"] = nil }
    case .wrongTokenType:
      Entry("wrong-token-type", "token_type is mac", \.tokenResponse) { $0["token_type"] = "mac" }
    case .negativeLifetime:
      Entry(
        "negative-expires-in", "expires_in is negative: to be passed over", \.tokenResponse
      ) { $0["expires_in"] = -1 }
    case .missingLifetime:
      Entry(
        "no-expires-in", "there is no expires_in: allowed", \.tokenResponse
      ) { $0["expires_in"] = nil }
    case .fewerScopes:
      Entry("fewer-scopes", "only openid is granted", \.tokenResponse) { $0["scope"] = "openid" }

    // The replies of the token endpoint.
    case .tokenThrottled:
      Entry(
        "token-429", "429 with Retry-After: 30", \.tokenReply
      ) { $0 = .retryAfter(.tooManyRequests) }
    case .tokenServerError:
      Entry("token-500", "500", \.tokenReply) { $0 = Response(status: .internalServerError) }
    case .tokenUnavailable:
      Entry(
        "token-503", "503 with Retry-After: 30", \.tokenReply
      ) { $0 = .retryAfter(.serviceUnavailable) }
    case .tokenPage:
      Entry(
        "token-html", "200 with a page, as behind a captive portal", \.tokenResponseReply
      ) { $0 = .text("<html>Welcome to this hotel</html>", type: "text/html") }
    case .tokenTruncated:
      Entry(
        "token-truncated", "JSON that breaks off", \.tokenResponseReply
      ) { $0.body.removeLast(40) }
    case .tokenDuplicate:
      Entry(
        "token-duplicate", "JSON with access_token twice", \.tokenResponseReply
      ) { $0.body.replaceSubrange(..<1, with: "{\"access_token\":\"another\",".utf8) }
    case .tokenHuge:
      Entry(
        "token-huge", "JSON of 2 MiB", \.tokenResponse
      ) { $0["padding"] = .string(String(repeating: "x", count: 2 << 20)) }
    case .tokenSlow:
      Entry("token-slow", "an answer after ten minutes", \.tokenDelay) { $0 = .seconds(600) }
    case .tokenRedirect:
      Entry(
        "token-redirect", "307 to another path", \.tokenResponseReply
      ) { $0 = Response(status: .temporaryRedirect, headers: [.location: "/elsewhere"]) }
    case .tokenErrorOK:
      Entry(
        "token-error-200", "200 with an error in it", \.tokenResponseReply
      ) { $0 = .text("{\"error\":\"invalid_grant\"}") }

    // The authority's metadata.
    case .discoveryForeign:
      Entry(
        "discovery-foreign-endpoint", "token_endpoint is on another host", \.configuration
      ) { $0["token_endpoint"] = .string(Self.foreignHost + "/token") }
    case .discoveryInsecure:
      Entry(
        "discovery-http", "authorization_endpoint is http", \.configuration
      ) {
        let endpoint = $0["authorization_endpoint"]?.string ?? ""
        $0["authorization_endpoint"] = .string(endpoint.replacing("https://", with: "http://"))
      }
    case .discoveryIssuer:
      Entry(
        "discovery-wrong-issuer", "issuer is another service's", \.configuration
      ) { $0["issuer"] = .string(Self.foreignHost) }
    case .discoveryIncomplete:
      Entry(
        "discovery-no-token-endpoint", "there is no token_endpoint", \.configuration
      ) { $0["token_endpoint"] = nil }
    case .discoveryForeignKeys:
      Entry(
        "discovery-foreign-jwks", "jwks_uri is on another host", \.configuration
      ) { $0["jwks_uri"] = .string(Self.foreignHost + "/keys") }
    case .discoveryPage:
      Entry(
        "discovery-html", "200 with a page", \.configurationReply
      ) { $0 = .text("<html>Welcome</html>", type: "text/html") }
    case .discoveryNotFound:
      Entry("discovery-404", "404", \.configurationReply) { $0 = Response(status: .notFound) }
    case .discoveryServerError:
      Entry("discovery-500", "500", \.configurationReply) {
        $0 = Response(status: .internalServerError)
      }
    case .discoveryRedirect:
      Entry(
        "discovery-redirect", "302 to another host", \.configurationReply
      ) { $0 = .found(Self.foreignHost + "/configuration") }
    case .noSignOut:
      Entry(
        "no-end-session", "there is no end_session_endpoint", \.configuration
      ) { $0["end_session_endpoint"] = nil }
    case .noDeviceCode:
      Entry(
        "no-device-endpoint", "there is no device_authorization_endpoint", \.configuration
      ) { $0["device_authorization_endpoint"] = nil }

    // The parameters of redirects.
    case .wrongState:
      Entry("wrong-state", "state is another request's", \.redirect) {
        $0["state"] = Random.token()
      }
    case .missingState:
      Entry("missing-state", "there is no state", \.redirect) { $0["state"] = nil }
    case .wrongResponseIssuer:
      Entry(
        "wrong-response-iss", "iss is another service's (RFC 9207)", \.redirect
      ) { $0["iss"] = Self.foreignHost }
    case .missingResponseIssuer:
      Entry(
        "missing-response-iss", "iss is promised and does not come (RFC 9207)", \.redirect
      ) { $0["iss"] = nil }
    case .codeTwice:
      Entry("code-twice", "there are two codes", \.redirect) { $0.append("code", Random.token()) }
    case .codeWithError:
      Entry(
        "code-with-error", "there is a code, and an error", \.redirect
      ) { $0.append("error", "access_denied") }
    case .emptyCode: Entry("empty-code", "the code is empty", \.redirect) { $0["code"] = "" }
    case .inFragment:
      Entry(
        "response-in-fragment", "the parameters are in the fragment", \.responseMode
      ) { $0 = .fragment }
    case .signOutWrongState:
      Entry(
        "sign-out-wrong-state", "the state of a sign-out is another's", \.signOut
      ) { $0["state"] = Random.token() }
    case .signOutMissingState:
      Entry(
        "sign-out-missing-state", "a sign-out comes back without state", \.signOut
      ) { $0["state"] = nil }

    // The device code flow.
    case .deviceSlowDown:
      Entry("device-slow-down", "each poll is answered with slow_down", \.pollError) {
        $0 = .slowDown
      }
    case .deviceExpired:
      Entry(
        "device-expired", "each poll is answered with expired_token", \.pollError
      ) { $0 = .deviceCodeExpired }
    case .deviceDeclined:
      Entry(
        "device-declined", "each poll is answered with authorization_declined", \.pollError
      ) { $0 = .authorizationDeclined }
    case .deviceForeignPage:
      Entry(
        "device-foreign-page", "the page for the code is on another host", \.deviceCode
      ) { $0["verification_uri"] = .string(Self.foreignHost + "/devicelogin") }

    // The answers of Microsoft Graph.
    case .graphManyItems:
      Entry(
        "graph-many-items", "/me is answered with 10 MB of short items: allowed", \.me
      ) {
        let item: JSON = ["id": 123_456, "displayName": "Adele Vance", "isRead": true]
        let count = Self.largeAnswer / (item.text.utf8.count + 1) + 1
        $0["items"] = .array(Array(repeating: item, count: count))
      }
    case .graphLongText:
      Entry("graph-long-text", "/me is answered with a text of 10 MB: allowed", \.me) {
        $0["content"] = .string(String(repeating: "0123456789", count: Self.largeAnswer / 10))
      }
    case .graphHuge:
      Entry("graph-huge", "/me is answered with a text of 100 MB", \.me) {
        $0["content"] = .string(String(repeating: "0123456789", count: Self.largeAnswer))
      }
    case .transferTokenRefused:
      Entry(
        "transfer-token", "addresses of down- and uploads refuse a token, as some do",
        \.refusesTransferToken
      ) { $0 = true }
    }
  }
}

extension JSON {
  /// A time so many seconds from now.
  fileprivate static func now(_ seconds: Int) -> JSON {
    .number(Date().epochSeconds + seconds)
  }

  /// Replaces the ID of the tenant in `iss`.
  fileprivate mutating func replaceTenant(inIssuer other: String) {
    let issuer = self["iss"]?.string ?? ""
    self["iss"] = .string(issuer.replacing(self["tid"]?.string ?? "", with: other))
  }

  /// Adds an audience, and sets the party that the token is for.
  fileprivate mutating func addAudience(_ other: JSON, party: JSON?) {
    guard let client = self["aud"] else { return }
    self["aud"] = [client, other]
    self["azp"] = party
  }
}
