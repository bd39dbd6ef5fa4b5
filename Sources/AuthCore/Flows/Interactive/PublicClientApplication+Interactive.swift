import Sentences

extension PublicClientApplication {
  /// The task of an interactive request, which other calls can cancel.
  typealias InteractiveRequest = Task<Result<AuthenticationResult, AuthenticationError>, Never>

  /// Acquires a token interactively: `parameters.session` shows the sign-in pages.
  ///
  /// Only one interactive request can run at a time.
  /// - Throws: ``AuthenticationError``; ``AuthenticationError/Code/userCanceled`` when the user
  ///   canceled, the task was canceled or ``cancelInteractiveRequest()`` was called.
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
      await Result { () async throws(AuthenticationError) in try await signIn(parameters) }
    }
    interactiveRequest = request
    defer { interactiveRequest = nil }
    return try await withTaskCancellationHandler {
      await request.value
    } onCancel: {
      request.cancel()
    }.get()
  }

  /// Cancels the interactive request in progress, as if the user had canceled it.
  ///
  /// It is MSAL's `cancelCurrentWebAuthSession`, limited to this application.
  /// - Returns: whether there was one.
  @discardableResult
  public func cancelInteractiveRequest() -> Bool {
    interactiveRequest?.cancel()
    return interactiveRequest != nil
  }

  /// Runs an interactive request: with the identity broker if it acquires tokens, else with the
  /// pages.
  private func signIn(
    _ parameters: InteractiveTokenParameters
  ) async throws(AuthenticationError) -> AuthenticationResult {
    let correlationID = parameters.correlationID ?? runtime.newCorrelationID()
    log.info(
      "Interactive request, hint \(personal: parameters.account?.username ?? parameters.loginHint)",
      correlationID)
    do throws(AuthenticationError) {
      var parameters = parameters
      parameters.scopes = try Scopes.checked(
        parameters.scopes, for: configuration.authority.kind)
      // Said before the pages, not after them.
      try? await memory.checkWriting()
      let brokerSignIn = try await signInWithBroker(parameters, correlationID)
      if case .done(let grant) = brokerSignIn {
        return try await keep(grant, scopes: parameters.scopes, correlationID)
      }
      var client = configuration
      client.redirectURI = try await parameters.session.redirectURI(for: client.redirectURI)
      let flow = InteractiveFlow(
        client: client, parameters: parameters, correlationID: correlationID,
        hasCookies: brokerSignIn.lendsCookies, hasChoice: await hasChoice(parameters),
        randomBytes: runtime.randomBytes)
      return try await run(flow, correlationID).shown(by: parameters.authenticationScheme)
    } catch {
      throw ended(error, .interactive, correlationID)
    }
  }

  /// Whether the pages of an OpenID Connect provider may have several accounts to choose from.
  ///
  /// There is none in a session without cookies, and none to choose before the first sign-in.
  private func hasChoice(_ parameters: InteractiveTokenParameters) async -> Bool {
    let authority = parameters.authority ?? configuration.authority
    // The others do not depend on it.
    guard authority.kind == .oidc, parameters.prompt == .selectAccount else { return true }
    let isEmpty = await parameters.session.startsWithoutCookies(
      isEphemeral: parameters.prefersEphemeralSession || configuration.isSharedDevice)
    guard !isEmpty else { return false }
    await memory.loadUnlessPaused(.all)
    return memory.accounts.contains { memory.record(of: $0)?.isAccount(at: authority) == true }
  }
}
