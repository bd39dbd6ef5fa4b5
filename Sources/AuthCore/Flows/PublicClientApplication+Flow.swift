import CurlHTTP
import FoundationEssentials
import HTTPTypes
import Sentences

/// The driver of all flows.
extension PublicClientApplication {
  /// Runs a flow to its end: performs its actions, and reports their results to it.
  ///
  /// `any`, not `some`: the compiler would make a copy of this code for each flow, which takes a
  /// fifth of the time of AuthCore's release build.
  ///
  /// - Throws: the flow's error, with `correlationID`.
  func run(
    _ flow: any Flow, _ correlationID: String
  ) async throws(AuthenticationError) -> AuthenticationResult {
    var flow = flow
    var event = FlowEvent.started
    var authority: Authority?
    // From sending a token request until its answer is stored.
    var spending: Spending?
    defer { withExtendedLifetime(spending) {} }
    do throws(AuthenticationError) {
      while true {
        let action = try flow.next(event, at: runtime.now())
        do throws(AuthenticationError) {
          switch action {
          case .describeAuthority(let described):
            authority = described
            event = .described(try await describe(described, flow.reason, correlationID))
          case .requestCookies(let request, let parameters):
            event = .cookies(await singleSignOnCookies(for: request, parameters, correlationID))
          case .showPages(let request, let session):
            log.info("Showing the sign-in pages", correlationID)
            event = .redirected(try await session.authenticate(request))
          case .requestCode(let request):
            event = .codeReplied(try await send(request, step: .authorization, flow.telemetry))
          case .showCode(let code, let show):
            await show(code)
            event = .codeShown
          case .wait(let pause):
            try await wait(pause)
            event = .waited
          case .requestTokens(let request, let expectation):
            spending = Spending()
            event = .granted(try await granted(request, expectation, flow.telemetry))
          case .askBroker(let question):
            event = .brokerReplied(try await askBroker(question, correlationID))
          case .lookAtStore(let account):
            await memory.readAgain(account)
            event = .storeRead(memory.known(account))
          case .forgetRefreshToken(let token, let account):
            await memory.forgetRefreshToken(token, of: account)
            event = .tokenForgotten
          case .keep(let grant, let scopes):
            return try await keep(grant, scopes: scopes, correlationID)
          case .useCached(let cached):
            return cached.result(correlationID, runtime)
          case .useStale(let cached, let key, let reason):
            log.warning("Token not renewed, using the cached one: \(reason)", correlationID)
            renewalPauses.start(key, at: runtime.now())
            return cached.result(correlationID, runtime)
          }
        } catch {
          spending = nil
          event = .failed(error.naming(correlationID))
        }
      }
    } catch {
      // The pages may have moved, where nobody but the person sees it: then the next try finds them.
      if let authority, error.step == .authorization { await authorities.doubt(authority) }
      throw error.naming(correlationID)
    }
  }

  private func describe(
    _ authority: Authority, _ reason: TokenGrant.Reason, _ correlationID: String
  ) async throws(AuthenticationError) -> OpenIDConfiguration {
    let configuration = try await authorities.configuration(of: authority, correlationID)
    // The user's sign-in gives time to prefetch the keys; a renewal may not need them.
    if reason == .signIn { await signingKeys.prefetch(configuration.keysURL, correlationID) }
    return configuration
  }

  private func wait(_ pause: Duration) async throws(AuthenticationError) {
    do {
      // The task may have been canceled earlier, in the caller's code.
      try Task.checkCancellation()
      try await runtime.sleep(pause)
    } catch {
      throw AuthenticationError(.userCanceled, Sentence("The sign-in was canceled."), step: .token)
    }
  }

  /// The tokens that a form gets from the token endpoint, even if the caller is canceled meanwhile.
  private func granted(
    _ request: TokenRequest, _ expectation: TokenGrant.Expectation, _ call: Telemetry.Call
  ) async throws(AuthenticationError) -> TokenGrant {
    try await spend { [self] in
      do throws(AuthenticationError) {
        return .success(try await grant(request, expectation, call))
      } catch {
        return .failure(error)
      }
    }
  }

