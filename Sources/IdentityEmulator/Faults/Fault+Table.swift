import Crypto
import FoundationEssentials
import HTTPTypes

/// The table of faults.
extension Fault {
  /// All faults, in the order in which their changes are made.
  public static let all = Array(
    [
      idTokens, signatures, tokenContents, tokenReplies, metadata, redirects, deviceCodes,
      graphAnswers,
    ].joined())

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

  /// The claims of ID tokens.
  private static let idTokens: [Fault] = [
    Fault("wrong-issuer", "iss is another service's", \.idToken) {
      $0["iss"] = "https://evil.example/id"
    },
    Fault("other-tenant-issuer", "iss is another tenant's than tid", \.idToken) {
      $0.replaceTenant(inIssuer: Tenant.fabrikam.id)
    },
    Fault("other-tenant", "iss and tid are those of a tenant that nobody knows", \.idToken) {
      let stranger = "11111111-2222-4333-8444-555555555555"
      $0.replaceTenant(inIssuer: stranger)
      $0["tid"] = .string(stranger)
    },
    Fault("missing-issuer", "there is no iss", \.idToken) { $0["iss"] = nil },
    Fault("missing-tenant", "there is no tid", \.idToken) { $0["tid"] = nil },
    Fault("wrong-audience", "aud is another application", \.idToken) {
      $0["aud"] = Self.otherApplication
    },
    Fault("missing-audience", "there is no aud", \.idToken) { $0["aud"] = nil },
    Fault("audiences-without-azp", "aud is this application and another, without azp", \.idToken) {
      $0.addAudience(Self.otherApplication, party: nil)
    },
    Fault(
      "audiences-azp-other", "aud is this application and another, which is the azp", \.idToken
    ) { $0.addAudience(Self.otherApplication, party: Self.otherApplication) },
    Fault(
      "audiences-azp-client", "aud is this application and another, and azp is this one: allowed",
      \.idToken
    ) { $0.addAudience(Self.otherApplication, party: $0["aud"]) },
    Fault("missing-exp", "there is no exp", \.idToken) { $0["exp"] = nil },
    Fault("old-exp", "exp is a day ago", \.idToken) { $0["exp"] = .now(-Self.day) },
    Fault("text-exp", "exp is a text", \.idToken) { $0["exp"] = "tomorrow" },
    Fault("missing-iat", "there is no iat", \.idToken) { $0["iat"] = nil },
    Fault("old-iat", "iat is a year ago", \.idToken) { $0["iat"] = .now(-365 * Self.day) },
    Fault("future-iat", "iat is a day ahead", \.idToken) { $0["iat"] = .now(Self.day) },
    Fault("missing-nbf", "there is no nbf: allowed", \.idToken) { $0["nbf"] = nil },
    Fault("future-nbf", "nbf is a day ahead", \.idToken) { $0["nbf"] = .now(Self.day) },
    Fault("wrong-nonce", "nonce is another request's", \.idToken) {
      $0["nonce"] = .string(Random.token())
    },
    Fault("missing-nonce", "there is no nonce", \.idToken) { $0["nonce"] = nil },
    Fault("missing-sub", "there is no sub", \.idToken) { $0["sub"] = nil },
    Fault("empty-sub", "sub is empty", \.idToken) { $0["sub"] = "" },
    Fault("missing-oid", "there is no oid", \.idToken) { $0["oid"] = nil },
    Fault("wrong-at-hash", "at_hash is another access token's", \.idToken) {
      $0["at_hash"] = .string(Random.token(bytes: 16))
    },
    Fault("wrong-c-hash", "c_hash is another code's", \.idToken) {
      $0["c_hash"] = .string(Random.token(bytes: 16))
    },
    Fault(
      "hostile-text", "names, and errors of Graph, hold what terminals and logs obey: to be shown",
      \.idToken
    ) {
      for name in ["name", "preferred_username"] {
        $0[name] = .string(($0[name]?.string ?? "") + Self.terminalCodes)
      }
    }
    .and(\.graphError) {
      $0.code += Self.terminalCodes
      $0.message += Self.terminalCodes
    },
    Fault("other-sub", "a refresh brings an ID token with another sub", \.refreshedIDToken) {
      $0["sub"] = .string(Random.token())
    },
  ]

