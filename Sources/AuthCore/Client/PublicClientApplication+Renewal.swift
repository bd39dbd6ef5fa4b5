extension PublicClientApplication {
  /// Renews a token that is good still, while nobody waits for it and nobody hears how it went.
  func renewInBackground(_ parameters: SilentTokenParameters, _ authority: Authority) {
    let key = SilentRequestKey(parameters, authority: authority)
    guard !renewalPauses.cover(key, at: runtime.now()),
      backgroundRenewals.insert(key).inserted
    else { return }
    let correlationID = runtime.newCorrelationID()
    log.info("Renewing in advance for account \(identifier: parameters.account.id)", correlationID)
    Task {
      let outcome = await sharedRequests.value(of: key) { [self] in
        await renewal(parameters, key, correlationID, isDue: true)
      }
      if case .failure(let error)? = outcome {
        log.info("Not renewed in advance: \(error)", correlationID)
        renewalPauses.start(key, at: runtime.now())
      }
      backgroundRenewals.remove(key)
    }
  }

  /// Goes through a silent request when no other does so for the same account, in this process or another.
  ///
  /// It does so from the start: another may have renewed the token meanwhile.
  /// - Parameter isDue: Whether a good token is renewed when its time for that has come.
  func renewal(
    _ parameters: SilentTokenParameters, _ key: SilentRequestKey, _ correlationID: String,
    isDue: Bool = false
  ) async -> SilentOutcome {
    // Nobody waits for a token that is due: it is left to the one who has begun.
    let turn = await RenewalTurn(parameters.account, in: cache, waits: !isDue)
    if let reason = turn.failure {
      log.info("No lock for the renewal: \(personal: reason)", correlationID)
    }
    await cache.loadUnlessPaused()
    // A refresh token that nobody waits for any more need not be spent.
    guard !Task.isCancelled else {
      return .failure(AuthenticationError(.userCanceled, "The request was canceled.", step: .token))
    }
    let outcome = await renewal(
      parameters, key, correlationID, renewsDueToken: isDue && !turn.isOthers)
    turn.end()
    return outcome
  }

  private func renewal(
    _ parameters: SilentTokenParameters, _ key: SilentRequestKey, _ correlationID: String,
    renewsDueToken: Bool
  ) async -> SilentOutcome {
    var flow = silentFlow(parameters, correlationID, renewsDueToken: renewsDueToken)
    let isKnown = flow.known != nil
    var action = SilentFlow.Action.lookAtCache
    do throws(AuthenticationError) {
      while true {
        do throws(AuthenticationError) {
          switch action {
          case .lookAtCache:
            action = try flow.start(at: runtime.now())
          case .useCached(let cached):
            return .success(AuthenticationResult(cached, correlationID, runtime))
          case .askBroker(let token):
            action = try flow.brokerReplied(
              await askBroker(
                parameters, at: flow.authority, replacing: token, isKnown: isKnown, correlationID))
          case .describeAuthority(let authority):
            action = try flow.described(await openIDConfiguration(of: authority, correlationID))
          case .requestTokens(let request):
            action = try await refresh(request, for: &flow)
          case .lookAtStore:
            await cache.readAgain()
            action = try flow.looked(
              at: cache.known(parameters.account), at: runtime.now())
          case .finish(let grant):
            return .success(try await keep(grant, scopes: parameters.scopes, correlationID))
          case .forgetRefreshToken(let token, let reason):
            await cache.forgetRefreshToken(token, of: parameters.account)
            throw reason
          }
        } catch {
          action = try flow.failed(error.naming(correlationID))
          if case .useCached = action {
            log.warning("Not renewed; the token from before has to do: \(error)", correlationID)
            renewalPauses.start(key, at: runtime.now())
          }
        }
      }
    } catch {
      return .failure(error)
    }
  }

  private func refresh(
    _ request: TokenRequest, for flow: inout SilentFlow
  ) async throws(AuthenticationError) -> SilentFlow.Action {
    if let error = throttle.error(for: request, at: runtime.now()) { throw error }
    let reply = try await send(request, for: .silent, flow.refreshReason)
    let date = runtime.now()
    do throws(AuthenticationError) {
      let action = try request.reading { () throws(AuthenticationError) in
        try flow.replied(reply, at: date)
      }
      throttle.answered(request, by: reply, error: nil, at: date)
      return action
    } catch {
      throttle.answered(request, by: reply, error: error, at: date)
      throw error
    }
  }
}
