import CurlHTTP
import FoundationEssentials

/// An app that signs people in with Microsoft and acquires tokens for them.
///
/// It keeps accounts in the given store, and uses the network only when necessary:
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
  /// The app registration.
  public nonisolated let configuration: PublicClientApplicationConfiguration

  let runtime: Runtime
  let log: Log
  let network: Network
  let memory: RecordMemory
  let externalProviders: [any ExternalAccountProvider]
  let broker: BrokerSession?
  let signingKeys: SigningKeyRing
  let authorities: AuthorityResolver
  let sharedRequests = SharedWork<SilentRequestKey, SilentOutcome>()
  var throttle = Throttle()
  let telemetry: Telemetry
  var renewalPauses = RenewalPauses()
  var backgroundRenewals: Set<SilentRequestKey> = []
  /// The interactive request in progress.
  var interactiveRequest: InteractiveRequest?
  /// The account that ``currentAccount()`` reported last.
  var lastReported: Account?

  /// Creates the app.
  ///
  /// Nothing is read from `store` and nothing is sent until it is needed.
  /// - Parameters:
  ///   - configuration: the app registration.
  ///   - store: keeps accounts and tokens.
  ///   - externalAccountProviders: other programs' accounts, listed by ``externalAccounts()``;
  ///     the providers are informed of sign-ins and sign-outs here.
  ///   - broker: this computer's identity broker, if any; see
  ///     ``PublicClientApplicationConfiguration/isBrokerRedirectURIRegistered``.
  ///   - runtime: clock, randomness and network.
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

  /// Why accounts cannot be stored beyond this run; nil when they can.
  ///
  /// With code ``AuthenticationError/Code/storageIncomplete``, the store works, but the last read
  /// found a problem in it. This is reported once.
  public var storageFailure: AuthenticationError? {
    get async { memory.storageFailure }
  }

  /// Reads the store again; it may ask the user to unlock it even if they declined before.
  ///
  /// Call it when the user requests it; ``storageFailure`` has the outcome. The task can be
  /// canceled while the user is asked.
  public func unlockStorage() async { await memory.unlock() }
}
