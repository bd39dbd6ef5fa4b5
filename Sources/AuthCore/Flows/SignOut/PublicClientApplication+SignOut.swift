import FoundationEssentials
import Sentences

/// Signing out.
extension PublicClientApplication {
  /// Signs an account out: removes it from this app, and does what `parameters` request.
  ///
  /// The result reports each part separately, because each can fail alone: a user who closes the
  /// sign-out page is still signed out of this app.
  ///
  /// ```swift
  /// let result = try await app.signOut(account, parameters: SignOutParameters(session: session))
  /// if result.browserSession.error?.code == .userCanceled {
  ///   print("You may still be signed in to the browser.")
  /// }
  /// ```
  ///
  /// Signing out an account that is not known here succeeds.
  ///
  /// To repeat only what failed, sign the same account out again with the result in
  /// ``SignOutParameters/earlier``.
  ///
  /// On a shared device (``PublicClientApplicationConfiguration/isSharedDevice``) all accounts are
  /// signed out, as with ``SignOutParameters/wipeCacheForAllAccounts``, and removed from the
  /// identity broker for this app.
  /// - Throws: ``AuthenticationError`` with code ``AuthenticationError/Code/invalidParameter``
  ///   when `parameters` are invalid, and ``AuthenticationError/Code/userCanceled`` when the task was
  ///   canceled while the store waited for the user; then nothing was done.
  public func signOut(
    _ account: Account, parameters: SignOutParameters = SignOutParameters()
  ) async throws(AuthenticationError) -> SignOutResult {
    let correlationID = parameters.correlationID ?? runtime.newCorrelationID()
    log.info("Signing out account \(identifier: account.id)", correlationID)
    // Until the account is removed: the sign-out page can wait for the user for long.
    var unfinished: UnfinishedWork? = UnfinishedWork()
    defer { withExtendedLifetime(unfinished) {} }
    do throws(AuthenticationError) {
      try SignOutRequest.check(extraQueryParameters: parameters.extraQueryParameters)
      try await memory.loadToRemove()
    } catch {
      throw error.naming(correlationID)
    }
    var parameters = parameters
    if configuration.isSharedDevice { parameters.wipeCacheForAllAccounts = true }
    // Read before the account is removed: the sign-out page needs its tokens.
    let record = memory.record(of: account)
    var gone = [record?.account ?? account]
    if parameters.wipeCacheForAllAccounts {
      gone += memory.accounts.filter { $0.key != account.key }
    }

    var result = parameters.earlier ?? SignOutResult()
    func isDue(_ part: SignOutResult.Part) -> Bool {
      parameters.earlier == nil || part.error != nil
    }
    if isDue(result.removal) {
      result.removal = await part("removal", correlationID) { () throws(AuthenticationError) in
        try await memory.remove(account)
      }
    }
    let wipesAccount = parameters.wipeCacheForAllAccounts || parameters.wipeAccount
    if wipesAccount, isDue(result.wipe) {
      result.wipe = await part("wipe", correlationID) { () throws(AuthenticationError) in
        try await parameters.wipeCacheForAllAccounts ? memory.wipe() : memory.wipe(account)
      }
    }
    if !externalProviders.isEmpty, isDue(result.externalProviders) {
      let accounts = parameters.earlier?.accountsOfProviders ?? gone
      var left: [Account] = []
      result.externalProviders = await part("external providers", correlationID) {
        () throws(AuthenticationError) in
        try await removeFromExternalProviders(accounts, wipesAccount: wipesAccount, left: &left)
      }
      // They are kept longer than the accounts, so without the claims of their tokens.
      result.accountsOfProviders = left.map(\.withoutClaims)
    }
    if let broker, broker.givesTokens, isDue(result.broker) {
      var ids = Set(gone.filter(\.isFromBroker).map(\.homeAccountID))
      if let earlier = parameters.earlier {
        ids = Set(earlier.accountsOfBroker)
      } else if configuration.isSharedDevice {
        ids.formUnion(await broker.accounts(correlationID).map(\.homeAccountID))
      }
      if !ids.isEmpty {
        var left: [HomeAccountID] = []
        result.broker = await part("broker", correlationID) { () throws(AuthenticationError) in
          try await removeFromBroker(ids, broker, correlationID, left: &left)
        }
        result.accountsOfBroker = left
      }
    }
    unfinished = nil
    if let session = parameters.session, isDue(result.browserSession) {
      let hints = record ?? signOutHints[account.key]
      result.browserSession = await part("browser session", correlationID) {
        () throws(AuthenticationError) in
        try await endBrowserSession(of: hints, in: session, parameters, correlationID)
      }
      // A later attempt has no record of the account to get them from.
      signOutHints[account.key] = result.browserSession == .done ? nil : hints?.withoutSecrets
    }
    return result
  }

  /// Removes an account and its tokens from this app's cache, without contacting the server.
  ///
  /// On a shared device (``PublicClientApplicationConfiguration/isSharedDevice``) it removes all
  /// accounts.
  /// - Throws: the first failure of ``signOut(_:parameters:)``, which this calls:
  ///   ``AuthenticationError`` with code ``AuthenticationError/Code/storageUnavailable`` when the
  ///   store still has the account.
  public func remove(_ account: Account) async throws(AuthenticationError) {
    if let failure = try await signOut(account).failures.first { throw failure }
  }

