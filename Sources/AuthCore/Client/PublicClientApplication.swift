import CurlHTTP
import FoundationEssentials

/// A public client application: signs people in with Microsoft, and acquires tokens for the APIs that it calls.
///
/// Accounts and tokens are cached in the store that it is given. A request goes over the network only when the
/// cache has no token that will do:
///
/// ```swift
/// let app = PublicClientApplication(configuration: configuration, store: store)
/// if let account = await app.currentAccount().current {
///   let result = try await app.acquireTokenSilent(
///     SilentTokenParameters(scopes: ["User.Read"], account: account))
///   print("A token for \(result.account.username), good until \(result.expiresOn)")
/// }
/// ```
public actor PublicClientApplication {
  /// The version of this library.
  public static let sdkVersion = "0.1.0"

  /// The app registration.
  public nonisolated let configuration: PublicClientApplicationConfiguration

  // What requests go through.
  let runtime: Runtime
  let log: Log
  let network: Network
  let telemetry: Telemetry
  let authorities: AuthorityResolver
  let signingKeys: SigningKeyRing
  let broker: BrokerSession?

  // Accounts and their tokens.
  let memory: RecordMemory
  let externalProviders: [any ExternalAccountProvider]

  // What requests have to know of each other.
  let sharedRequests = SharedWork<SilentRequestKey, SilentOutcome>()
  var throttle = Throttle()
  var renewalPauses = RenewalPauses()
  var backgroundRenewals: Set<SilentRequestKey> = []
  /// The interactive request that is under way.
  var interactiveRequest: InteractiveRequest?
  /// The account that ``currentAccount()`` reported last.
  var lastReported: Account?

  /// Creates a public client application.
  ///
  /// Nothing is read from `store` and nothing is sent until it is needed.
  /// - Parameters:
  ///   - configuration: the app registration.
  ///   - store: the token cache: keeps accounts and tokens.
  ///   - externalAccountProviders: who else knows accounts: they are listed by ``externalAccounts()``, and
  ///     told who signs in and out here.
  ///   - broker: the way to this computer's identity broker, if it has one; see
  ///     ``PublicClientApplicationConfiguration/isBrokerRedirectURIRegistered``.
  ///   - runtime: the clock, randomness and the network.
  public init(
    configuration: PublicClientApplicationConfiguration,
    store: any TokenCacheStore = MemoryTokenCacheStore(),
    externalAccountProviders: [any ExternalAccountProvider] = [],
    broker: (any TokenBroker)? = nil, runtime: Runtime = Runtime()
  ) {
    self.configuration = configuration
    externalProviders = externalAccountProviders
    self.broker = BrokerSession(broker, client: configuration)
    self.runtime = runtime
    log = runtime.log
    telemetry = Telemetry(isOn: configuration.sendsTelemetry)
    network = Network(
      transport: runtime.transport
        ?? CurlClient(CurlClient.Configuration(caFile: configuration.caFile)), runtime: runtime,
      clientFields: telemetry.clientFields)
    signingKeys = SigningKeyRing(network: network, runtime: runtime)
    authorities = AuthorityResolver(client: configuration, network: network, runtime: runtime)
    memory = RecordMemory(clientID: configuration.clientID, store: store, runtime: runtime)
  }

  // MARK: - Store

  /// Why accounts cannot be kept beyond this run; nil when they are.
  ///
  /// Code ``AuthenticationError/Code/storageIncomplete`` says that they can, and that something was amiss
  /// in the store when it was just read. It is told once.
  public var storageFailure: AuthenticationError? {
    get async { memory.storageFailure }
  }

  /// Reads the store once more, and lets it ask the person to unlock it although they refused before.
  ///
  /// Call it when the person wants that; ``storageFailure`` says what came of it. The task can be cancelled
  /// while they are asked.
  public func unlockStorage() async { await memory.unlock() }
}
