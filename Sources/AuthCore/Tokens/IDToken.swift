import FoundationEssentials
import Sentences

/// The claims of an ID token, checked (OpenID Connect Core 1.0, section 3.1.3.7).
///
/// That its claims are checked makes it an answer to this request by this authority for this app; that
/// the authority signed it is for ``SigningKeyRing`` to say.
struct IDToken: Sendable, Equatable {
  /// The token as it came.
  let text: Secret<String>
  /// How it is signed (`alg`).
  let algorithm: SignatureAlgorithm
  /// The key that signed it (`kid`).
  let keyID: String?
  /// All claims, in the order of the token.
  var claims: JSON

  /// The longest token that is read, in bytes.
  static let maximumLength = 65_536

  /// What a token is held against.
  struct Expectation {
    var clientID: String
    var authority: Authority
    var configuration: OpenIDConfiguration
    /// The nonce of the request; nil for a refresh, whose token repeats none.
    var nonce: Secret<String>?
  }

  /// Reads a token and checks its claims.
  init(_ token: String, expecting expectation: Expectation) throws(AuthenticationError) {
    try self.init(token)
    guard expectation.configuration.signatureAlgorithms.contains(algorithm) else {
      throw Self.invalid(
        Sentence(
          "its signature algorithm is not one of the sign-in service's (alg)"))
    }
    try checkIssuer(expectation)
    try checkAudience(expectation.clientID)
    if let nonce = expectation.nonce {
      guard let claim = self["nonce"], constantTimeEqual(claim, nonce.exposed) else {
        throw Self.invalid(Sentence("it belongs to another request (nonce)"))
      }
    }
    guard let subject = self["sub"], !subject.isEmpty else {
      throw Self.invalid(Sentence("it has no subject (sub)"))
    }
    // Both are required (OpenID Connect Core 1.0, section 2). A clock that disagrees is no reason to refuse
    // (`disagrees(withClock:)`): it may be wrong on this device, and the nonce tells that the token is fresh.
    for name in ["exp", "iat"] {
      guard case .number = claims[name] else {
        throw Self.invalid(Sentence("it does not say when it is valid ({name})", ["name": name]))
      }
    }
  }

  /// Reads a token without checking whom it is for: one from the cache, which was checked before.
  init(_ token: String) throws(AuthenticationError) {
    let segments = token.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      .map(Substring.init)
    guard token.utf8.count <= Self.maximumLength, segments.count == 3,
      segments.allSatisfy({ !$0.isEmpty })
    else { throw Self.invalid(Sentence("it is not a signed token")) }
    guard let header = Base64URL.decode(segments[0]), let payload = Base64URL.decode(segments[1]),
      let header = try? JSON(parsing: header), let claims = try? JSON(parsing: payload),
      claims.object != nil, Base64URL.decode(segments[2]) != nil
    else { throw Self.invalid(Sentence("it cannot be read")) }
    guard let algorithm = header["alg"]?.string.flatMap(SignatureAlgorithm.init) else {
      throw Self.invalid(Sentence("its signature algorithm is not supported (alg)"))
    }
    guard header["kid"] == nil || header["kid"]?.string != nil else {
      throw Self.invalid(Sentence("it does not identify its signing key (kid)"))
    }
    guard header["crit"] == nil else {
      throw Self.invalid(Sentence("it requires an unsupported extension (crit)"))
    }
    text = Secret(token)
    self.algorithm = algorithm
    keyID = header["kid"]?.string
    self.claims = claims
  }

  /// Throws when the token came with another access token than `accessToken`.
  ///
  /// A token that does not tell need not (OpenID Connect Core 1.0, section 3.1.3.6).
  func checkHash(of accessToken: Secret<String>) throws(AuthenticationError) {
    guard let hash = claims["at_hash"] else { return }
    guard hash == .string(algorithm.accessTokenHash(accessToken)) else {
      throw Self.invalid(Sentence("it belongs to another access token (at_hash)"))
    }
  }

  /// The claim called `name`, when it is a string.
  subscript(name: String) -> String? { claims[name]?.string }

  /// The tenant that issued the token.
  var tenantID: String? { self["tid"].map { $0.lowercased() } }

  /// The account's ID in that tenant.
  var localAccountID: String? { self["oid"] ?? self["sub"] }