  /// The signatures of ID tokens.
  private static let signatures: [Fault] = [
    Fault("wrong-signature", "the signature is one bit off", \.signature) {
      $0.bytes[$0.bytes.startIndex] ^= 1
    },
    Fault("alg-none", "alg is none, and there is no signature", \.tokenHeader) {
      $0["alg"] = "none"
    }
    .and(\.signature) { $0.bytes = Data() },
    Fault("alg-hs256", "alg is HS256, with the public key as the secret", \.tokenHeader) {
      $0["alg"] = "HS256"
    }
    .and(\.signature) {
      let secret = SymmetricKey(data: Data($0.publicKey.utf8))
      $0.bytes = Data(HMAC<SHA256>.authenticationCode(for: Data($0.text.utf8), using: secret))
    },
    Fault("unknown-kid", "kid names no key of the key set", \.tokenHeader) {
      $0["kid"] = .string(Random.token(bytes: 20))
    },
    Fault("unknown-crit", "crit asks for an extension that nobody knows", \.tokenHeader) {
      $0["crit"] = ["b64"]
      $0["b64"] = false
    },
    Fault("foreign-jku", "jku names a key set on another host: to be passed over", \.tokenHeader) {
      $0["jku"] = .string(Self.foreignHost + "/keys")
    },
    Fault(
      "rotated-key", "another key signs, and the one before is gone from the key set: allowed",
      \.signsWithNewKey
    ) { $0 = true },
    Fault("jwks-unavailable", "the key set is answered with 503", \.keySetReply) {
      $0 = Response(status: .serviceUnavailable)
    },
    Fault("jwks-garbage", "the key set is not JSON", \.keySetReply) { $0 = .text("keys: {") },
  ]

  /// The contents of token responses.
  private static let tokenContents: [Fault] = [
    Fault(
      "refresh-other-user", "a refresh is answered with another user's tokens", \.refresh
    ) { grant in
      let user = grant.user
      grant.user =
        User.demo.first { $0 != user && $0.homeTenant == user.homeTenant } ?? user
    },
    Fault("code-redeemed", "every code is redeemed already", \.code) { $0.isRedeemed = true },
    Fault("no-id-token", "there is no ID token", \.tokenResponse) { $0["id_token"] = nil },
    Fault("no-access-token", "there is no access token", \.tokenResponse) {
      $0["access_token"] = nil
    },
    Fault("no-refresh-token", "there is no refresh token", \.tokenResponse) {
      $0["refresh_token"] = nil
    },
    Fault("no-client-info", "there is no client_info", \.tokenResponse) { $0["client_info"] = nil },
    Fault("wrong-token-type", "token_type is mac", \.tokenResponse) { $0["token_type"] = "mac" },
    Fault("negative-expires-in", "expires_in is negative: to be passed over", \.tokenResponse) {
      $0["expires_in"] = -1
    },
    Fault("no-expires-in", "there is no expires_in: allowed", \.tokenResponse) {
      $0["expires_in"] = nil
    },
    Fault("fewer-scopes", "only openid is granted", \.tokenResponse) { $0["scope"] = "openid" },
  ]

  /// The replies of the token endpoint.
  private static let tokenReplies: [Fault] = [
    Fault("token-429", "429 with Retry-After: 30", \.tokenReply) {
      $0 = .retryAfter(.tooManyRequests)
    },
    Fault("token-500", "500", \.tokenReply) { $0 = Response(status: .internalServerError) },
    Fault("token-503", "503 with Retry-After: 30", \.tokenReply) {
      $0 = .retryAfter(.serviceUnavailable)
    },
    Fault("token-html", "200 with a page, as behind a captive portal", \.tokenResponseReply) {
      $0 = .text("<html>Welcome to this hotel</html>", type: "text/html")
    },
    Fault("token-truncated", "JSON that breaks off", \.tokenResponseReply) {
      $0.body.removeLast(40)
    },
    Fault("token-duplicate", "JSON with access_token twice", \.tokenResponseReply) {
      $0.body.replaceSubrange(..<1, with: "{\"access_token\":\"another\",".utf8)
    },
    Fault("token-huge", "JSON of 2 MiB", \.tokenResponse) {
      $0["padding"] = .string(String(repeating: "x", count: 2 << 20))
    },
    Fault("token-slow", "an answer after ten minutes", \.tokenDelay) { $0 = .seconds(600) },
    Fault("token-redirect", "307 to another path", \.tokenResponseReply) {
      $0 = Response(status: .temporaryRedirect, headers: [.location: "/elsewhere"])
    },
    Fault("token-error-200", "200 with an error in it", \.tokenResponseReply) {
      $0 = .text("{\"error\":\"invalid_grant\"}")
    },
  ]

