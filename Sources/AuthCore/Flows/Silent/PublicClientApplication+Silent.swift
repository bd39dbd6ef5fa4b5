import Sentences

extension PublicClientApplication {
  /// Acquires a token silently: from the cache, or with a refresh token, and without showing anything.
  ///
  /// A cached token that the service wants to have renewed soon (`refresh_in`) is returned, and renewed in the
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
      if !memory.isInStep(.account(parameters.account.key)) {
        try await catchUp(parameters, correlationID)
      }
      // A token from the cache costs no change of thread.
      if let cached = goodToken(parameters) {
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
    let need = RecordMemory.Need.account(parameters.account.key)
    if memory.isSlow, goodToken(parameters) != nil {
      Task { await memory.loadUnlessPaused(need) }
      return
    }
    await memory.loadUnlessPaused(need)
    guard !Task.isCancelled else {
      throw AuthenticationError(
        .userCanceled, Sentence("The request was canceled."), step: .storage)
    }
  }

  /// The token that the cache has for a silent request; nil when anything is to be renewed, asked or refused,
  /// which takes a flow.
  private nonisolated func goodToken(_ parameters: SilentTokenParameters) -> CachedToken? {
    let authority = SilentFlow.authority(of: parameters, configuration)
    guard (try? SilentFlow.check(parameters, at: authority, configuration)) != nil,
      let cached = memory.known(parameters.account)?.token(
        for: parameters, at: authority, client: configuration, date: runtime.now()),
      cached.standing == .good
    else { return nil }
    return cached
  }

  private func requestedResult(
    _ parameters: SilentTokenParameters, _ correlationID: String
  ) async throws(AuthenticationError) -> AuthenticationResult {
    var flow = silentFlow(parameters, correlationID)
    if case .useCached(let cached) = try flow.next(.started, at: runtime.now()) {
      if cached.standing == .due { renewInBackground(parameters, flow.key) }
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
