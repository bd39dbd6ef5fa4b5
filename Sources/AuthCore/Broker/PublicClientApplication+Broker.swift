import FoundationEssentials

/// Uses this computer's identity broker.
extension PublicClientApplication {
  /// The version of this computer's identity broker, such as `2.0.2`; nil when there is none.
  ///
  /// - Throws: ``AuthenticationError`` when the broker does not answer; see ``TokenBroker``.
  public func brokerVersion() async throws(AuthenticationError) -> String? {
    try await broker?.broker.version(correlationID: runtime.newCorrelationID())
  }

  // MARK: - Accounts

  /// Why the identity broker's accounts are missing from the last ``accounts(_:)``; nil when they
  /// are not, or there is no broker.
  public var brokerFailure: AuthenticationError? {
    get async { await broker?.failure }
  }

  /// The broker's accounts that have not signed in here.
  func brokerAccounts() async -> [Account] {
    guard let broker, broker.givesTokens else { return [] }
    return await broker.accounts(runtime.newCorrelationID()).map { account in
      let profile = AccountRecord.Profile(
        realm: account.tenantID, localAccountID: account.localAccountID,
        username: account.username, name: account.name,
        accountSource: AccountRecord.Profile.broker)
      let host = account.environment.flatMap(KnownClouds.preferredHost)
      return AccountRecord(
        id: "", clientID: configuration.clientID, homeAccountID: account.homeAccountID,
        environment: host ?? configuration.authority.environment, signedInAt: .distantPast,
        profiles: [profile]
      ).account
    }
  }

  // MARK: - Tokens

  /// Acquires a token from the broker without user interaction; nil when there is no broker after
  /// all, or none for this app, device or account.
  func askBroker(
    _ question: BrokerQuestion, _ correlationID: String
  ) async throws(AuthenticationError) -> TokenGrant? {
    let (parameters, authority) = (question.parameters, question.authority)
    let id = parameters.account.homeAccountID
    do throws(AuthenticationError) {
      guard let broker, let account = try await broker.account(id, correlationID) else {
        return nil
      }
      var request = brokerRequest(
        parameters.scopes, at: authority, parameters.claims, correlationID)
      request.account = account
      if parameters.forceRefresh || request.claims != nil {
        request.accessTokenToRenew = question.token
      }
      guard let answer = try await broker.broker.acquireTokenSilently(request) else { return nil }
      return try TokenGrant(
        checking: answer, of: account, receivedAt: runtime.now(),
        against: TokenGrant.BrokerExpectation(
          scopes: parameters.scopes, clientID: configuration.clientID, authority: authority,
          issuer: try await issuer(of: authority, for: answer, correlationID),
          homeAccountID: id, reason: question.isKnown ? .renewal : .adoption))
    } catch let error where error.needsPages {
      log.info("The identity broker requires the sign-in pages: \(error)", correlationID)
      return nil
    } catch {
      throw error.hiding(SentSecrets([question.token].compactMap(\.self)))
    }
  }

  /// The outcome of a sign-in with the broker.
  enum BrokerSignIn {
    /// The broker signed the user in.
    case done(TokenGrant)
    /// The app's own pages are needed, and the broker can provide cookies for them.
    case pages
    /// There is no broker, or it does not work.
    case absent

    /// Whether the app's own pages can use the broker's cookies.
    var lendsCookies: Bool {
      if case .pages = self { true } else { false }
    }
  }

  /// Signs in with the broker, if possible.
  ///
  /// - Throws: when the user canceled, or the server rejected the request.
  func signInWithBroker(
    _ parameters: InteractiveTokenParameters, _ correlationID: String
  ) async throws(AuthenticationError) -> BrokerSignIn {
    let authority = parameters.authority ?? configuration.authority
    guard let broker, BrokerSession.serves(authority) else { return .absent }
    // Brokers do not bind tokens to a key of this app.
    guard broker.givesTokens, parameters.prompt.isForBrokers,
      !parameters.authenticationScheme.isProofOfPossession
    else { return .pages }
    var request = brokerRequest(
      parameters.scopes + parameters.extraScopesToConsent, at: authority, parameters.claims,
      correlationID)
    request.prompt = parameters.prompt
    request.loginHint = parameters.loginHint
    request.extraQueryParameters = parameters.extraQueryParameters
    request.parentWindow = parameters.parentWindow
    do throws(AuthenticationError) {
      if let id = parameters.account?.homeAccountID {
        request.account = try await broker.account(id, correlationID)
        request.loginHint = parameters.account?.username
      }
      guard let token = try await signIn(with: broker.broker, request) else { return .absent }
      return .done(try await grant(token, for: request, parameters.scopes, broker))
    } catch let error where error.needsPages {
      log.info("The identity broker requires the sign-in pages: \(error)", correlationID)
      return .pages
    } catch {
      let isBroken = error.code == .brokerUnavailable || error.code == .invalidResponse
      guard isBroken, error.step == .broker else { throw error }
      log.error("The identity broker failed: \(error)", correlationID)
      return .absent
    }
  }

