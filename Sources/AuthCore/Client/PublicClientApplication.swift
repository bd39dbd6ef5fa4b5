import CurlHTTP
import FoundationEssentials

/// An app that signs people in with Microsoft, and gets tokens for them.
///
/// It keeps accounts in the store it is given, and asks the network only when it has to:
///
/// ```swift
/// let app = try PublicClientApplication(configuration: configuration, store: store)
/// let account = await app.currentAccount().current
/// let result = try await app.acquireTokenSilent(
///   SilentTokenParameters(scopes: ["User.Read"], account: account))
/// ```
public actor PublicClientApplication {
  /// The app registration.
  public nonisolated let configuration: PublicClientApplicationConfiguration

  let runtime: Runtime
  let network: Network
  let cache: TokenCache
  private var openIDConfigurations: [Authority: (value: OpenIDConfiguration, expiresOn: Date)] =
    [:]
  private let sharedRequests = SharedRequests()
  private var throttle = Throttle()
  private var isInteractiveRequestRunning = false
  private var lastReported: Account?

  /// How long an authority's description of itself is used, in seconds.
  private static let configurationLifetime = 24.0 * 3600

  /// Makes the app.
  ///
  /// Nothing is read from `store` and nothing is sent until it is needed.
  public init(
    configuration: PublicClientApplicationConfiguration,
    store: any TokenCacheStore = MemoryTokenCacheStore(), runtime: Runtime = Runtime()
  ) {
    self.configuration = configuration
    self.runtime = runtime
    network = Network(
      transport: runtime.transport
        ?? CurlClient(CurlClient.Configuration(caFile: configuration.caFile)), runtime: runtime)
    cache = TokenCache(clientID: configuration.clientID, store: store)
  }

  // MARK: - Tokens

  /// Signs a person in, in pages that `parameters.session` shows, and gets a token.
  ///
  /// Only one such request can run at a time.
  /// - Throws: ``AuthenticationError``; ``AuthenticationError/Code/userCanceled`` when the person gave up
  ///   or the task was cancelled.
  public func acquireToken(
    _ parameters: InteractiveTokenParameters
  ) async throws(AuthenticationError) -> AuthenticationResult {
    guard !isInteractiveRequestRunning else {
      throw AuthenticationError(
        .interactiveSessionAlreadyRunning, "A sign-in is under way already. Finish it first.")
    }
    isInteractiveRequestRunning = true
    defer { isInteractiveRequestRunning = false }
    try Scopes.check(parameters.scopes)

    let correlationID = parameters.correlationID ?? runtime.newCorrelationID()
    var flow = InteractiveFlow(
      client: configuration, parameters: parameters, correlationID: correlationID)
    var action = try flow.start()
    while true {
      do throws(AuthenticationError) {
        switch action {
        case .describeAuthority(let authority):
          let description = try await openIDConfiguration(of: authority, correlationID)
          action = try flow.described(
            description, at: runtime.now(), randomBytes: runtime.randomBytes)
        case .showPages(let request):
          let url = try await parameters.session.authenticate(request)
          action = try flow.redirected(to: url, at: runtime.now())
        case .requestTokens(let request):
          action = try flow.replied(await network.send(request), at: runtime.now())
        case .finish(let grant):
          throttle.personSignedIn()
          return try await keep(grant, scopes: parameters.scopes, correlationID)
        }
      } catch {
        throw error.naming(correlationID)
      }
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
    try Scopes.check(parameters.scopes)
    let correlationID = parameters.correlationID ?? runtime.newCorrelationID()
    var flow = DeviceCodeFlow(
      client: configuration, parameters: parameters, correlationID: correlationID)
    var action = try flow.start()
    while true {
      do throws(AuthenticationError) {
        switch action {
        case .describeAuthority(let authority):
          action = try flow.described(await openIDConfiguration(of: authority, correlationID))
        case .requestCode(let request):
          let reply = try await network.send(request, step: .authorization)
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
          throttle.personSignedIn()
          return try await keep(grant, scopes: parameters.scopes, correlationID)
        }
      } catch {
        throw error.naming(correlationID)
      }
    }
  }

  /// Gets a token without a person: from the cache, or with a refresh token.
  ///
  /// Calls for the same account, tenant, scopes and claims that come at the same time share one request.
  /// - Throws: ``AuthenticationError``; ``AuthenticationError/Code/interactionRequired`` when only
  ///   ``acquireToken(_:)`` can go on.
  public nonisolated func acquireTokenSilent(
    _ parameters: SilentTokenParameters
  ) async throws(AuthenticationError) -> AuthenticationResult {
    try Scopes.check(parameters.scopes)
    if !cache.isInStep { await cache.load() }
    // A token from the cache costs no change of thread.
    if let result = try cachedResult(parameters) { return result }
    return try await requestedResult(parameters)
  }

  /// The result of a silent request that the cache can answer; nil when the server has to be asked.
  private nonisolated func cachedResult(
    _ parameters: SilentTokenParameters
  ) throws(AuthenticationError) -> AuthenticationResult? {
    let correlationID = parameters.correlationID ?? runtime.newCorrelationID()
    var flow = SilentFlow(
      client: configuration, parameters: parameters, record: cache.record(of: parameters.account),
      correlationID: correlationID)
    do throws(AuthenticationError) {
      guard case .useCached(let token, let record) = try flow.start(at: runtime.now()) else {
        return nil
      }
      return AuthenticationResult(token, of: record, correlationID)
    } catch {
      throw error.naming(correlationID)
    }
  }

  private func requestedResult(
    _ parameters: SilentTokenParameters
  ) async throws(AuthenticationError) -> AuthenticationResult {
    let correlationID = parameters.correlationID ?? runtime.newCorrelationID()
    var flow = SilentFlow(
      client: configuration, parameters: parameters,
      record: cache.record(of: parameters.account), correlationID: correlationID)
    do throws(AuthenticationError) {
      if case .useCached(let token, let record) = try flow.start(at: runtime.now()) {
        return AuthenticationResult(token, of: record, correlationID)
      }
      let key = SharedRequests.Key(parameters, authority: flow.authority)
      return try await sharedRequests.outcome(of: key) { [self] in
        do throws(AuthenticationError) {
          return .success(try await renew(parameters, correlationID))
        } catch {
          return .failure(error)
        }
      }.get()
    } catch {
      throw error.naming(correlationID)
    }
  }

  /// Goes through a silent request from its start: another may have renewed the token meanwhile.
  private func renew(
    _ parameters: SilentTokenParameters, _ correlationID: String
  ) async throws(AuthenticationError) -> AuthenticationResult {
    var flow = SilentFlow(
      client: configuration, parameters: parameters,
      record: cache.record(of: parameters.account), correlationID: correlationID)
    var action = SilentFlow.Action.lookAtCache
    while true {
      do throws(AuthenticationError) {
        switch action {
        case .lookAtCache:
          action = try flow.start(at: runtime.now())
        case .useCached(let token, let record):
          return AuthenticationResult(token, of: record, correlationID)
        case .describeAuthority(let authority):
          action = try flow.described(await openIDConfiguration(of: authority, correlationID))
        case .requestTokens(let request):
          action = try await refresh(request, for: &flow)
        case .finish(let grant):
          return try await keep(grant, scopes: parameters.scopes, correlationID)
        case .forgetRefreshToken(let token, let reason):
          await cache.forgetRefreshToken(token, of: parameters.account)
          throw reason
        }
      } catch {
        action = try flow.failed(error.naming(correlationID))
      }
    }
  }

  // MARK: - Accounts

  /// All accounts that are signed in, the one that signed in last first.
  public nonisolated func accounts() async -> [Account] {
    await cache.load()
    return cache.accounts
  }

  /// The account with an ``Account/id``, when it is signed in.
  public nonisolated func account(identifier: String) async -> Account? {
    await cache.load()
    return cache.account(identifier: identifier)
  }

  /// The account that signed in last, and the one that the previous call reported if that was another.
  ///
  /// Apps on shared devices ask this when they come to the foreground, to notice that people changed.
  public func currentAccount() async -> CurrentAccount {
    let current = await accounts().first
    defer { lastReported = current }
    return CurrentAccount(current: current, previous: lastReported == current ? nil : lastReported)
  }

  /// Removes an account and its tokens from this app, without a word to the server.
  ///
  /// - Throws: ``AuthenticationError`` with code ``AuthenticationError/Code/storageUnavailable`` when they
  ///   could not be removed from the store.
  public func remove(_ account: Account) async throws(AuthenticationError) {
    await cache.load()
    try await cache.remove(account)
  }

  /// Signs an account out: removes it here, and ends the browser session if `parameters` has pages for it.
  ///
  /// The account is removed in any case; a person who closes the sign-out page is signed out of this app.
  /// - Throws: ``AuthenticationError`` when the store or the sign-out page did not do its part.
  public func signOut(
    _ account: Account, parameters: SignOutParameters = SignOutParameters()
  ) async throws(AuthenticationError) {
    let correlationID = parameters.correlationID ?? runtime.newCorrelationID()
    await cache.load()
    let record = cache.record(of: account)
    try await cache.remove(account)
    guard let session = parameters.session else { return }
    do {
      let description = try await openIDConfiguration(of: configuration.authority, correlationID)
      let request = try SignOutRequest(
        client: configuration, endpoint: description.endSessionEndpoint, record: record,
        state: Secret(Base64URL.encode(runtime.randomBytes(32))))
      try request.check(redirect: await session.authenticate(request.page))
    } catch {
      // Closing the page is an answer too: the account is gone from this app.
      guard error.code == .userCanceled else { throw error.naming(correlationID) }
    }
  }

  // MARK: - Device and store

  /// What is known about this device.
  public nonisolated func deviceInformation() -> DeviceInformation {
    .current(mode: configuration.isSharedDevice ? .shared : .private)
  }

  /// Why accounts cannot be kept beyond this run; nil when they are.
  public var storageFailure: AuthenticationError? {
    get async { cache.storageFailure }
  }

  // MARK: - What flows ask for

  private func refresh(
    _ request: TokenRequest, for flow: inout SilentFlow
  ) async throws(AuthenticationError) -> SilentFlow.Action {
    if let error = throttle.error(for: request, at: runtime.now()) { throw error }
    let reply = try await network.send(request)
    let date = runtime.now()
    do throws(AuthenticationError) {
      let action = try flow.replied(reply, at: date)
      throttle.answered(request, by: reply, error: nil, at: date)
      return action
    } catch {
      throttle.answered(request, by: reply, error: error, at: date)
      throw error
    }
  }

  private func poll(
    _ request: TokenRequest, for flow: inout DeviceCodeFlow
  ) async throws(AuthenticationError) -> DeviceCodeFlow.Action {
    let reply: HTTPReply
    do {
      reply = try await network.send(request)
    } catch {
      return try flow.failed(error, at: runtime.now())
    }
    return try flow.replied(reply, at: runtime.now())
  }

  func wait(_ pause: Duration) async throws(AuthenticationError) {
    do {
      // The task may have been cancelled before, in the caller's own code.
      try Task.checkCancellation()
      try await runtime.sleep(pause)
    } catch {
      throw AuthenticationError(.userCanceled, "The sign-in was cancelled.", step: .token)
    }
  }

  func keep(
    _ grant: TokenGrant, scopes: [String], _ correlationID: String
  ) async throws(AuthenticationError) -> AuthenticationResult {
    let randomBytes = runtime.randomBytes
    let record = await cache.save(grant) { Base64URL.encode(randomBytes(16)) }
    let declined = grant.declined(of: scopes)
    guard declined.isEmpty else {
      throw AuthenticationError(
        .serverDeclinedScopes,
        "Not all permissions were granted. Missing: \(declined.joined(separator: ", ")).",
        step: .token)
    }
    return AuthenticationResult(grant, of: record.account, correlationID)
  }

  func openIDConfiguration(
    of authority: Authority, _ correlationID: String
  ) async throws(AuthenticationError) -> OpenIDConfiguration {
    if let known = openIDConfigurations[authority], known.expiresOn > runtime.now() {
      return known.value
    }
    let knownHosts = configuration.knownAuthorities.map(\.environment)
    if !knownHosts.contains(authority.environment) {
      switch authority.voucher {
      case .builtIn: break
      case .microsoft:
        let url = InstanceDiscovery.url(for: authority, in: configuration.authority.environment)
        try InstanceDiscovery.check(await network.get(url, correlationID), for: authority)
      case .application: throw authority.notVouchedFor
      }
    }
    let reply = try await network.get(OpenIDConfiguration.url(for: authority), correlationID)
    let value = try OpenIDConfiguration(reply, for: authority, knownHosts: knownHosts)
    openIDConfigurations[authority] = (value, runtime.now() + Self.configurationLifetime)
    return value
  }
}
