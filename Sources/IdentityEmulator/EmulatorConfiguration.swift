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
