public import AuthCore
public import CurlHTTP
import FoundationEssentials

/// The app registration of the tests.
public enum TestApplication {
  /// Its client ID.
  public static let clientID = "b6c69a37-df96-4db0-9088-2ab96e1d8215"
  /// Its redirect URI.
  public static let redirectURI = "msauth.io.github.entrance.entrance://auth"
  /// The first line of `identity-emulator`, which describes the demo's connection.
  public static let demoAnnouncement =
    #"{"authority":"https://localhost:5555/common","graph":"https://localhost:5555/v1.0/me","#
    + #""caFile":"/tmp/ca.pem","clientID":"7c1d9f3e-52a8-4b06-9e7d-3f84c0b2a615","#
    + #""redirectURI":"msauth.io.github.entrance.entrance://auth","users":[]}"#

  /// Its configuration.
  public static func configuration(
    authority: String = "https://login.microsoftonline.com/common", known: [String] = [],
    kind: Authority.Kind? = nil
  ) throws(AuthenticationError) -> PublicClientApplicationConfiguration {
    var authorities: [Authority] = []
    for url in known { authorities.append(try Authority(url, kind: kind)) }
    return try PublicClientApplicationConfiguration(
      clientID: clientID, redirectURI: RedirectURI(redirectURI),
      authority: Authority(authority, kind: kind),
      knownAuthorities: authorities)
  }

  /// Creates the app with the given `transport` and `clock`; its waits take no time unless `sleep`
  /// is given.
  ///
  /// With a `broker`, its registration has the redirect URI of brokers.
  public static func make(
    _ transport: any HTTPTransport, clock: ManualClock = ManualClock(),
    store: any TokenCacheStore = MemoryTokenCacheStore(), broker: (any TokenBroker)? = nil,
    authority: String = "https://login.microsoftonline.com/common", known: [String] = [],
    kind: Authority.Kind? = nil,
    sleep: @escaping @Sendable (Duration) async throws -> Void = { _ in },
    configure: (inout PublicClientApplicationConfiguration) -> Void = { _ in }
  ) throws(AuthenticationError) -> PublicClientApplication {
    var configuration = try configuration(authority: authority, known: known, kind: kind)
    configuration.isBrokerRedirectURIRegistered = broker != nil
    configure(&configuration)
    return PublicClientApplication(
      configuration: configuration, store: store, broker: broker,
      runtime: Runtime(now: { clock.now }, sleep: sleep, transport: transport))
  }
}

extension PublicClientApplication {
  /// Requests a token silently; with `force`, also while the cache has one.
  ///
  /// - Parameter change: sets what else the request needs.
  public nonisolated func silently(
    _ account: Account, scopes: [String] = ["User.Read"], force: Bool = false,
    _ change: (inout SilentTokenParameters) -> Void = { _ in }
  ) async throws(AuthenticationError) -> AuthenticationResult {
    var parameters = SilentTokenParameters(scopes: scopes, account: account)
    parameters.forceRefresh = force
    change(&parameters)
    return try await acquireTokenSilent(parameters)
  }
}
