package import CurlHTTP
import FoundationEssentials

/// A public client application: it signs people in with Microsoft, and acquires tokens for the APIs
/// that it calls.
///
/// It caches accounts and tokens in the given store, and uses the network only when the cache has
/// no usable token:
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

  // The services that requests use.
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

  // The state that requests share.
  let sharedRequests = SharedWork<SilentRequestKey, SilentOutcome>()
  var throttle = Throttle()
  var renewalPauses = RenewalPauses()
  var backgroundRenewals: Set<SilentRequestKey> = []
  /// The interactive request in progress.
  var interactiveRequest: InteractiveRequest?
  /// What identifies an account to the sign-out page that did not complete, without tokens for APIs.
  var signOutHints: [AccountKey: AccountRecord] = [:]
  /// The account that ``currentAccount()`` reported last.
  var lastReported: Account?

  /// Creates a public client application.
  ///
  /// Nothing is read from `store` and nothing is sent until it is needed.
  /// - Parameters:
  ///   - configuration: the app registration.
  ///   - store: the token cache: keeps accounts and tokens. It belongs to this application alone: two
  ///     applications with the same accounts get a store object each, for the same place.
  ///   - externalAccountProviders: other programs' accounts, listed by ``externalAccounts()``; the
  ///     providers are informed of sign-ins and sign-outs here.
  ///   - broker: this computer's identity broker, if any; see
  ///     ``PublicClientApplicationConfiguration/isBrokerRedirectURIRegistered``.
  ///   - runtime: clock, randomness and network.
  public init(
    configuration: PublicClientApplicationConfiguration,
    store: any TokenCacheStore = MemoryTokenCacheStore(),
    externalAccountProviders: [any ExternalAccountProvider] = [],
    broker: (any TokenBroker)? = nil, runtime: Runtime = Runtime()
  ) {
    self.init(
      configuration,
      RecordMemory(clientID: configuration.clientID, store: store, runtime: runtime),
      externalAccountProviders, broker, runtime)
  }

  /// Creates the application of a changed configuration, with the accounts of `previous`: those in
  /// its store, and those that are only in memory.
  ///
  /// - Returns: nil when the configuration is another app's, whose accounts these are not.
  package init?(
    configuration: PublicClientApplicationConfiguration,
    takingOver previous: PublicClientApplication, broker: (any TokenBroker)?, runtime: Runtime
  ) {
    guard configuration.clientID == previous.configuration.clientID else { return nil }
    self.init(configuration, previous.memory, previous.externalProviders, broker, runtime)
  }

  private init(
    _ configuration: PublicClientApplicationConfiguration, _ memory: RecordMemory,
    _ externalAccountProviders: [any ExternalAccountProvider], _ broker: (any TokenBroker)?,
    _ runtime: Runtime
  ) {
    self.configuration = configuration
    self.memory = memory
    externalProviders = externalAccountProviders
    self.broker = BrokerSession(broker, client: configuration)
    self.runtime = runtime
    log = runtime.log
    telemetry = Telemetry(isOn: configuration.sendsTelemetry)
    network = Network(
      transport: runtime.transport
        ?? CurlClient(CurlClient.Configuration(caFile: configuration.caFile)), runtime: runtime,
      clientFields: telemetry.clientFields)
    signingKeys = SigningKeyRing(
      clientID: configuration.clientID, network: network, runtime: runtime)
    authorities = AuthorityResolver(client: configuration, network: network, runtime: runtime)
  }

  // MARK: - Store

  /// Why accounts cannot be stored beyond this run; nil when they can.
  ///
  /// With code ``AuthenticationError/Code/storageIncomplete``, the store works, but the last read
  /// found a problem in it. This is reported once.
  public var storageFailure: AuthenticationError? {
    get async { memory.storageFailure ?? memory.writingFailure }
  }

  /// Finds out whether the store can keep an account, before someone signs in in vain.
  ///
  /// It changes nothing, and does not ask the user. An interactive request does the same before it
  /// shows anything, and continues without the store: ``storageFailure`` has the reason by then.
  /// - Throws: ``AuthenticationError`` with code ``AuthenticationError/Code/storageUnavailable``.
  public func checkStorage() async throws(AuthenticationError) { try await memory.checkWriting() }

  /// Reads the store again; it may ask the user to unlock it even if they declined before.
  ///
  /// Call it when the user requests it; ``storageFailure`` has the outcome. The task can be
  /// canceled while the user is asked.
  public func unlockStorage() async { await memory.unlock() }

  /// Whether there are tokens that the store does not have.
  package nonisolated var hasUnsavedTokens: Bool { memory.hasUnsavedTokens }

  // MARK: - For clients of APIs

  /// What its requests are sent with.
  package nonisolated var transport: any HTTPTransport { network.transport }
}
