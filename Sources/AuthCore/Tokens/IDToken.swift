import FoundationEssentials
import Sentences

/// The validated claims of an ID token (OpenID Connect Core 1.0, section 3.1.3.7).
///
/// The claims show that it belongs to this request, this authority and this app; ``SigningKeyRing``
/// checks the signature.
struct IDToken: Sendable, Equatable {
  /// The token as received.
  let text: Secret<String>
  /// The signature algorithm (`alg`).
  let algorithm: SignatureAlgorithm
  /// The ID of the signing key (`kid`).
  let keyID: String?
  /// All claims, in the order of the token.
  var claims: JSON

  /// The longest token that is parsed, in bytes.
  static let maximumLength = 65_536

  /// What a token is checked against.
  struct Expectation {
    var clientID: String
    var authority: Authority
    var configuration: OpenIDConfiguration
    /// The nonce of the request; nil for a refresh, whose token contains none.
    var nonce: Secret<String>?
  }

  /// Parses a token and checks its claims.
  init(_ token: String, expecting expectation: Expectation) throws(AuthenticationError) {
    try self.init(token)
    guard expectation.configuration.signatureAlgorithms.contains(algorithm) else {
      throw Self.invalid(
        Sentence("its signature algorithm is not one of the sign-in service’s (alg)"))
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
    // Both are required (OpenID Connect Core 1.0, section 2). Their values are not checked here
    // (see `clockDifference(at:)`): this device's clock may be wrong, and the nonce proves that
    // the token is fresh.
    for name in ["exp", "iat"] {
      guard claims[name]?.number != nil else {
        throw Self.invalid(Sentence("it does not say when it is valid ({name})", ["name": name]))
      }
    }
  }

  /// Parses a cached token, whose claims were checked before.
  init(_ token: String) throws(AuthenticationError) {
    guard let segments = Self.segments(of: token) else {
      throw Self.invalid(Sentence("it is not a signed token"))
    }
    guard let header = Base64URL.decode(segments[0]), let payload = Base64URL.decode(segments[1]),
      let header = try? JSON(parsing: header), let claims = try? JSON(parsing: payload),
      claims.object != nil, Base64URL.decode(segments[2]) != nil
    else { throw Self.invalid(Sentence("it cannot be read")) }
    guard let algorithm = header["alg"]?.string.flatMap(SignatureAlgorithm.init) else {
      throw Self.invalid(Sentence("its signature algorithm is not supported (alg)"))
    }
    let keyID = header.optional("kid")
    guard keyID == nil || keyID?.string != nil else {
      throw Self.invalid(Sentence("it does not identify its signing key (kid)"))
    }
    guard header.optional("crit") == nil else {
      throw Self.invalid(Sentence("it requires an unsupported extension (crit)"))
    }
    text = Secret(token)
    self.algorithm = algorithm
    self.keyID = keyID?.string
    self.claims = claims
  }

  /// The header, payload and signature of `token`; nil when it is not a signed token.
  private static func segments(of token: String) -> [Substring]? {
    guard token.utf8.count <= maximumLength else { return nil }
    let segments = token.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      .map(Substring.init)
    return segments.count == 3 && segments.allSatisfy { !$0.isEmpty } ? segments : nil
  }

  /// The claims of `token`, whatever else is wrong with it; nil when they cannot be read.
  static func claims(in token: String) -> JSON? {
    guard let payload = segments(of: token).flatMap({ Base64URL.decode($0[1]) }),
      let claims = try? JSON(parsing: payload), claims.object != nil
    else { return nil }
    return claims
  }

  /// Throws when the token's `at_hash` does not match `accessToken`.
  ///
  /// A token without it is accepted (OpenID Connect Core 1.0, section 3.1.3.6).
  func checkHash(of accessToken: Secret<String>) throws(AuthenticationError) {
    guard let hash = claims.optional("at_hash") else { return }
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

  /// The name that the user types to sign in.
  ///
  /// A B2C policy may return no name; then it is MSAL's placeholder.
  func username(at kind: Authority.Kind) -> String {
    self["preferred_username"] ?? self["upn"] ?? self["email"] ?? claims["emails"]?.array?.first?
      .string
      ?? (kind == .b2c ? Self.missingUsername : kind.hasClientInfo ? "" : self["sub"] ?? "")
  }

  /// The placeholder for a missing user name.
  static let missingUsername = "Missing from the token response"

  private func checkIssuer(_ expectation: Expectation) throws(AuthenticationError) {
    let kind = expectation.authority.kind
    var issuer = expectation.configuration.issuer
    if kind.hasTenantClaim || kind == .b2c && claims.optional("tid") != nil {
      guard let tenantID = self["tid"], GUID.isValid(tenantID) else {
        throw Self.invalid(Sentence("it has no tenant (tid)"))
      }
      issuer = expectation.configuration.issuer(forTenantID: tenantID)
      guard expectation.authority.admits(tenantID: tenantID.lowercased(), issuer: issuer) else {
        throw Self.invalid(Sentence("it comes from another tenant (tid)"))
      }
    }
    guard self["iss"] == issuer else {
      throw Self.invalid(
        Sentence(
          "it comes from the issuer “{found}” instead of “{expected}” (iss)",
          [
            "found": self["iss"].map { $0.shown(upTo: 200) } ?? "",
            "expected": issuer.shown(upTo: 200),
          ]))
    }
    // A policy can define how strong the sign-in is, so another policy's token is not accepted.
    if let policy = expectation.authority.policy, let named = self["tfp"],
      named.lowercased() != policy
    {
      throw Self.invalid(Sentence("it comes from another policy (tfp)"))
    }
  }

  /// OpenID Connect Core 1.0, section 3.1.3.7, rules 3 to 5.
  private func checkAudience(_ clientID: String) throws(AuthenticationError) {
    let audiences = claims["aud"]?.array ?? [claims["aud"] ?? .null]
    guard audiences.contains(.string(clientID)) else {
      throw Self.invalid(Sentence("it is for another app (aud)"))
    }
    // With several audiences, `azp` is required; where present, it must be this app.
    let party = claims.optional("azp")
    guard party == .string(clientID) || party == nil && audiences.count == 1 else {
      throw Self.invalid(Sentence("it was issued to another app (azp)"))
    }
  }

  /// The error for a rejected token.
  static func invalid(_ reason: Sentence) -> AuthenticationError {
    AuthenticationError(
      .invalidIDToken,
      Sentence("The sign-in service’s ID token was refused: {reason}.", ["reason": reason]),
      step: .token)
  }
}
