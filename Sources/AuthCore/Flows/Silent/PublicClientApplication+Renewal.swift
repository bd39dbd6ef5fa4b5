import Sentences

extension PublicClientApplication {
  /// Renews a token that is good still, while nobody waits for it and nobody hears how it went.
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

  /// Goes through a silent request when no other does so for the same account, in this process or another.
  ///
  /// It does so from the start: another may have renewed the token meanwhile.
  /// - Parameter isDue: Whether a good token is renewed when its time for that has come.
  func renewal(
    _ parameters: SilentTokenParameters, _ correlationID: String, isDue: Bool = false
  ) async -> SilentOutcome {
    // Nobody waits for a token that is due: it is left to the one who has begun.
    let turn = await RenewalTurn(parameters.account, in: memory, waits: !isDue)
    if let reason = turn.failure {
      log.info("Renewing without the lock: \(personal: reason)", correlationID)
    }
    await memory.loadUnlessPaused(.account(parameters.account.key))
    // A refresh token that nobody waits for any more need not be spent.
    guard !Task.isCancelled else {
      return .failure(
        AuthenticationError(.userCanceled, Sentence("The request was canceled."), step: .token))
    }
    let flow = silentFlow(parameters, correlationID, renewsDueToken: isDue && !turn.isOthers)
    let outcome: SilentOutcome
    do throws(AuthenticationError) {
      outcome = .success(try await run(flow, correlationID))
    } catch {
      outcome = .failure(error)
    }
    turn.end()
    return outcome
  }
}
