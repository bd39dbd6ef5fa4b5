/// How the emulator is set up.
public struct EmulatorConfiguration: Sendable {
  /// The port to listen on; 0 lets the system choose a free one.
  public var port = 0
  /// Lifetime of access tokens in seconds.
  public var tokenLifetime = 3600
  /// The seconds that must lie between two polls with a device code.
  public var deviceCodeInterval = 5
  /// How authorization responses reach the redirect URI.
  public var redirectDelivery = RedirectDelivery.http302
  /// The registered applications.
  ///
  /// The first is the one of the demo.
  public var clients = [ClientRegistration.demo]
  /// How it misbehaves.
  public var faults: Set<Fault> = []
  /// Whether the `/control` endpoints are served, for tests that run in another process.
  public var isControlEnabled = false
  /// Gets one line a request: method, path and status, never a query or a body.
  public var log: (@Sendable (String) -> Void)?

  /// Creates the configuration of the demo.
  public init() {}
}

/// The ways an authorization response can travel, for testing what a client intercepts.
public enum RedirectDelivery: String, Sendable, CaseIterable {
  /// A redirect by status and `Location`, as the platform does it mostly.
  case http302 = "302"
  /// A page whose script navigates.
  case script
  /// A page with a GET form to the redirect URI, sent by script.
  case form
  /// A page with a form to the emulator, whose redirect is forbidden by the page's own
  /// `Content-Security-Policy: form-action 'self'`.
  case formCSP = "form-csp"
  /// A page with `<meta http-equiv="refresh">`.
  case meta
  /// A page with a frame that is redirected.
  ///
  /// No client may accept this one. WebKit does not even ask: to it, a frame that goes from `https`
  /// to another scheme is mixed content.
  case iframe
}
