import AuthCore
import Foundation
import IdentityBroker
import TestSupport
import Testing

/// An app with a broker on its own bus, and a scripted authority as its network.
struct AppWorld {
  /// The scopes that the tests request.
  static let scopes = ["https://graph.microsoft.com/User.Read"]

  let bus: TestBus
  let standIn: StandIn
  let clock = ManualClock()
  let store = MemoryTokenCacheStore()
  let authority: ScriptedAuthority
  let app: PublicClientApplication

  /// - Parameter isRegistered: whether the broker may acquire tokens for the app.
  init(
    _ dialect: StandIn.Dialect = .native, isRegistered: Bool = true,
    authority url: String = "https://login.microsoftonline.com/common",
    host: String = "login.microsoftonline.com"
  ) async throws {
    bus = try TestBus()
    standIn = try await StandIn(dialect, on: bus)
    authority = ScriptedAuthority(host: host)
    app = try Self.app(
      bus, store: store, clock: clock, authority: authority, isRegistered: isRegistered, url)
  }

  /// A new run of the app, with the same store.
  func nextRun() throws -> PublicClientApplication {
    try Self.app(bus, store: store, clock: clock, authority: authority, isRegistered: true)
  }

  static func app(
    _ bus: TestBus, store: any TokenCacheStore, clock: ManualClock, authority: ScriptedAuthority,
    isRegistered: Bool, _ url: String = "https://login.microsoftonline.com/common"
  ) throws -> PublicClientApplication {
    var configuration = try TestApplication.configuration(authority: url)
    configuration.isBrokerRedirectURIRegistered = isRegistered
    return PublicClientApplication(
      configuration: configuration, store: store,
      broker: LinuxIdentityBroker(
        address: bus.address, signOutDirectory: bus.folder.path + "/signed-out",
        now: { clock.now }),
      runtime: Runtime(now: { clock.now }, sleep: { _ in }, transport: authority))
  }

  /// Signs in, with the app's own pages unless the broker does it.
  @discardableResult
  func signIn(
    _ configure: (inout InteractiveTokenParameters) -> Void = { _ in }
  ) async throws(AuthenticationError) -> AuthenticationResult {
    var parameters = InteractiveTokenParameters(scopes: Self.scopes, session: authority.pages)
    configure(&parameters)
    return try await app.acquireToken(parameters)
  }

  /// The broker's account, as listed by the app.
  func brokerAccount() async throws -> Account {
    let account = try #require(await app.accounts().first)
    #expect(try await standIn.call().method == "getAccounts")
    return account
  }
}
