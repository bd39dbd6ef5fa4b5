import Sentences

/// The configuration of a public client application: its app registration in the Microsoft Entra admin center,
/// and how it makes requests.
public struct PublicClientApplicationConfiguration: Sendable, Equatable {
  /// The application (client) ID.
  ///
  /// A GUID is in lower case, as Microsoft's services write it. OpenID Connect providers may tell capitals
  /// from small letters, so theirs stays as it is.
  public var clientID: String {
    didSet { clientID = Self.canonical(clientID, at: authority) }
  }
  /// Where sign-in pages send the person back to.
  ///
  /// It must be registered exactly so.
  public var redirectURI: RedirectURI
  /// Who can sign in.
  public var authority: Authority
  /// Authorities that are trusted without asking Microsoft about their host.
  ///
  /// Microsoft's own need not be named. Those that Microsoft cannot be asked about must be: AD FS, OpenID
  /// Connect, and the own domains of External ID and B2C. An OpenID Connect provider's endpoints can be
  /// on the hosts of these, too.
  public var knownAuthorities: [Authority]
  /// A PEM file with the certificate authorities to trust, instead of the system's.
  public var caFile: String?
  /// What the app can do, such as `CP1`: it handles the claims challenges of an API.
  ///
  /// They go out with every request for a token; a cached token is used as before.
  public var clientCapabilities: [String]
  /// Whether people of all of Microsoft's clouds can sign in, whichever cloud the authority is in.
  ///
  /// Then the sign-in pages find out which cloud an account is in, and its tokens come from there
  /// (`instance_aware`). Only Entra ID has several clouds. The app has to be registered in each, with the
  /// same client ID.
  public var multipleCloudsSupported = false
  /// Whether `https://login.microsoftonline.com/common/oauth2/nativeclient` is among the redirect URIs of
  /// the app registration.
  ///
  /// A ``TokenBroker`` can then sign people in and renew tokens by itself. Otherwise it only makes the
  /// sign-in pages know the person and the device.
  public var isBrokerRedirectURIRegistered = false
  /// Whether several people use this device, one after the other.
  ///
  /// Then whoever signs in takes the place of everyone before, sign-in pages forget the sign-in when they
  /// close, and whoever signs out leaves nothing behind: see <doc:SharingADevice>.
  public var isSharedDevice: Bool
  /// Whether requests tell the server which library sends them, on what system, and how its last
  /// requests went: the `x-client-` header fields that MSAL always sends.
  ///
  /// They hold nothing about a person.
  public var sendsTelemetry = false
  /// How long before its expiry a token is no longer given out, in seconds: it has to last for the call
  /// that it is asked for.
  ///
  /// When nil, it is five minutes, or a fifth of the token's life where that is shorter. A token that has not
  /// expired serves to its end when nothing newer is to be had.
  public var tokenExpirationBuffer: Double?
  /// Whether tokens whose time is over are given out while the sign-in service is down, as long as the
  /// service said they may be used (`ext_expires_in`).
  ///
  /// See ``AuthenticationResult/isExtendedLifetimeToken``.
  public var extendedLifetimeEnabled = false

  /// Describes an app registration.
  ///
  /// - Throws: ``AuthenticationError`` with code ``AuthenticationError/Code/invalidConfiguration`` when
  ///   the client ID cannot be one.
  public init(
    clientID: String, redirectURI: RedirectURI, authority: Authority = .common,
    knownAuthorities: [Authority] = [], caFile: String? = nil, isSharedDevice: Bool = false,
    clientCapabilities: [String] = []
  ) throws(AuthenticationError) {
    guard !clientID.isEmpty,
      clientID.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && !"\"&#?/\\".utf8.contains($0) })
    else {
      throw AuthenticationError(
        .invalidConfiguration,
        Sentence(
          "'{clientID}' is not a client ID. It is the \"Application (client) ID\" of"
            + " the app registration.", ["clientID": clientID]))
    }
    self.clientID = Self.canonical(clientID, at: authority)
    self.redirectURI = redirectURI
    self.authority = authority
    self.knownAuthorities = knownAuthorities
    self.caFile = caFile
    self.isSharedDevice = isSharedDevice
    self.clientCapabilities = clientCapabilities
  }

  private static func canonical(_ clientID: String, at authority: Authority) -> String {
    authority.kind != .oidc && GUID.isValid(clientID) ? clientID.lowercased() : clientID
  }

  /// Where tokens for `account` come from: its own cloud, where there are several.
  func authority(of account: Account) -> Authority {
    multipleCloudsSupported
      ? authority.moved(toCloudOf: account.environment) ?? authority : authority
  }
}
