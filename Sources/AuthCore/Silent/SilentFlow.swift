import CurlHTTP
import FoundationEssentials

/// A silent request: the cache first, the network only when the cache has nothing that will do
/// (RFC 6749, section 6).
///
/// Like ``InteractiveFlow`` it does nothing itself:
///
///     lookAtCache → useCached, or: describeAuthority → requestTokens → finish
///
/// For an account of the identity broker, `askBroker → finish` comes before the second way. When the server
/// refuses the refresh token, it begins anew if there is another one by now: `requestTokens → lookAtStore →
/// lookAtCache`.
struct SilentFlow: Sendable {
  /// What to do next.
  enum Action: Sendable {
    /// Start: see whether the cache has what is asked for.
    case lookAtCache
    /// Give the caller this cached token; the flow is over.
    case useCached(CachedToken)
    /// Ask the identity broker, whose last token was this.
    case askBroker(replacing: Secret<String>?)
    /// Get the authority's OpenID configuration.
    case describeAuthority(Authority)
    /// Send the form to the token endpoint.
    case requestTokens(TokenRequest)
    /// See what the store has by now: another process may have used the refresh token first.
    case lookAtStore
    /// Keep the tokens; the flow is over.
    case finish(TokenGrant)
    /// Forget the refresh token, then throw; the flow is over.
    case forgetRefreshToken(Secret<String>, AuthenticationError)
  }

  private enum State {
    case ready
    case askingBroker
    case describingAuthority
    case requestingTokens(OpenIDConfiguration, ProofKey?)
    case lookingAtStore(AuthenticationError)
    case finished
  }

  private let client: PublicClientApplicationConfiguration
  private let parameters: SilentTokenParameters
  private(set) var known: KnownAccount?
  private let correlationID: String
  /// Whether a token that is due is renewed; else it is given out.
  private let renewsDueToken: Bool
  /// Whether there may be an identity broker that gives tokens.
  private let hasBroker: Bool
  /// Why it is not known whether the store has the account; nil when that is known.
  private let storageFailure: AuthenticationError?
  /// The tenant that is asked.
  let authority: Authority
  private var state = State.ready
  /// Whether the store was looked at again.
  private var hasLookedAgain = false
  /// What serves while the service is down.
  private(set) var fallback: CachedToken?

  init(
    client: PublicClientApplicationConfiguration, parameters: SilentTokenParameters,
    known: KnownAccount?, correlationID: String, hasBroker: Bool, renewsDueToken: Bool = false,
    storageFailure: AuthenticationError? = nil
  ) {
    let asked = parameters.authority ?? client.authority(of: parameters.account)
    // An authority that stands for many tenants cannot tell which one a silent request is about.
    authority =
      asked.isTenanted ? asked : asked.with(tenant: parameters.account.homeAccountID.tenantID)
    self.client = client
    self.parameters = parameters
    self.known = known
    self.correlationID = correlationID
    self.hasBroker = hasBroker
    self.renewsDueToken = renewsDueToken
    self.storageFailure = storageFailure
  }

  private var record: AccountRecord? { known?.record }

  /// Looks at the cache.
  mutating func start(at date: Date) throws(AuthenticationError) -> Action {
    try authority.checkKind(of: client)
    try parameters.authenticationScheme.check()
    if known == nil, asksBroker { return askBroker() }
    // Who cannot be looked up need not sign in, but see to the store.
    if known == nil, let storageFailure { throw storageFailure }
    guard let known, known.record.isAccount(at: authority) else {
      throw AuthenticationError(
        .interactionRequired, "No one with this account is signed in. Please sign in.")
    }
    if let cached = CachedToken(
      parameters, at: authority, in: known, client: client, date: date)
    {
      if cached.standing == .good || cached.standing == .due && !renewsDueToken {
        state = .finished
        return .useCached(cached)
      }
      fallback = cached
    }
    return asksBroker ? askBroker() : try renewHere()
  }

  /// Whether the account's tokens come from the broker.
  ///
  /// Those that are bound to a key of this app do not.
  private var asksBroker: Bool {
    hasBroker && !parameters.authenticationScheme.isProofOfPossession
      && (known?.record.isBrokers ?? parameters.account.isFromBroker)
  }

  private mutating func askBroker() -> Action {
    state = .askingBroker
    let token = record?.realm(for: authority).flatMap {
      record?.accessToken(realm: $0, scopes: parameters.scopes)
    }
    return .askBroker(replacing: token?.secret)
  }

  /// Goes on with the broker's token, or without it where there is no broker any more.
  mutating func brokerReplied(_ grant: TokenGrant?) throws(AuthenticationError) -> Action {
    guard case .askingBroker = state else { throw unexpected() }
    guard let grant else { return try renewHere() }
    state = .finished
    return .finish(grant)
  }

