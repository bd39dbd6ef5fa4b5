import Sentences

extension PublicClientApplication {
  /// An interactive request, in a task of its own so that it can be ended from elsewhere.
  typealias InteractiveRequest = Task<Result<AuthenticationResult, AuthenticationError>, Never>

  /// Acquires a token interactively: `parameters.session` shows the sign-in pages to the person.
  ///
  /// Only one such request can run at a time.
  /// - Throws: ``AuthenticationError``; ``AuthenticationError/Code/userCanceled`` when the person gave up, the
  ///   task was cancelled or ``cancelInteractiveRequest()`` was called.
  public func acquireToken(
    _ parameters: InteractiveTokenParameters
  ) async throws(AuthenticationError) -> AuthenticationResult {
    guard interactiveRequest == nil else {
      throw AuthenticationError(
        .interactiveSessionAlreadyRunning,
        Sentence("Another sign-in is in progress. Finish or cancel it first.")
      ).naming(parameters.correlationID ?? runtime.newCorrelationID())
    }
    let request = InteractiveRequest {
      do throws(AuthenticationError) {
        return .success(try await signIn(parameters))
      } catch {
        return .failure(error)
      }
    }
    interactiveRequest = request
    defer { interactiveRequest = nil }
    return try await withTaskCancellationHandler {
      await request.value
    } onCancel: {
      request.cancel()
    }.get()
  }

  /// Ends the interactive request that is under way, as if the person had given up.
  ///
  /// It is MSAL's `cancelCurrentWebAuthSession`, for this application alone.
  /// - Returns: whether there was one.
  @discardableResult
  public func cancelInteractiveRequest() -> Bool {
    interactiveRequest?.cancel()
    return interactiveRequest != nil
  }

  /// Goes through an interactive request: with the identity broker where that signs people in, or else on
  /// the pages.
  private func signIn(
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
      let flow = InteractiveFlow(
        client: client, parameters: parameters, correlationID: correlationID,
        hasCookies: brokerSignIn.lendsCookies, randomBytes: runtime.randomBytes)
      return try await run(flow, correlationID).shown(by: parameters.authenticationScheme)
    } catch {
      throw ended(error, .interactive, correlationID)
    }
  }
}
