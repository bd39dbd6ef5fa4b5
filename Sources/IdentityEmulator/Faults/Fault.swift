/// A fault that the emulator can simulate.
///
/// Each raw value is the fault's name and its description. Each group is implemented in a file
/// beside this one. An enum, although later versions may add faults: programs name those that they
/// want and need not switch over all.
public enum Fault: String, Sendable, CaseIterable {
  // The claims of ID tokens: Faults+IDToken.swift
  case wrongIssuer = "wrong-issuer: iss is another service's"
  case otherTenantIssuer = "other-tenant-issuer: iss is another tenant's than tid"
  case otherTenant = "other-tenant: iss and tid are those of a tenant that nobody knows"
  case missingIssuer = "missing-issuer: there is no iss"
  case missingTenant = "missing-tenant: there is no tid"
  case wrongAudience = "wrong-audience: aud is another application"
  case missingAudience = "missing-audience: there is no aud"
  case audiencesWithoutParty =
    "audiences-without-azp: aud is this application and another, without azp"
  case audiencesOfOther =
    "audiences-azp-other: aud is this application and another, which is the azp"
  case audiencesOfClient =
    "audiences-azp-client: aud is this application and another, and azp is this one: allowed"
  case missingExpiry = "missing-exp: there is no exp"
  case oldExpiry = "old-exp: exp is a day ago"
  case wrongExpiry = "text-exp: exp is a text"
  case missingIssuedAt = "missing-iat: there is no iat"
  case oldIssuedAt = "old-iat: iat is a year ago"
  case futureIssuedAt = "future-iat: iat is a day ahead"
  case missingNotBefore = "missing-nbf: there is no nbf: allowed"
  case futureNotBefore = "future-nbf: nbf is a day ahead"
  case wrongNonce = "wrong-nonce: nonce is another request's"
  case missingNonce = "missing-nonce: there is no nonce"
  case missingSubject = "missing-sub: there is no sub"
  case emptySubject = "empty-sub: sub is empty"
  case missingObjectID = "missing-oid: there is no oid"
  case wrongTokenHash = "wrong-at-hash: at_hash is another access token's"
  case wrongCodeHash = "wrong-c-hash: c_hash is another code's"
  case hostileText =
    "hostile-text: names, and errors of Graph, hold what terminals and logs obey: to be shown"
  case otherSubject = "other-sub: a refresh brings an ID token with another sub"

  // The signatures of ID tokens: Faults+Signature.swift
  case wrongSignature = "wrong-signature: the signature is one bit off"
  case algorithmNone = "alg-none: alg is none, and there is no signature"
  case algorithmHMAC = "alg-hs256: alg is HS256, with the public key as the secret"
  case unknownKeyID = "unknown-kid: kid names no key of the key set"
  case unknownExtension = "unknown-crit: crit asks for an extension that nobody knows"
  case foreignKeySet = "foreign-jku: jku names a key set on another host: to be passed over"
  case rotatedKey =
    "rotated-key: another key signs, and the one before is gone from the key set: allowed"
  case keySetUnavailable = "jwks-unavailable: the key set is answered with 503"
  case keySetGarbage = "jwks-garbage: the key set is not JSON"

  // The contents of token responses: Faults+TokenResponse.swift
  case refreshOfAnother = "refresh-other-user: a refresh is answered with another user's tokens"
  case codeRedeemed = "code-redeemed: every code is redeemed already"
  case missingIDToken = "no-id-token: there is no ID token"
  case missingAccessToken = "no-access-token: there is no access token"
  case missingRefreshToken = "no-refresh-token: there is no refresh token"
  case missingClientInfo = "no-client-info: there is no client_info"
  case wrongTokenType = "wrong-token-type: token_type is mac"
  case negativeLifetime = "negative-expires-in: expires_in is negative: to be passed over"
  case missingLifetime = "no-expires-in: there is no expires_in: allowed"
  case fewerScopes = "fewer-scopes: only openid is granted"

