extension PublicClientApplication {
  /// Acquires a token silently, without user interaction: from the cache, or with a refresh token.
  ///
  /// A cached token that is due for renewal (`refresh_in`) is returned, and renewed in the
  /// background. When only its ID token has expired, both are renewed; during an outage of the
  /// service, the cached token is returned.
  ///
  /// Concurrent calls for the same account, tenant, scopes and claims share one request. While the
  /// store is unavailable, tokens come from memory as far as possible, and
  /// ``AuthenticationResult/storageFailure`` reports new tokens that could not be stored.
  /// - Throws: ``AuthenticationError``; ``AuthenticationError/Code/interactionRequired`` when
  ///   ``acquireToken(_:)-(InteractiveTokenParameters)`` is needed, and
  ///   ``AuthenticationError/Code/storageUnavailable`` when the account may be in the store, which
  ///   is locked or does not answer.
  public nonisolated func acquireTokenSilent(
    _ parameters: SilentTokenParameters
  ) async throws(AuthenticationError) -> AuthenticationResult {
    let correlationID = parameters.correlationID ?? runtime.newCorrelationID()
    do throws(AuthenticationError) {
      var parameters = parameters
      parameters.scopes = try Scopes.checked(
        parameters.scopes, for: configuration.authority.kind)
      if !memory.isInStep(.account(parameters.account.key)) {
        try await catchUp(parameters, correlationID)
      }
      // A cached token is returned without a change of thread.
      if let cached = goodToken(parameters) {
        return result(cached, parameters, correlationID)
      }
      return try await requestedResult(parameters, correlationID)
    } catch {
      throw ended(error, .silent, correlationID)
    }
  }

  /// Reads the store, as far as a silent request needs it.
  ///
  /// When the store is slow and memory has a token, the call does not wait for the store.
  private nonisolated func catchUp(
    _ parameters: SilentTokenParameters, _ correlationID: String
  ) async throws(AuthenticationError) {
    let need = RecordMemory.Need.account(parameters.account.key)
    if memory.isSlow, goodToken(parameters) != nil {
      Task { await memory.loadUnlessPaused(need) }
      return
    }
    await memory.loadUnlessPaused(need)
    guard !Task.isCancelled else { throw .canceled(step: .storage) }
  }

  /// The cached token for a silent request; nil when the request needs a flow, to renew, ask or
  /// refuse.
  private nonisolated func goodToken(_ parameters: SilentTokenParameters) -> CachedToken? {
    let authority = SilentFlow.authority(of: parameters, configuration)
    guard (try? SilentFlow.check(parameters, at: authority, configuration)) != nil,
      let cached = memory.known(parameters.account)?.token(
        for: parameters, at: authority, client: configuration, date: runtime.now()),
      cached.freshness == .good
    else { return nil }
    return cached
  }

  private func requestedResult(
    _ parameters: SilentTokenParameters, _ correlationID: String
  ) async throws(AuthenticationError) -> AuthenticationResult {
    var flow = silentFlow(parameters, correlationID)
    if case .useCached(let cached) = try flow.next(.started, at: runtime.now()) {
      if cached.freshness == .due { renewInBackground(parameters, flow.key) }
      return result(cached, parameters, correlationID)
    }
    let key = flow.key
    if let cached = flow.fallback, renewalPauses.cover(key, at: runtime.now()) {
      return cached.result(correlationID, runtime).shown(by: parameters.authenticationScheme)
    }
    log.info(
      "Silent request: renewing for account \(identifier: parameters.account.id)", correlationID)
    return try await sharedRequests.success(of: key, step: .token) { [self] in
      await renewal(parameters, correlationID)
    }.shown(by: parameters.authenticationScheme)
  }

  nonisolated func silentFlow(
    _ parameters: SilentTokenParameters, _ correlationID: String, renewsDueToken: Bool = false
  ) -> SilentFlow {
    SilentFlow(
      client: configuration, parameters: parameters, known: memory.known(parameters.account),
      correlationID: correlationID, hasBroker: broker?.givesTokens == true,
      renewsDueToken: renewsDueToken, storageFailure: memory.readFailure)
  }

  private nonisolated func result(
    _ cached: CachedToken, _ parameters: SilentTokenParameters, _ correlationID: String
  ) -> AuthenticationResult {
    log.debug(
      "Silent request: the cache has a token for account \(identifier: parameters.account.id)",
      correlationID)
    telemetry.cacheAnswered()
    return cached.result(correlationID, runtime).shown(by: parameters.authenticationScheme)
  }
}
