import CurlHTTP
import FoundationEssentials

/// An app that signs people in with Microsoft, and gets tokens for them.
///
/// It keeps accounts in the store it is given, and asks the network only when it has to:
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
  let cache: TokenCache
  let externalProviders: [any ExternalAccountProvider]
  let broker: BrokerSession?
  let signingKeys: SigningKeyRing
  private let authorities: AuthorityResolver
  let sharedRequests = SharedWork<SilentRequestKey, SilentOutcome>()
  var throttle = Throttle()
  let telemetry: Telemetry
  var renewalPauses = RenewalPauses()
  var backgroundRenewals: Set<SilentRequestKey> = []
  /// The interactive request that is under way.
  var interactiveRequest: InteractiveRequest?
  /// The account that ``currentAccount()`` reported last.
  var lastReported: Account?

  /// Makes the app.
  ///
  /// Nothing is read from `store` and nothing is sent until it is needed.
  /// - Parameters:
  ///   - configuration: the app registration.
  ///   - store: keeps accounts and tokens.
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
    cache = TokenCache(clientID: configuration.clientID, store: store, runtime: runtime)
  }

  // MARK: - Tokens

  /// Goes through an interactive request; `acquireToken` sees to it that there is one only.
  func signIn(
    _ parameters: InteractiveTokenParameters
  ) async throws(AuthenticationError) -> AuthenticationResult {
    let correlationID = parameters.correlationID ?? runtime.newCorrelationID()
    log.info(
      "Interactive request, hint \(personal: parameters.account?.username ?? parameters.loginHint)",
      correlationID)
    do throws(AuthenticationError) {
      try Scopes.check(parameters.scopes)
      let brokerSignIn = try await signInWithBroker(parameters, correlationID)
      if case .done(let grant) = brokerSignIn {
        return try await keep(grant, scopes: parameters.scopes, correlationID)
      }
      var client = configuration
      client.redirectURI = try await parameters.session.redirectURI(for: client.redirectURI)
      var flow = InteractiveFlow(
        client: client, parameters: parameters, correlationID: correlationID)
      var action = try flow.start()
      // Found while the authority describes itself.
      async let brokerAccount =
        brokerSignIn.lendsCookies ? self.brokerAccount(for: parameters, correlationID) : nil
      while true {
        switch action {
        case .describeAuthority(let authority):
          let description = try await openIDConfiguration(of: authority, correlationID)
          await signingKeys.prefetch(description.keysURL, correlationID)
          action = try flow.described(
            description, at: runtime.now(), randomBytes: runtime.randomBytes)
        case .showPages(var request):
          request.cookies = await singleSignOnCookies(
            for: request, of: brokerAccount, parameters, correlationID)
          log.info("Showing the sign-in pages", correlationID)
          let url = try await parameters.session.authenticate(request)
          action = try flow.redirected(to: url, at: runtime.now())
        case .requestTokens(let request):
          let reply = try await send(request, for: .interactive)
          action = try request.reading { () throws(AuthenticationError) in
            try flow.replied(reply, at: runtime.now())
          }
        case .finish(let grant):
          return try await keep(grant, scopes: parameters.scopes, correlationID)
            .shown(by: parameters.authenticationScheme)
        }
      }
    } catch {
      throw ended(error, .interactive, correlationID)
    }
  }

  /// Signs a person in on another device, where they enter a code that `parameters.showCode` shows, and
  /// gets a token (RFC 8628).
  ///
  /// It is for where no pages can be shown, such as on a server, and for when the person chose it. Never
  /// begin it unasked, nor because another way failed: people who get used to codes enter those of others
  /// too (RFC 8628, section 5.4). A code must be entered only by who asked for it.
  /// - Throws: ``AuthenticationError``; ``AuthenticationError/Code/deviceCodeExpired`` when the person was
  ///   not done in time, ``AuthenticationError/Code/userCanceled`` when they declined or the task was
  ///   cancelled.
  public func acquireToken(
    _ parameters: DeviceCodeTokenParameters
  ) async throws(AuthenticationError) -> AuthenticationResult {
    let correlationID = parameters.correlationID ?? runtime.newCorrelationID()
    log.info("Device code request", correlationID)
    do throws(AuthenticationError) {
      try Scopes.check(parameters.scopes)
      var flow = DeviceCodeFlow(
        client: configuration, parameters: parameters, correlationID: correlationID)
      var action = try flow.start()
      while true {
        switch action {
        case .describeAuthority(let authority):
          let description = try await openIDConfiguration(of: authority, correlationID)
          await signingKeys.prefetch(description.keysURL, correlationID)
          action = try flow.described(description)
        case .requestCode(let request):
          let reply = try await send(request, step: .authorization, for: .deviceCode)
          action = try flow.codeReplied(reply, at: runtime.now())
        case .showCode(let code):
          await parameters.showCode(code)
          action = try flow.shown(at: runtime.now())
        case .wait(let pause):
          try await wait(pause)
          action = try flow.waited(at: runtime.now())
        case .requestTokens(let request):
          action = try await poll(request, for: &flow)
        case .finish(let grant):
          return try await keep(grant, scopes: parameters.scopes, correlationID)
        }
      }
    } catch {
      throw ended(error, .deviceCode, correlationID)
    }
  }

  /// Gets a token without a person: from the cache, or with a refresh token.
  ///
  /// A cached token that the service wants to have renewed soon is given out, and renewed in the
  /// background. When only its ID token has run out, both are renewed; while the service is down, what is
  /// cached does.
  ///
  /// Calls for the same account, tenant, scopes and claims that come at the same time share one request.
  /// While the store cannot be reached, memory answers as far as it can, and
  /// ``AuthenticationResult/storageFailure`` tells of new tokens that could not be kept.
  /// - Throws: ``AuthenticationError``; ``AuthenticationError/Code/interactionRequired`` when only
  ///   ``acquireToken(_:)-(InteractiveTokenParameters)`` can go on, and
  ///   ``AuthenticationError/Code/storageUnavailable`` when the account may be in the store, which is locked
  ///   or does not answer.
  public nonisolated func acquireTokenSilent(
    _ parameters: SilentTokenParameters
  ) async throws(AuthenticationError) -> AuthenticationResult {
    let correlationID = parameters.correlationID ?? runtime.newCorrelationID()
    do throws(AuthenticationError) {
      try Scopes.check(parameters.scopes)
      if !cache.isInStep { try await catchUp(parameters, correlationID) }
      // A token from the cache costs no change of thread.
      if let cached = try goodToken(parameters, correlationID) {
        return result(cached, parameters, correlationID)
      }
      return try await requestedResult(parameters, correlationID)
    } catch {
      throw ended(error, .silent, correlationID)
    }
  }

  /// Reads the store, as far as that is of use to a silent request.
  ///
  /// A store that took long to fail keeps nobody waiting whom memory can answer.
  private nonisolated func catchUp(
    _ parameters: SilentTokenParameters, _ correlationID: String
  ) async throws(AuthenticationError) {
    if cache.isSlow, (try? goodToken(parameters, correlationID)) != nil {
      Task { await cache.loadUnlessPaused() }
      return
    }
    await cache.loadUnlessPaused()
    guard !Task.isCancelled else {
      throw AuthenticationError(.userCanceled, "The request was canceled.", step: .storage)
    }
  }

  /// The token that the cache has for a silent request; nil when there is something to be renewed.
  private nonisolated func goodToken(
    _ parameters: SilentTokenParameters, _ correlationID: String
  ) throws(AuthenticationError) -> CachedToken? {
    var flow = silentFlow(parameters, correlationID)
    guard case .useCached(let cached) = try flow.start(at: runtime.now()), cached.standing != .due
    else { return nil }
    return cached
  }

  private func requestedResult(
    _ parameters: SilentTokenParameters, _ correlationID: String
  ) async throws(AuthenticationError) -> AuthenticationResult {
    var flow = silentFlow(parameters, correlationID)
    if case .useCached(let cached) = try flow.start(at: runtime.now()) {
      if cached.standing == .due { renewInBackground(parameters, flow.authority) }
      return result(cached, parameters, correlationID)
    }
    let key = SilentRequestKey(parameters, authority: flow.authority)
    if let cached = flow.fallback, renewalPauses.cover(key, at: runtime.now()) {
      return AuthenticationResult(cached, correlationID, runtime)
        .shown(by: parameters.authenticationScheme)
    }
    log.info(
      "Silent request: renewing for account \(identifier: parameters.account.id)", correlationID)
    return try await sharedRequests.success(of: key, step: .token) { [self] in
      await renewal(parameters, key, correlationID)
    }.shown(by: parameters.authenticationScheme)
  }

  nonisolated func silentFlow(
    _ parameters: SilentTokenParameters, _ correlationID: String, renewsDueToken: Bool = false
  ) -> SilentFlow {
    SilentFlow(
      client: configuration, parameters: parameters, known: cache.known(parameters.account),
      correlationID: correlationID, hasBroker: broker?.givesTokens == true,
      renewsDueToken: renewsDueToken, storageFailure: cache.readFailure)
  }

  private nonisolated func result(
    _ cached: CachedToken, _ parameters: SilentTokenParameters, _ correlationID: String
  ) -> AuthenticationResult {
    log.debug(
      "Silent request: the cache has a token for account \(identifier: parameters.account.id)",
      correlationID)
    telemetry.cacheAnswered()
    return AuthenticationResult(cached, correlationID, runtime)
      .shown(by: parameters.authenticationScheme)
  }

  // MARK: - Store

  /// Why accounts cannot be kept beyond this run; nil when they are.
  ///
  /// Code ``AuthenticationError/Code/storageIncomplete`` says that they can, and that something was amiss
  /// in the store when it was just read. It is told once.
  public var storageFailure: AuthenticationError? {
    get async { cache.storageFailure }
  }

  /// Reads the store once more, and lets it ask the person to unlock it although they refused before.
  ///
  /// Call it when the person wants that; ``storageFailure`` says what came of it. The task can be cancelled
  /// while they are asked.
  public func unlockStorage() async { await cache.unlock() }

  // MARK: - What flows ask for

  private func poll(
    _ request: TokenRequest, for flow: inout DeviceCodeFlow
  ) async throws(AuthenticationError) -> DeviceCodeFlow.Action {
    let reply: HTTPReply
    do {
      reply = try await send(request, for: .deviceCode)
    } catch {
      return try flow.failed(error, at: runtime.now())
    }
    return try request.reading { () throws(AuthenticationError) in
      try flow.replied(reply, at: runtime.now())
    }
  }

  func wait(_ pause: Duration) async throws(AuthenticationError) {
    do {
      // The task may have been cancelled before, in the caller's own code.
      try Task.checkCancellation()
      try await runtime.sleep(pause)
    } catch {
      throw AuthenticationError(.userCanceled, "The sign-in was canceled.", step: .token)
    }
  }

  func keep(
    _ grant: TokenGrant, scopes: [String], _ correlationID: String
  ) async throws(AuthenticationError) -> AuthenticationResult {
    let grant = try await signatureChecked(grant, correlationID)
    if grant.isInteractive { throttle.personSignedIn() }
    let randomBytes = runtime.randomBytes
    let (record, storageFailure) = await cache.save(grant) { Base64URL.encode(randomBytes(16)) }
    if grant.isInteractive { await takeOverSharedDevice(record.account, correlationID) }
    report(grant, of: record.account, storageFailure, correlationID)
    await tellExternalProviders(of: record.account)
    let declined = grant.declined(of: scopes)
    guard declined.isEmpty else {
      var error = AuthenticationError(
        .serverDeclinedScopes,
        "Not all permissions were granted. Missing: \(declined.joined(separator: ", ")).",
        step: .token)
      error.grantedScopes = grant.scopes.withoutOpenID.list
      error.declinedScopes = declined
      throw error
    }
    var result = AuthenticationResult(grant, of: record, correlationID, runtime)
    result.storageFailure = storageFailure
    return result
  }

  func openIDConfiguration(
    of authority: Authority, _ correlationID: String
  ) async throws(AuthenticationError) -> OpenIDConfiguration {
    try await authorities.configuration(of: authority, correlationID)
  }
}
