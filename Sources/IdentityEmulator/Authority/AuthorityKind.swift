/// The kinds of sign-in services that the emulator provides, each under its own paths.
///
/// An enum, although later versions may add kinds: programs name those that they want and need not
/// switch over all.
public enum AuthorityKind: String, Sendable, CaseIterable, CustomStringConvertible {
  /// Microsoft Entra ID, with work and personal accounts: `/common`, `/contoso.example`.
  case entra
  /// Microsoft Entra External ID: `/customers.example`.
  case externalID
  /// Azure AD B2C: `/shop.example/b2c_1_signin`, `/tfp/shop.example/b2c_1_signin`.
  case b2c
  /// Active Directory Federation Services 2019: `/adfs`.
  case adfs
  /// An OpenID Connect provider that is not Microsoft's: `/realms/Contoso`.
  case oidc

  /// The name, for logs and programs.
  public var description: String { rawValue }
}

/// How the kinds differ.
extension AuthorityKind {
  /// The path of a sample authority.
  var path: String {
    switch self {
    case .entra: "/common"
    case .externalID: "/customers.example"
    case .b2c: "/shop.example/\(Policy.signIn.name)"
    case .adfs: "/adfs"
    case .oidc: "/realms/Contoso"
    }
  }

  /// The scope of a sample API.
  var scope: String {
    switch self {
    case .entra, .externalID: "User.Read"
    case .b2c, .adfs, .oidc: scopePrefix + Scope.demo.name
    }
  }

  /// The prefix of a scope that names the API.
  var scopePrefix: String {
    switch self {
    case .entra, .externalID: Scope.graphPrefix
    case .b2c: "https://shop.example/api/"
    case .adfs: "https://api.contoso.example/"
    case .oidc: ""
    }
  }

  /// The scopes of the API.
  var scopes: [Scope] { isMicrosoftEntra ? Scope.graph : [.demo] }

  /// Whether it has Graph, and Entra's error numbers.
  var isMicrosoftEntra: Bool { self == .entra || self == .externalID }

  /// Whether token responses contain the home account (`client_info`).
  var hasClientInfo: Bool { self != .adfs && self != .oidc }

  /// Whether users are asked for consent; elsewhere an administrator granted it.
  var asksForConsent: Bool { self == .entra || self == .oidc }

  /// Whether users are asked whether to stay signed in.
  var asksToStaySignedIn: Bool { isMicrosoftEntra }

  /// Whether a refresh token is issued without the scope `offline_access`.
  var alwaysGivesRefreshToken: Bool { self == .adfs }

  /// How refresh tokens are rotated.
  var rotation: Rotation {
    switch self {
    case .entra, .externalID, .b2c: .addsNew
    case .adfs: .keepsOld
    case .oidc: .replacesOld
    }
  }

  /// What a refresh does to the refresh token.
  enum Rotation: Sendable {
    /// It returns a new one, and the old one remains valid.
    case addsNew
    /// It returns none (RFC 6749, section 6).
    case keepsOld
    /// It returns a new one, and the old one is used up (RFC 9700, section 4.14.2).
    case replacesOld
  }
}

/// A user flow of Azure AD B2C.
struct Policy: Sendable, Hashable {
  /// Its name as in tokens; paths may contain it in lower case.
  let name: String

  static let signIn = Policy(name: "B2C_1_signin")
  static let editProfile = Policy(name: "B2C_1_edit")

  /// The policy called `name`; case-insensitive.
  init?(named name: some StringProtocol) {
    guard
      let policy = [Self.signIn, .editProfile].first(where: {
        $0.name.lowercased() == name.lowercased()
      })
    else { return nil }
    self = policy
  }

  private init(name: String) { self.name = name }
}