  // The replies of the token endpoint: Faults+TokenEndpoint.swift
  case tokenThrottled = "token-429: 429 with Retry-After: 30"
  case tokenServerError = "token-500: 500"
  case tokenUnavailable = "token-503: 503 with Retry-After: 30"
  case tokenPage = "token-html: 200 with a page, as behind a captive portal"
  case tokenTruncated = "token-truncated: JSON that breaks off"
  case tokenDuplicate = "token-duplicate: JSON with access_token twice"
  case tokenHuge = "token-huge: JSON of 2 MiB"
  case tokenSlow = "token-slow: an answer after ten minutes"
  case tokenRedirect = "token-redirect: 307 to another path"
  case tokenErrorOK = "token-error-200: 200 with an error in it"

  // The authority's metadata: Faults+Discovery.swift
  case discoveryForeign = "discovery-foreign-endpoint: token_endpoint is on another host"
  case discoveryInsecure = "discovery-http: authorization_endpoint is http"
  case discoveryIssuer = "discovery-wrong-issuer: issuer is another service's"
  case discoveryIncomplete = "discovery-no-token-endpoint: there is no token_endpoint"
  case discoveryForeignKeys = "discovery-foreign-jwks: jwks_uri is on another host"
  case discoveryPage = "discovery-html: 200 with a page"
  case discoveryNotFound = "discovery-404: 404"
  case discoveryServerError = "discovery-500: 500"
  case discoveryRedirect = "discovery-redirect: 302 to another host"
  case noSignOut = "no-end-session: there is no end_session_endpoint"
  case noDeviceCode = "no-device-endpoint: there is no device_authorization_endpoint"

  // The parameters of redirects: Faults+Redirect.swift
  case wrongState = "wrong-state: state is another request's"
  case missingState = "missing-state: there is no state"
  case wrongResponseIssuer = "wrong-response-iss: iss is another service's (RFC 9207)"
  case missingResponseIssuer = "missing-response-iss: iss is promised and does not come (RFC 9207)"
  case codeTwice = "code-twice: there are two codes"
  case codeWithError = "code-with-error: there is a code, and an error"
  case emptyCode = "empty-code: the code is empty"
  case inFragment = "response-in-fragment: the parameters are in the fragment"
  case signOutWrongState = "sign-out-wrong-state: the state of a sign-out is another's"
  case signOutMissingState = "sign-out-missing-state: a sign-out comes back without state"

  // The device code flow: Faults+DeviceCode.swift
  case deviceSlowDown = "device-slow-down: each poll is answered with slow_down"
  case deviceExpired = "device-expired: each poll is answered with expired_token"
  case deviceDeclined = "device-declined: each poll is answered with authorization_declined"
  case deviceForeignPage = "device-foreign-page: the page for the code is on another host"

  // The answers of Microsoft Graph: Faults+Graph.swift
  case graphManyItems = "graph-many-items: /me is answered with 10 MB of short items: allowed"
  case graphLongText = "graph-long-text: /me is answered with a text of 10 MB: allowed"

  /// A host that is not the emulator's, and does not exist.
  static let foreignHost = "https://evil.example"

  /// The fault called `name`; nil when there is none.
  public init?(named name: String) {
    guard let fault = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = fault
  }

  /// The name that activates it.
  public var name: String { String(rawValue.prefix { $0 != ":" }) }

  /// The description, on one line.
  public var meaning: String { String(rawValue.dropFirst(name.count + 2)) }

  /// The names that are most similar to `name`, best match first; names that contain it come before
  /// all others.
  public static func names(like name: String) -> [String] {
    allCases.map(\.name)
      .map { ($0.contains(name) ? 0 : 1, distance(from: name, to: $0), $0) }
      .sorted { $0 < $1 }.prefix(3).map(\.2)
  }

  /// The number of characters to insert, delete or replace to turn `one` into `other`
  /// (Levenshtein).
  private static func distance(from one: String, to other: String) -> Int {
    var row = Array(0...other.count)
    for (index, character) in one.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for (column, candidate) in other.enumerated() {
        let changed = diagonal + (character == candidate ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(changed, diagonal + 1, row[column] + 1)
      }
    }
    return row[other.count]
  }
}
