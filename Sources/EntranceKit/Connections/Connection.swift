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

  /// The redirect URI that Entrance answers to.
  public static let redirectURI = "msauth.io.github.entrance.entrance://auth"
  /// The scopes of a connection that names none.
  public static let defaultScopes = ["User.Read"]
  /// The API of a connection that names none.
  public static let defaultAPI = "https://graph.microsoft.com/v1.0/me"

  /// Whether the sign-in service runs on this very machine, as the demo's does.
  public var isDemo: Bool {
    application.authority.environment.prefix { $0 != ":" } == "localhost"
  }
}