  /// How far the clocks of this device and the service may be apart, in seconds.
  private static let clockTolerance = 300.0

  /// Whether the token, which has just come, is over or not yet good by this device's clock.
  func disagrees(withClock date: Date) -> Bool {
    func isAfter(_ claim: String, _ limit: Double) -> Bool {
      claims[claim]?.integer.map { Double($0) > limit } == true
    }
    let now = date.timeIntervalSince1970
    return !isAfter("exp", now - Self.clockTolerance)
      || isAfter("iat", now + Self.clockTolerance) || isAfter("nbf", now + Self.clockTolerance)
  }

  /// The longest life that is believed, in seconds.
  private static let longestLife = 366 * 86_400.0

  /// When the token can no longer be used, by the clock here; nil when it does not say.
  ///
  /// A token that looks expired as it comes tells of a clock that is wrong: then its life counts from
  /// `date`.
  func expiry(receivedAt date: Date) -> Date? {
    guard let end = claims["exp"]?.integer.map(Double.init) else { return nil }
    var life = end - date.timeIntervalSince1970
    if life <= 0, let start = claims["iat"]?.integer.map(Double.init) { life = end - start }
    return life > 0 ? date + min(life, Self.longestLife) : nil
  }

  /// What the person types to sign in.
  ///
  /// A B2C policy may tell no name at all; MSAL has words for that.
  func username(at kind: Authority.Kind) -> String {
    self["preferred_username"] ?? self["upn"] ?? self["email"] ?? claims["emails"]?.array?.first?
      .string
      ?? (kind == .b2c ? Self.missingUsername : kind.hasClientInfo ? "" : self["sub"] ?? "")
  }

  /// What stands in for a user name that the token does not tell.
  static let missingUsername = "Missing from the token response"

  private func checkIssuer(_ expectation: Expectation) throws(AuthenticationError) {
    let kind = expectation.authority.kind
    var issuer = expectation.configuration.issuer
    if kind.hasTenantClaim || kind == .b2c && claims["tid"] != nil {
      guard let tenantID = self["tid"], GUID.isValid(tenantID) else {
        throw Self.invalid(Sentence("it has no tenant (tid)"))
      }
      issuer = expectation.configuration.issuer(forTenantID: tenantID)
      guard isAllowed(tenantID.lowercased(), by: expectation.authority, issuer) else {
        throw Self.invalid(Sentence("it comes from another tenant (tid)"))
      }
    }
    guard self["iss"] == issuer else {
      throw Self.invalid(Sentence("it comes from another issuer (iss)"))
    }
    // A policy can be how strongly someone signed in: one does not stand for another.
    if let policy = expectation.authority.policy, let named = self["tfp"],
      named.lowercased() != policy
    {
      throw Self.invalid(Sentence("it comes from another policy (tfp)"))
    }
  }

  private func isAllowed(_ tenantID: String, by authority: Authority, _ issuer: String) -> Bool {
    let isPersonal = tenantID == Authority.personalAccountsTenant
    return switch authority.tenant {
    case "common": true
    case "organizations": !isPersonal
    case "consumers": isPersonal
    // The authority's tenant may be a name; its issuer tells the ID.
    default: issuer.lowercased().split(separator: "/").contains { $0 == tenantID }
    }
  }

  /// OpenID Connect Core 1.0, section 3.1.3.7, rules 3 to 5.
  private func checkAudience(_ clientID: String) throws(AuthenticationError) {
    let audiences = claims["aud"]?.array ?? [claims["aud"] ?? .null]
    guard audiences.contains(.string(clientID)) else {
      throw Self.invalid(Sentence("it is for another app (aud)"))
    }
    // Who it was issued to has to be told where it is for several, and has to be this app wherever it is.
    guard claims["azp"] == .string(clientID) || claims["azp"] == nil && audiences.count == 1 else {
      throw Self.invalid(Sentence("it was issued to another app (azp)"))
    }
  }

  /// Why a token was refused.
  static func invalid(_ reason: Sentence) -> AuthenticationError {
    AuthenticationError(
      .invalidIDToken,
      Sentence("The sign-in service's ID token was refused: {reason}.", ["reason": reason]),
      step: .token)
  }
}
