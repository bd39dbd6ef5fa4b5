/// The configuration of an emulator.
public struct EmulatorConfiguration: Sendable {
  /// The port to listen on; 0 for any free one.
  public var port = 0
  /// Names besides `localhost` that its certificate is for.
  ///
  /// A program that goes to fixed addresses, such as `graph.microsoft.com`, can be tested where
  /// that name is this computer's.
  public var hostNames: [String] = []
  /// Lifetime of access tokens in seconds.
  public var tokenLifetime = 3600
  /// The polling interval of device codes, in seconds.
  public var deviceCodeInterval = 5
  /// How authorization responses reach the redirect URI.
  public var redirectDelivery = RedirectDelivery.http302
  /// The app registrations.
  ///
  /// The first is the demo's.
  public var clients = [ClientRegistration.demo]
  /// The APIs that access tokens can be for, besides Microsoft Graph and
  /// ``ResourceRegistration/microsoft``.
  public var resources: [ResourceRegistration] = []
  /// Tenants besides those of every emulator.
  public var tenants: [TenantRegistration] = []
  /// Users besides the demo users.
  public var users: [UserRegistration] = []
  /// How many made-up members Contoso has besides the demo users.
  public var colleagueCount = 1000
  /// The active faults.
  public var faults: Set<Fault> = []
  /// Whether the `/control` endpoints are available, for tests in another process.
  public var isControlEnabled = false
  /// Called with one line for each request: method, path and status, never a query or a body.
  public var log: (@Sendable (String) -> Void)?

  /// Creates the demo's configuration.
  public init() {}
}

/// How an authorization response reaches the redirect URI, to test what a client intercepts.
///
/// An enum, although later versions may add ways: programs name those that they want and need not
/// switch over all.
public enum RedirectDelivery: String, Sendable, CaseIterable, CustomStringConvertible {
  /// A redirect with status and `Location`, the usual way of the platform.
  case http302 = "302"
  /// A page whose script navigates.
  case script
  /// A page with a GET form to the redirect URI, submitted by a script.
  case form
  /// A page with a form to the emulator, whose redirect the page's own `Content-Security-Policy:
  /// form-action 'self'` forbids.
  case formCSP = "form-csp"
  /// A page with `<meta http-equiv="refresh">`.
  case meta
  /// A page with a frame that is redirected.
  ///
  /// No client may accept this one. WebKit does not even report it: a navigation of a frame from
  /// `https` to another scheme is mixed content.
  case iframe

  /// The name, for the command line.
  public var description: String { rawValue }
}
