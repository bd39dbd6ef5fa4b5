/// An endpoint of an authority, with its name in the OpenID configuration.
enum Endpoint: String, CaseIterable {
  case authorization = "authorization_endpoint"
  case token = "token_endpoint"
  case deviceAuthorization = "device_authorization_endpoint"
  case endSession = "end_session_endpoint"
  case keys = "jwks_uri"
  case userInfo = "userinfo_endpoint"

  /// The paths below that of an authority; one of Entra's has none.
  private var paths: (entra: String, adfs: String, oidc: String) {
    switch self {
    case .authorization: ("/oauth2/v2.0/authorize", "/oauth2/authorize", "/authorize")
    case .token: ("/oauth2/v2.0/token", "/oauth2/token", "/token")
    case .deviceAuthorization: ("/oauth2/v2.0/devicecode", "/oauth2/devicecode", "/device")
    case .endSession: ("/oauth2/v2.0/logout", "/oauth2/logout", "/logout")
    case .keys: ("/discovery/v2.0/keys", "/discovery/keys", "/keys")
    case .userInfo: ("/oidc/userinfo", "/userinfo", "/userinfo")
    }
  }

  /// The path of an authority's endpoint; nil when its kind has none.
  ///
  /// - Parameter base: the path of the authority.
  func path(of kind: AuthorityKind, below base: String) -> String? {
    switch kind {
    case .entra, .externalID: self == .userInfo ? paths.entra : base + paths.entra
    case .b2c: self == .userInfo || self == .deviceAuthorization ? nil : base + paths.entra
    case .adfs: base + paths.adfs
    case .oidc: base + paths.oidc
    }
  }

  /// The routes to it.
  var routes: [String] {
    let authorities: [(kind: AuthorityKind, base: String)] = [
      (.entra, "/{tenant}"), (.b2c, "/te/{tenant}/{policy}"), (.adfs, "/adfs"),
      (.oidc, "/realms/{realm}"),
    ]
    return authorities.compactMap { path(of: $0.kind, below: $0.base) }
  }
}
