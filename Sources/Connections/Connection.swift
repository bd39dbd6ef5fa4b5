public import AuthCore
public import Sentences

/// An app registration that Entrance can use.
public struct Connection: Sendable, Equatable {
  /// The name that the user gave it; `entrance --app NAME` opens it.
  public var name: String
  /// The app registration.
  public var application: PublicClientApplicationConfiguration
  /// The scopes to request.
  public var scopes: [String]
  /// The URL that *Call Microsoft Graph API* calls; empty for an app of somebody's own service that
  /// names none.
  public var api: String
  /// The token cache that the connection shares with other programs; nil when its accounts are Entrance's own.
  public var cache: TokenCacheLocation?
  /// Where accounts are kept, the same for all connections of a file; nil to choose automatically.
  public var storage: StorageKind?
  /// Whether the program itself started its sign-in service.
  public internal(set) var isDemo = false

  /// The longest name of a connection in `apps.json`, in Unicode scalars.
  package static let longestName = 256

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

  /// The redirect URI for sign-ins in the system browser: the connection's own if it is a loopback
  /// URI, else `http://localhost`.
  ///
  /// Entra ID's registrations have `http://localhost` without a path; other services may need one.
  /// - Throws: `AuthenticationError` when the URI is invalid, which does not happen with these.
  public func loopbackRedirectURI() throws(AuthenticationError) -> RedirectURI {
    let own = application.redirectURI
    guard !own.isLoopback else { return own }
    return try RedirectURI(
      application.authority.kind == .oidc ? "http://localhost/" : "http://localhost")
  }

  /// What to do if the sign-in service does not know `redirectURI`; nil when it is the registered one.
  public func hint(about redirectURI: RedirectURI) -> Sentence? {
    guard redirectURI != application.redirectURI else { return nil }
    return application.authority.kind.isMicrosofts
      ? Sentence(
        "If the sign-in page shows AADSTS50011, add the redirect URI {uri} to the app registration,"
          + " under “Mobile and desktop applications”.", ["uri": "\(redirectURI)"])
      : Sentence(
        "If the sign-in page does not recognize the redirect URI, add {uri} to the app"
          + " registration, with any port.", ["uri": "\(redirectURI)"])
  }

  /// Whether an account of this connection is one of `other`, too: a sign-out from one is a sign-out from both.
  package func shares(_ account: Account, with other: Connection) -> Bool {
    application.hasClientID(of: other.application) && other.application.isAccount(account)
      && cache == other.cache && storage == other.storage && storage != .memory
      && isDemo == other.isDemo
  }

  /// The permissions in a text, with blanks, line breaks or commas between them.
  package static func scopes(in text: String) -> [String] {
    text.split { $0 == "," || $0.isWhitespace }.map(String.init)
  }

  /// The scopes of a connection that names none, for the app registration `clientID`.
  static func defaultScopes(of kind: Authority.Kind, clientID: String) -> [String] {
    switch kind.known {
    case .entra, .externalID: ["User.Read"]
    // The app's own API.
    case .b2c: [clientID]
    // The only scope of OpenID Connect that is not requested anyway.
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