  /// Tries without user interaction first, unless the prompt asks for pages.
  private func signIn(
    with broker: any TokenBroker, _ request: BrokerTokenRequest
  ) async throws(AuthenticationError) -> BrokerToken? {
    if request.account != nil, request.prompt == .promptIfNecessary {
      do throws(AuthenticationError) {
        return try await broker.acquireTokenSilently(request)
      } catch {
        guard [.interactionRequired, .accountNotFound].contains(error.code) else { throw error }
      }
    }
    return try await broker.acquireTokenInteractively(request)
  }

  private func grant(
    _ token: BrokerToken, for request: BrokerTokenRequest, _ scopes: [String],
    _ broker: BrokerSession
  ) async throws(AuthenticationError) -> TokenGrant {
    var account = token.account ?? request.account
    if account == nil, let id = token.homeAccountID {
      account = try await broker.account(id, request.correlationID)
    }
    return try TokenGrant(
      checking: token, of: account, receivedAt: runtime.now(),
      against: TokenGrant.BrokerExpectation(
        scopes: scopes, clientID: configuration.clientID, authority: request.authority,
        issuer: try await issuer(of: request.authority, for: token, request.correlationID),
        reason: .signIn))
  }

  /// The issuer of an authority that has only the name of a tenant; nil when `token` has the ID.
  ///
  /// Microsoft's brokers ask the tenant with the name. Himmelblau does not read the authority, and
  /// its tokens come without the ID.
  private func issuer(
    of authority: Authority, for token: BrokerToken, _ correlationID: String
  ) async throws(AuthenticationError) -> String? {
    let idToken = token.idToken.flatMap { try? IDToken($0.exposed) }
    guard authority.realmName != nil, idToken?.tenantID == nil else { return nil }
    return try await authorities.configuration(of: authority, correlationID).issuer
  }

  private func brokerRequest(
    _ scopes: [String], at authority: Authority, _ claims: ClaimsRequest?, _ correlationID: String
  ) -> BrokerTokenRequest {
    var request = BrokerTokenRequest(
      clientID: configuration.clientID, authority: authority, scopes: Scopes(scopes).list,
      correlationID: correlationID)
    request.claims = ClaimsRequest.parameter(
      claims, capabilities: configuration.clientCapabilities)
    return request
  }

  // MARK: - Pages

  /// The account of `broker` for the pages: the requested one, else its first.
  private func account(
    of broker: BrokerSession, for parameters: InteractiveTokenParameters, _ correlationID: String
  ) async -> BrokerAccount? {
    let accounts = await broker.accounts(correlationID)
    if let account = parameters.account {
      return accounts.first { $0.homeAccountID == account.homeAccountID }
    }
    guard let hint = parameters.loginHint?.lowercased() else { return accounts.first }
    return accounts.first { $0.username.lowercased() == hint }
  }

  /// The broker's single sign-on cookies for the pages of `request`, which identify the account and
  /// the device.
  ///
  /// Only Microsoft's worldwide cloud is known to accept them. The pages work without them, so
  /// errors are ignored.
  func singleSignOnCookies(
    for request: WebAuthenticationRequest, _ parameters: InteractiveTokenParameters,
    _ correlationID: String
  ) async -> [WebCookie] {
    let authority = parameters.authority ?? configuration.authority
    guard let broker, request.startURL.hasPrefix("https://\(Authority.common.environment)/"),
      let account = await account(of: broker, for: parameters, correlationID)
    else { return [] }
    var question = brokerRequest(parameters.scopes, at: authority, nil, correlationID)
    question.account = account
    let cookies = try? await broker.broker.singleSignOnCookies(for: request.startURL, question)
    return cookies ?? []
  }
}

extension Prompt {
  /// Whether brokers do what it asks for.
  ///
  /// They have no pages for creating accounts, and ignore all others, too: without an account in the
  /// request, Microsoft's show an account picker, and Himmelblau leaves it to the app's pages.
  fileprivate var isForBrokers: Bool {
    switch known {
    case .promptIfNecessary, .selectAccount: true
    case .login, .consent, .create: false
    }
  }
}

extension AuthenticationError {
  /// Whether the broker cannot serve this app, this device, such as one that is not enrolled, or this
  /// request, while the app's own pages may still work.
  package var needsPages: Bool { brokerError?.isOfBroker == true }
}
