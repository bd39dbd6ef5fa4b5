import CurlHTTP
import FoundationEssentials
import HTTPTypes
import Sentences

/// Requests for tokens, and storing what was received.
extension PublicClientApplication {
  /// The tokens that a form gets from the token endpoint, for a refresh token or a code.
  ///
  /// If the caller's task is canceled, it is given up only after ``UnfinishedWork/timeout``.
  func granted(
    _ request: TokenRequest, _ expectation: TokenGrant.Expectation, _ call: Telemetry.Call
  ) async throws(AuthenticationError) -> TokenGrant {
    guard !Task.isCancelled else { throw .canceled(step: .token) }
    let task = Task {
      await Result { () async throws(AuthenticationError) in
        try await grant(request, expectation, call)
      }
    }
    // Until it ends, the timer keeps the task, and so the tokens that are the task's value.
    let timer = LockedValue<Task<Void, Never>?>(nil)
    defer { timer.withLock(\.self)?.cancel() }
    return try await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      let started = Task { [runtime] in
        try? await runtime.sleep(UnfinishedWork.timeout)
        task.cancel()
      }
      timer.withLock { $0 = started }
    }.get()
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
        if let renewed = RenewedRefreshToken(
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
    await updateExternalProviders(of: record.account)
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
