extension PublicClientApplication {
  /// Renews a valid token in the background; failures are not reported.
  func renewInBackground(_ parameters: SilentTokenParameters, _ key: SilentRequestKey) {
    guard !renewalPauses.cover(key, at: runtime.now()),
      backgroundRenewals.insert(key).inserted
    else { return }
    let correlationID = runtime.newCorrelationID()
    log.info("Renewing in advance for account \(identifier: parameters.account.id)", correlationID)
    Task {
      let outcome = await sharedRequests.value(of: key) { [self] in
        await renewal(parameters, correlationID, isDue: true)
      }
      if case .failure(let error)? = outcome {
        log.info("Not renewed in advance: \(error)", correlationID)
        renewalPauses.start(key, at: runtime.now())
      }
      backgroundRenewals.remove(key)
    }
  }

  /// Runs a silent request while no other does for the same account, in any process.
  ///
  /// It starts with the cache: another process may have renewed the token meanwhile.
  /// - Parameter isDue: whether a valid token is renewed when it is due.
  func renewal(
    _ parameters: SilentTokenParameters, _ correlationID: String, isDue: Bool = false
  ) async -> SilentOutcome {
    // Nobody waits for the renewal of a valid token, so it is left to whoever is renewing already.
    let turn = await RenewalTurn(parameters.account, in: memory, waits: !isDue)
    if let reason = turn.failure {
      log.info("Renewing without the lock: \(personal: reason)", correlationID)
    }
    await memory.loadUnlessPaused(.account(parameters.account.key))
    // Do not use up a refresh token when nobody waits for the result.
    guard !Task.isCancelled else { return .failure(.canceled(step: .token)) }
    let flow = silentFlow(parameters, correlationID, renewsDueToken: isDue && !turn.isOthers)
    let outcome = await Result { () async throws(AuthenticationError) in
      try await run(flow, correlationID)
    }
    turn.end()
    return outcome
  }
}
