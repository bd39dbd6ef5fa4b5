import Sentences

/// The configuration of a public client application: its app registration in the Microsoft Entra
/// admin center, and how it makes requests.
public struct PublicClientApplicationConfiguration: Sendable, Equatable {
  /// The application (client) ID.
  ///
  /// A GUID is converted to lower case, as Microsoft's services write it. Other IDs are unchanged,
  /// because those of OpenID Connect providers may be case-sensitive. An ID that the
  /// initializer would refuse is refused by the first request that needs it.
  public var clientID: String {
    didSet { clientID = Self.canonical(clientID, at: authority) }
  }
  /// The redirect URI.
  ///
  /// It must be registered exactly like this.
  public var redirectURI: RedirectURI
  /// The authority, which determines who can sign in.
  public var authority: Authority
  /// Authorities that are trusted without Microsoft's instance discovery.
  ///
  /// Microsoft's own hosts need not be listed. Hosts that instance discovery does not cover must
  /// be: AD FS, OpenID Connect, and custom domains of External ID and B2C. An OpenID Connect
  /// provider's endpoints can be on these hosts too.
  public var knownAuthorities: [Authority]
  /// A PEM file with the certificate authorities to trust, instead of the system's.
  public var caFile: String?
  /// The app's capabilities, such as `CP1`: it handles the claims challenges of an API.
  ///
  /// They are sent with every token request; a cached token is still used.
  public var clientCapabilities: [String]
  /// Whether people of all of Microsoft's clouds can sign in, whatever the cloud of the authority.
  ///
  /// The sign-in pages then find out which cloud an account is in, and its tokens come from there
  /// (`instance_aware`). Only Entra ID has several clouds. The app must be registered in each, with
  /// the same client ID.
  public var multipleCloudsSupported = false
  /// Whether `https://login.microsoftonline.com/common/oauth2/nativeclient` is among the redirect
  /// URIs of the app registration.
  ///
  /// A ``TokenBroker`` can then sign people in and renew tokens itself. Otherwise it only provides
  /// cookies by which the sign-in pages recognize account and device.
  public var isBrokerRedirectURIRegistered = false
  /// The redirect URI of a broker's own pages.
  package static let brokerRedirectURI =
    "https://login.microsoftonline.com/common/oauth2/nativeclient"
  /// Whether several people use this device, one after the other.
  ///
  /// A sign-in then replaces all earlier accounts, sign-in pages keep no session, and signing out
  /// removes everything: see <doc:SharingADevice>.
  public var isSharedDevice: Bool
  /// Whether requests tell the server the library's version, the operating system, and the outcome
  /// of previous requests: the `x-client-` header fields that MSAL always sends.
  ///
  /// They contain nothing about the user.
  public var sendsTelemetry = false
  /// How long before it expires a token is no longer returned, in seconds, so that it lasts for the
  /// API call.
  ///
  /// When nil, it is five minutes, or a fifth of the token's lifetime if that is shorter. If a
  /// token cannot be renewed, it is returned until it expires.
  public var tokenExpirationBuffer: Double?
  /// Whether expired tokens are returned during an outage of the service, within the extended
  /// lifetime that the service granted (`ext_expires_in`).
  ///
  /// See ``AuthenticationResult/isExtendedLifetimeToken``.
  public var extendedLifetimeEnabled = false

  /// Creates an app registration.
  ///
  /// - Throws: ``AuthenticationError`` with code
  ///   ``AuthenticationError/Code/invalidConfiguration`` when the client ID is invalid.
  public init(
    clientID: String, redirectURI: RedirectURI, authority: Authority = .common,
    knownAuthorities: [Authority] = [], caFile: String? = nil, isSharedDevice: Bool = false,
    clientCapabilities: [String] = []
  ) throws(AuthenticationError) {
    self.clientID = Self.canonical(clientID, at: authority)
    self.redirectURI = redirectURI
    self.authority = authority
    self.knownAuthorities = knownAuthorities
    self.caFile = caFile
    self.isSharedDevice = isSharedDevice
    self.clientCapabilities = clientCapabilities
    try checkClientID()
  }

  /// Throws when the client ID is invalid.
  func checkClientID() throws(AuthenticationError) {
    // Any visible character (RFC 6749, appendix A.1): the IDs of other services may be URLs. A
    // space is only ever copied by mistake, and separates IDs in names of records.
    let excluded = authority.kind.isMicrosofts ? "\"&#?/\\" : ""
    guard !clientID.isEmpty,
      clientID.utf8.allSatisfy({ $0.isVisibleASCII && !excluded.utf8.contains($0) })
    else {
      throw AuthenticationError(
        .invalidConfiguration,
        Sentence(
          "“{clientID}” is not a client ID. Enter the “Application (client) ID” of the app"
            + " registration.", ["clientID": clientID]))
    }
  }

  private static func canonical(_ clientID: String, at authority: Authority) -> String {
    authority.kind != .oidc && GUID.isValid(clientID) ? clientID.lowercased() : clientID
  }

  /// The authority that issues tokens for `account`: that of its own cloud, if there are several.
  func authority(of account: Account) -> Authority {
    multipleCloudsSupported
      ? authority.moved(toCloudOf: account.environment) ?? authority : authority
  }

  /// Whether an account can be used in several tenants: its own, and those where it is a guest.
  package var hasTenants: Bool {
    authority.kind == .entra && !authority.isTenanted && authority.tenant != "consumers"
  }

  /// The authority that issues tokens for `account` in `tenant`, given by its domain or ID.
  ///
  /// Nil when the app's authority determines the tenant, or `tenant` is not a tenant's name.
  package func authority(of account: Account, inTenant tenant: String) -> Authority? {
    let tenant = tenant.lowercased()
    guard hasTenants, tenant.contains(".") || GUID.isValid(tenant), !tenant.contains("/"),
      !tenant.hasPrefix("."), !tenant.hasSuffix("."),
      let authority = try? Authority(
        "https://\(authority(of: account).environment)/\(tenant)", kind: .entra),
      authority.tenant == tenant
    else { return nil }
    return authority
  }
}