  /// Whether the sign-in service has a page to sign out; true while it cannot be asked.
  package func hasSignOutPage() async -> Bool {
    let id = runtime.newCorrelationID()
    let description = try? await authorities.configuration(of: configuration.authority, id)
    return description.map { $0.endSessionEndpoint != nil } ?? true
  }

  /// Whether the store has `account` for other apps, too.
  package nonisolated func isUsedByOtherApps(_ account: Account) async -> Bool {
    await memory.isUsedByOtherApps(account)
  }

  /// Signs out everyone but `account`, which has just signed in: a shared device has one user at a
  /// time.
  ///
  /// Failures are tried again at the next sign-out, which covers all accounts.
  func takeOverSharedDevice(_ account: Account, _ correlationID: String) async {
    guard configuration.isSharedDevice else { return }
    let others = memory.accounts.filter { $0.key != account.key }
    guard !others.isEmpty else { return }
    for other in others {
      log.info("Signing out previous account \(identifier: other.id)", correlationID)
      _ = await part("removal", correlationID) { () throws(AuthenticationError) in
        try await memory.remove(other)
      }
    }
    _ = await part("external providers", correlationID) { () throws(AuthenticationError) in
      var left: [Account] = []
      try await removeFromExternalProviders(others, wipesAccount: true, left: &left)
    }
    if let broker, broker.givesTokens {
      let ids = Set(others.filter(\.isFromBroker).map(\.homeAccountID))
      _ = await part("broker", correlationID) { () throws(AuthenticationError) in
        var left: [HomeAccountID] = []
        try await removeFromBroker(ids, broker, correlationID, left: &left)
      }
    }
  }

  /// Removes accounts from the broker; continues after a failure.
  ///
  /// - Parameter left: gets the accounts that were not removed.
  /// - Throws: the error of the first that failed.
  private func removeFromBroker(
    _ ids: Set<HomeAccountID>, _ broker: BrokerSession, _ correlationID: String,
    left: inout [HomeAccountID]
  ) async throws(AuthenticationError) {
    var failure: AuthenticationError?
    for id in ids {
      do throws(AuthenticationError) {
        try await broker.remove(id, correlationID)
      } catch {
        left.append(id)
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
  }

  private func part(
    _ name: String, _ correlationID: String, _ work: () async throws(AuthenticationError) -> Void
  ) async -> SignOutResult.Part {
    do throws(AuthenticationError) {
      try await work()
      log.info("Sign-out, \(public: name): done", correlationID)
      return .done
    } catch {
      log.error("Sign-out, \(public: name): \(error)", correlationID)
      return .failed(error.naming(correlationID))
    }
  }

  private func endBrowserSession(
    of record: AccountRecord?, in session: any WebAuthenticationSession,
    _ parameters: SignOutParameters, _ correlationID: String
  ) async throws(AuthenticationError) {
    let authority = signOutAuthority(of: record)
    let description = try await authorities.configuration(of: authority, correlationID)
    let identifiesAccount = await accepts(
      record?.signOutToken(at: authority), authority, description,
      isRepeated: parameters.earlier?.browserSession.error != nil, correlationID)
    var client = configuration
    client.redirectURI = try await session.redirectURI(for: client.redirectURI)
    let request = try SignOutRequest(
      client: client, authority: authority, endpoint: description.endSessionEndpoint,
      record: identifiesAccount ? record : nil,
      extraQueryParameters: parameters.extraQueryParameters,
      state: Secret(Base64URL.encode(runtime.randomBytes(32))))
    do throws(AuthenticationError) {
      try request.check(redirect: await session.authenticate(request.page))
    } catch {
      let sentence: Sentence
      switch error.code {
      case .userCanceled:
        sentence = Sentence(
          "The sign-out page was closed before the sign-out was complete: the browser may still be"
            + " signed in.")
      case .webAuthenticationTimedOut:
        sentence = Sentence(
          "The sign-out page was not finished in time: the browser may still be signed in.")
      default: throw error
      }
      throw AuthenticationError(error.code, sentence, step: .signOut)
    }
  }

  /// Whether the sign-out page can be expected to accept `token`.
  ///
  /// A service may refuse the ID token, and with it every sign-out, when it no longer has the key;
  /// without the token, the page asks. If the keys are not available, the first request has the
  /// token, and the one after a failure does not. Only for OpenID Connect providers: Microsoft's
  /// services accept old tokens.
  private func accepts(
    _ token: Secret<String>?, _ authority: Authority, _ service: OpenIDConfiguration,
    isRepeated: Bool, _ correlationID: String
  ) async -> Bool {
    guard authority.kind == .oidc, service.endSessionEndpoint != nil, let token,
      let parsed = try? IDToken(token.exposed)
    else { return true }
    return await signingKeys.stillKnow(parsed, keysAt: service.keysURL, correlationID)
      ?? !isRepeated
  }

  /// The authority of the account's browser session: the configuration's, or the cloud that another
  /// request signed it in to.
  private func signOutAuthority(of record: AccountRecord?) -> Authority {
    let authority = configuration.authority
    guard authority.kind == .entra, let record else { return authority }
    return authority.moved(toCloudOf: record.environment) ?? authority
  }
}