  private mutating func renewHere() throws(AuthenticationError) -> Action {
    guard known?.record.refreshToken != nil else {
      if let fallback, fallback.standing != .extended { return .useCached(fallback) }
      throw AuthenticationError(
        .interactionRequired,
        "There is no token for this, and none that could be renewed. Please sign in.")
    }
    state = .describingAuthority
    return .describeAuthority(authority)
  }

  /// Goes on with what the authority says of itself.
  mutating func described(_ configuration: OpenIDConfiguration) throws(AuthenticationError)
    -> Action
  {
    guard case .describingAuthority = state, let refreshToken = record?.refreshToken else {
      throw unexpected()
    }
    var proofKey: ProofKey?
    if parameters.authenticationScheme.isProofOfPossession {
      proofKey = record?.proofKey.flatMap(ProofKey.init)
      if proofKey == nil { proofKey = try ProofKey() }
    }
    state = .requestingTokens(configuration, proofKey)
    return .requestTokens(
      .refreshing(
        refreshToken, client: client, scopes: parameters.scopes, claims: parameters.claims,
        proofKey: proofKey, kind: authority.kind, configuration: configuration,
        correlationID: correlationID))
  }

  /// Ends with the answer of the token endpoint.
  mutating func replied(_ reply: HTTPReply, at date: Date) throws(AuthenticationError) -> Action {
    guard case .requestingTokens(let configuration, let proofKey) = state else {
      throw unexpected()
    }
    var grant: TokenGrant
    do throws(AuthenticationError) {
      grant = try TokenGrant(
        checking: reply, receivedAt: date,
        against: TokenGrant.Expectation(
          scopes: parameters.scopes, clientID: client.clientID, authority: authority,
          configuration: configuration, nonce: nil, proofKey: proofKey,
          homeAccountID: parameters.account.homeAccountID, isInteractive: false))
    } catch {
      throw error.asRefusal(by: authority)
    }
    // OpenID Connect Core 1.0, section 12.2.
    guard record?.isSubject(of: grant) != false else { throw .otherAccount }
    grant.spentToken = record?.refreshToken
    state = .finished
    return .finish(grant)
  }

  /// Ends with the error of any step: with a token that is good still where there is one.
  mutating func failed(_ error: AuthenticationError) throws(AuthenticationError) -> Action {
    if case .finished = state { throw error }
    // An account that signed in on the app's own pages, too, does not depend on the broker.
    if case .askingBroker = state, error.code != .userCanceled, record?.refreshToken != nil {
      return try renewHere()
    }
    if case .requestingTokens = state, error.isRefusedGrant, !error.isThrottled, !hasLookedAgain {
      state = .lookingAtStore(error)
      hasLookedAgain = true
      return .lookAtStore
    }
    return try end(error)
  }

  /// Begins anew with the account's record in the store, if its refresh token is another than the one that
  /// was refused.
  mutating func looked(at known: KnownAccount?, at date: Date) throws(AuthenticationError)
    -> Action
  {
    guard case .lookingAtStore(let refusal) = state else { throw unexpected() }
    guard let token = known?.record.refreshToken, token != record?.refreshToken else {
      return try end(refusal)
    }
    self.known = known
    fallback = nil
    state = .ready
    return try start(at: date)
  }

  private mutating func end(_ error: AuthenticationError) throws(AuthenticationError) -> Action {
    state = .finished
    let isOutage = [.serverUnavailable, .networkUnavailable, .brokerUnavailable]
      .contains(error.code)
    if isOutage, let fallback { return .useCached(fallback) }
    if error.oauthError == "invalid_grant", error.suberror == "bad_token",
      let token = record?.refreshToken
    {
      return .forgetRefreshToken(token, error)
    }
    throw error
  }

  /// Why the server is asked, for its statistics.
  var refreshReason: Telemetry.RefreshReason {
    if fallback?.standing == .due { return .proactive }
    if parameters.forceRefresh || parameters.claims?.isEmpty == false { return .forced }
    let cached = record.flatMap { record in
      record.realm(for: authority).flatMap {
        record.accessToken(realm: $0, scopes: parameters.scopes)
      }
    }
    return cached == nil ? .notCached : .expired
  }

  private func unexpected() -> AuthenticationError {
    AuthenticationError(
      .invalidState, "There is no request under way that this belongs to.", step: .token)
  }
}

extension AuthenticationError {
  /// Whether the refresh token itself was refused.
  fileprivate var isRefusedGrant: Bool {
    oauthError == "invalid_grant" || code == .interactionRequired && oauthError == nil
  }

  /// This error of a refresh as a refusal, if it came with the status of one and with no words: some
  /// services have none for a refresh token that is dead.
  fileprivate func asRefusal(by authority: Authority) -> AuthenticationError {
    guard code == .invalidResponse, oauthError == nil, httpStatus == 400 || httpStatus == 401
    else { return self }
    var error = self
    error.code = .interactionRequired
    error.message = "\(authority.serviceName) asks you to sign in again."
    return error
  }
}
