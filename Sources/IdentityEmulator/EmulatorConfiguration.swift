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
