public import AuthCore

/// One app registration that Entrance can work with.
public struct Connection: Sendable, Equatable {
  /// What the person calls it; `entrance --connection NAME` names it.
  public var name: String
  /// The app registration.
  public var application: PublicClientApplicationConfiguration
  /// The scopes to ask for.
  public var scopes: [String]
  /// What *Call Microsoft Graph API* calls.
  public var api: String
  /// The token cache that the connection shares with other programs; nil when its accounts are Entrance's own.
  public var cache: TokenCacheLocation?
  /// Where accounts are kept, which is the same for all connections of a file; nil for where it fits.
  public var storage: StorageKind?
  /// Whether its sign-in service is one that the program has started itself.
  public internal(set) var isDemo = false
  /// Why the sign-in window cannot work with it, though `entrancectl` can; nil when it can.
  public internal(set) var windowFault: ConnectionFileError?

  /// Describes a connection.
  public init(
    name: String, application: PublicClientApplicationConfiguration, scopes: [String], api: String,
    storage: StorageKind? = nil
  ) {
    self.name = name
    self.application = application
    self.scopes = scopes
    self.api = api
    self.storage = storage
  }

  /// The redirect URI of a sign-in in the person's browser: the connection's own if it leads to this computer,
  /// else `http://localhost`.
  ///
  /// Entra ID's registrations have that without a path; some services of others cannot do without one.
  /// - Throws: `AuthenticationError` when the URI is refused, which does not happen with these.
  public func loopbackRedirectURI() throws(AuthenticationError) -> RedirectURI {
    let own = application.redirectURI
    guard !own.isLoopback else { return own }
    return try RedirectURI(
      application.authority.kind == .oidc ? "http://localhost/" : "http://localhost")
  }

  /// The scopes of a connection that names none, for the app registration `clientID`.
  static func defaultScopes(of kind: Authority.Kind, clientID: String) -> [String] {
    switch kind.known {
    case .entra, .externalID: ["User.Read"]
    // The app as an API of its own.
    case .b2c: [clientID]
    // Of those that OpenID Connect names, the one that is not asked for anyway.
    case .adfs, .oidc: ["email"]
    }
  }

  /// The API of a connection that names none; nil where tokens are not for Microsoft Graph.
  static func defaultAPI(of kind: Authority.Kind) -> String? {
    switch kind.known {
    case .entra, .externalID: "https://graph.microsoft.com/v1.0/me"
    case .b2c, .adfs, .oidc: nil
    }
  }
}