  /// Sends a form to the token endpoint, and checks the response.
  ///
  /// Before anything is refused, the refresh token of a renewal is stored, and the service is asked
  /// whether its configuration has changed.
  private func grant(
    _ request: TokenRequest, _ expectation: TokenGrant.Expectation, _ call: Telemetry.Call
  ) async throws(AuthenticationError) -> TokenGrant {
    // A sign-in is never throttled.
    let isThrottled = expectation.reason == .renewal
    if isThrottled, let error = throttled(request, at: runtime.now()) { throw error }
    // Other services may accept a refresh token once. Microsoft's stays valid, so there tokens that
    // only memory has room for are better than none; so are they where nothing is stored anyway.
    if expectation.reason == .renewal, !expectation.authority.kind.isMicrosofts,
      memory.storageFailure?.code != .storageUnavailable
    {
      try await memory.store.checkWriting()
    }
    var (request, expectation) = (request, expectation)
    var reply = try await send(request, call)
    if reply.isFromNoEndpoint,
      let changed = await authorities.changed(
        expectation.configuration, of: expectation.authority, request.correlationID),
      changed.tokenEndpoint != request.url
    {
      // Nobody took the form, so nothing is used up.
      (expectation.configuration, request.url) = (changed, changed.tokenEndpoint)
      reply = try await send(request, call)
    }
    let date = runtime.now()
    let account = expectation.homeAccountID
    do throws(AuthenticationError) {
      let grant: TokenGrant
      do throws(AuthenticationError) {
        grant = try TokenGrant(request, reply, receivedAt: date, against: expectation)
      } catch {
        if let renewed = RenewedToken(
          in: reply, to: expectation, of: { memory.record($0) })
        {
          await memory.save(renewed)
        }
        guard error.code == .invalidIDToken,
          let changed = await authorities.changed(
            expectation.configuration, of: expectation.authority, request.correlationID)
        else { throw error }
        expectation.configuration = changed
        grant = try TokenGrant(request, reply, receivedAt: date, against: expectation)
      }
      if isThrottled { answered(request, of: account, by: reply, error: nil, at: date) }
      if !grant.response.oddMembers.isEmpty {
        log.warning(
          "Ignored in the token response, as not valid: \(public: grant.response.oddMembers)",
          request.correlationID)
      }
      return grant
    } catch {
      if isThrottled { answered(request, of: account, by: reply, error: error, at: date) }
      throw error
    }
  }

  /// Stores a flow's tokens, after checking their signature.
  func keep(
    _ grant: TokenGrant, scopes: [String], _ correlationID: String
  ) async throws(AuthenticationError) -> AuthenticationResult {
    let grant = try await signatureChecked(grant, correlationID)
    if grant.reason == .signIn { clearPauses(of: grant.homeAccountID, correlationID) }
    let randomBytes = runtime.randomBytes
    let (record, storageFailure) = await memory.save(grant) { Base64URL.encode(randomBytes(16)) }
    if grant.reason == .signIn { await takeOverSharedDevice(record.account, correlationID) }
    report(grant, of: record.account, storageFailure, correlationID)
    await tellExternalProviders(of: record.account)
    let declined = grant.declined(of: scopes)
    guard declined.isEmpty else {
      var error = AuthenticationError(
        .serverDeclinedScopes,
        Sentence(
          "Not all permissions were granted. Missing: {scopes}.",
          ["scopes": declined.joined(separator: ", ")]),
        step: .token)
      error.grantedScopes = grant.scopes.withoutOpenID.list
      error.declinedScopes = declined
      throw error
    }
    var result = AuthenticationResult(grant, of: record, correlationID, runtime)
    result.storageFailure = storageFailure
    return result
  }
}

extension TokenGrant {
  /// Checks the reply to `request`, whose secrets are removed from an error.
  fileprivate init(
    _ request: TokenRequest, _ reply: HTTPReply, receivedAt date: Date,
    against expectation: Expectation
  ) throws(AuthenticationError) {
    self = try request.reading { () throws(AuthenticationError) in
      try TokenGrant(checking: reply, receivedAt: date, against: expectation)
    }
  }
}

extension HTTPReply {
  /// Whether there is no token endpoint, or no longer, at the URL that was asked.
  fileprivate var isFromNoEndpoint: Bool {
    response.status.kind == .redirection || [404, 405, 410].contains(response.status.code)
  }
}