  /// The authority's metadata.
  private static let metadata: [Fault] = [
    Fault("discovery-foreign-endpoint", "token_endpoint is on another host", \.configuration) {
      $0["token_endpoint"] = .string(Self.foreignHost + "/token")
    },
    Fault("discovery-http", "authorization_endpoint is http", \.configuration) {
      let endpoint = $0["authorization_endpoint"]?.string ?? ""
      $0["authorization_endpoint"] = .string(endpoint.replacing("https://", with: "http://"))
    },
    Fault("discovery-wrong-issuer", "issuer is another service's", \.configuration) {
      $0["issuer"] = .string(Self.foreignHost)
    },
    Fault("discovery-no-token-endpoint", "there is no token_endpoint", \.configuration) {
      $0["token_endpoint"] = nil
    },
    Fault("discovery-foreign-jwks", "jwks_uri is on another host", \.configuration) {
      $0["jwks_uri"] = .string(Self.foreignHost + "/keys")
    },
    Fault("discovery-html", "200 with a page", \.configurationReply) {
      $0 = .text("<html>Welcome</html>", type: "text/html")
    },
    Fault("discovery-404", "404", \.configurationReply) { $0 = Response(status: .notFound) },
    Fault("discovery-500", "500", \.configurationReply) {
      $0 = Response(status: .internalServerError)
    },
    Fault("discovery-redirect", "302 to another host", \.configurationReply) {
      $0 = .found(Self.foreignHost + "/configuration")
    },
    Fault("no-end-session", "there is no end_session_endpoint", \.configuration) {
      $0["end_session_endpoint"] = nil
    },
    Fault("no-device-endpoint", "there is no device_authorization_endpoint", \.configuration) {
      $0["device_authorization_endpoint"] = nil
    },
  ]

  /// The parameters of redirects.
  private static let redirects: [Fault] = [
    Fault("wrong-state", "state is another request's", \.redirect) { $0["state"] = Random.token() },
    Fault("missing-state", "there is no state", \.redirect) { $0["state"] = nil },
    Fault("wrong-response-iss", "iss is another service's (RFC 9207)", \.redirect) {
      $0["iss"] = Self.foreignHost
    },
    Fault("missing-response-iss", "iss is promised and does not come (RFC 9207)", \.redirect) {
      $0["iss"] = nil
    },
    Fault("code-twice", "there are two codes", \.redirect) { $0.append("code", Random.token()) },
    Fault("code-with-error", "there is a code, and an error", \.redirect) {
      $0.append("error", "access_denied")
    },
    Fault("empty-code", "the code is empty", \.redirect) { $0["code"] = "" },
    Fault("response-in-fragment", "the parameters are in the fragment", \.responseMode) {
      $0 = .fragment
    },
    Fault("sign-out-wrong-state", "the state of a sign-out is another's", \.signOut) {
      $0["state"] = Random.token()
    },
    Fault("sign-out-missing-state", "a sign-out comes back without state", \.signOut) {
      $0["state"] = nil
    },
  ]

  /// The device code flow.
  private static let deviceCodes: [Fault] = [
    Fault("device-slow-down", "each poll is answered with slow_down", \.pollError) {
      $0 = .slowDown
    },
    Fault("device-expired", "each poll is answered with expired_token", \.pollError) {
      $0 = .deviceCodeExpired
    },
    Fault("device-declined", "each poll is answered with authorization_declined", \.pollError) {
      $0 = .authorizationDeclined
    },
    Fault("device-foreign-page", "the page for the code is on another host", \.deviceCode) {
      $0["verification_uri"] = .string(Self.foreignHost + "/devicelogin")
    },
    Fault("device-long-page", "the page with the code has a long address: allowed", \.deviceCode) {
      let page = $0["verification_uri"]?.string ?? ""
      let code = String(repeating: "A", count: 400)
      $0["verification_uri_complete"] = .string("\(page)?user_code=\(code)")
    },
  ]

  /// The answers of Microsoft Graph.
  private static let graphAnswers: [Fault] = [
    Fault("graph-many-items", "/me is answered with 10 MB of short items: allowed", \.me) {
      let item: JSON = ["id": 123_456, "displayName": "Adele Vance", "isRead": true]
      let count = Self.largeAnswer / (item.text.utf8.count + 1) + 1
      $0["items"] = .array(Array(repeating: item, count: count))
    },
    Fault("graph-long-text", "/me is answered with a text of 10 MB: allowed", \.me) {
      $0["content"] = .string(String(repeating: "0123456789", count: Self.largeAnswer / 10))
    },
    Fault("graph-huge", "/me is answered with a text of 100 MB", \.me) {
      $0["content"] = .string(String(repeating: "0123456789", count: Self.largeAnswer))
    },
    Fault(
      "transfer-token", "addresses of down- and uploads refuse a token, as some do",
      \.refusesTransferToken
    ) { $0 = true },
  ]
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
