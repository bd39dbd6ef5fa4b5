import CurlHTTP
import FoundationEssentials
import Sentences

/// A silent request: the cache first, and the network only if the cache has no usable token (RFC
/// 6749, section 6).
///
///     started → useCached, or: describeAuthority → requestTokens → keep
///
/// For an account of the identity broker, `askBroker → keep` comes before the second path. When the
/// server rejects the refresh token, the flow starts over if the store has a different one by then:
/// `requestTokens → lookAtStore`.
struct SilentFlow: Flow {
  private enum State {
    case ready
    case askingBroker
    case describingAuthority
    case requestingTokens
    case lookingAtStore(AuthenticationError)
    case forgettingToken(AuthenticationError)
    case finished
  }

  let reason = TokenGrant.Reason.renewal
  /// The authority, with the tenant of the request.
  let authority: Authority
  /// The token to return while the service is down.
  private(set) var fallback: CachedToken?
  private let client: PublicClientApplicationConfiguration
  private let parameters: SilentTokenParameters
  private var known: KnownAccount?
  /// Whether the account was known when the request began.
  private let isKnown: Bool
  private let correlationID: String
  /// Whether a token that is due is renewed; otherwise it is returned.
  private let renewsDueToken: Bool
  /// Whether there may be an identity broker that acquires tokens.
  private let hasBroker: Bool
  /// Why it is unknown whether the store has the account; nil when it is known.
  private let storageFailure: AuthenticationError?
  private var state = State.ready
  /// Whether the store was read again.
  private var hasLookedAgain = false

  init(
    client: PublicClientApplicationConfiguration, parameters: SilentTokenParameters,
    known: KnownAccount?, correlationID: String, hasBroker: Bool, renewsDueToken: Bool = false,
    storageFailure: AuthenticationError? = nil
  ) {
    authority = Self.authority(of: parameters, client)
    self.client = client
    self.parameters = parameters
    self.known = known
    isKnown = known != nil
    self.correlationID = correlationID
    self.hasBroker = hasBroker
    self.renewsDueToken = renewsDueToken
    self.storageFailure = storageFailure
  }

  /// The authority of the request's tenant.
  static func authority(
    of parameters: SilentTokenParameters, _ client: PublicClientApplicationConfiguration
  ) -> Authority {
    let asked = parameters.authority ?? client.authority(of: parameters.account)
    // An authority for several tenants does not determine the tenant of a silent request.
    return asked.isTenanted
      ? asked : asked.with(tenant: parameters.account.homeAccountID.tenantID)
  }

  /// Throws when the app cannot make the request.
  static func check(
    _ parameters: SilentTokenParameters, at authority: Authority,
    _ client: PublicClientApplicationConfiguration
  ) throws(AuthenticationError) {
    try authority.checkKind(of: client)
    try parameters.authenticationScheme.check()
  }

  /// Identifies equal requests.
  var key: SilentRequestKey { SilentRequestKey(parameters, authority: authority) }

  private var record: AccountRecord? { known?.record }

  mutating func next(
    _ event: FlowEvent, at date: Date
  ) throws(AuthenticationError) -> FlowAction {
    switch (state, event) {
    case (.ready, .started):
      return try lookAtCache(at: date)
    case (.askingBroker, .brokerReplied(let grant)):
      guard let grant else { return try renewHere() }
      state = .finished
      return .keep(grant, scopes: parameters.scopes)
    case (.describingAuthority, .described(let configuration)):
      return try requestTokens(configuration)
    case (.requestingTokens, .granted(let grant)):
      return try keep(grant)
    case (.lookingAtStore(let refusal), .storeRead(let known)):
      return try restart(known, after: refusal, at: date)
    case (.forgettingToken(let refusal), .tokenForgotten):
      state = .finished
      throw refusal
    // An account that also signed in on the app's own pages does not depend on the broker.
    case (.askingBroker, .failed(let error))
    where error.code != .userCanceled && record?.refreshToken != nil:
      return try renewHere(without: error)
    case (.requestingTokens, .failed(let error)):
      return try refused(error)
    case (.finished, .failed(let error)):
      throw error
    case (_, .failed(let error)):
      return try end(error)
    case (.ready, _), (.askingBroker, _), (.describingAuthority, _), (.requestingTokens, _),
      (.lookingAtStore, _), (.forgettingToken, _), (.finished, _):
      throw .unexpectedEvent(step: .token)
    }
  }

  // MARK: - Cache

  private mutating func lookAtCache(at date: Date) throws(AuthenticationError) -> FlowAction {
    try Self.check(parameters, at: authority, client)
    if known == nil, asksBroker { return askBroker() }
    // The user need not sign in when the store cannot be read, but fix the store.
    if known == nil, let storageFailure { throw storageFailure }
    guard let known, known.record.isAccount(at: authority) else {
      throw AuthenticationError(
        .interactionRequired, Sentence("This account is not signed in."))
    }
    if let cached = known.token(for: parameters, at: authority, client: client, date: date) {
      if cached.freshness == .good || cached.freshness == .due && !renewsDueToken {
        state = .finished
        return .useCached(cached)
      }
      fallback = cached
    }
    return asksBroker ? askBroker() : try renewHere()
  }

  /// Starts over with the account's record in the store, if its refresh token is not the one that
  /// was rejected.
  private mutating func restart(
    _ known: KnownAccount?, after refusal: AuthenticationError, at date: Date
  ) throws(AuthenticationError) -> FlowAction {
    guard let token = known?.record.refreshToken, token != record?.refreshToken else {
      return try end(refusal)
    }
    self.known = known
    fallback = nil
    return try lookAtCache(at: date)
  }

  // MARK: - The broker

  /// Whether the account's tokens come from the broker.
  ///
  /// Tokens bound to a key of this app do not.
  private var asksBroker: Bool {
    hasBroker && !parameters.authenticationScheme.isProofOfPossession
      && (known?.record.isBrokers ?? parameters.account.isFromBroker)
  }

  private mutating func askBroker() -> FlowAction {
    state = .askingBroker
    return .askBroker(
      BrokerQuestion(
        parameters: parameters, authority: authority, token: keptToken?.secret, isKnown: isKnown))
  }

  // MARK: - The server

  private mutating func renewHere(
    without error: AuthenticationError? = nil
  ) throws(AuthenticationError) -> FlowAction {
    guard known?.record.refreshToken != nil else {
      if let fallback, fallback.freshness != .extended {
        state = .finished
        return error.map { .useStale(fallback, key, because: $0) } ?? .useCached(fallback)
      }
      throw AuthenticationError(
        .interactionRequired,
        Sentence(
          "There is no valid token for this request, and no refresh token to get one. Sign in again."
        ))
    }
    state = .describingAuthority
    return .describeAuthority(authority)
  }

  private mutating func requestTokens(
    _ configuration: OpenIDConfiguration
  ) throws(AuthenticationError) -> FlowAction {
    guard let refreshToken = record?.refreshToken else { throw .unexpectedEvent(step: .token) }
    var proofKey: ProofKey?
    if parameters.authenticationScheme.isProofOfPossession {
      proofKey = record?.proofKey.flatMap(ProofKey.init)
      if proofKey == nil { proofKey = try ProofKey() }
    }
    state = .requestingTokens
    let expectation = TokenGrant.Expectation(
      scopes: parameters.scopes, clientID: client.clientID, authority: authority,
      configuration: configuration, proofKey: proofKey,
      homeAccountID: parameters.account.homeAccountID, spentToken: refreshToken, reason: reason)
    return .requestTokens(
      .refreshing(
        refreshToken, client: client, claims: parameters.claims, correlationID: correlationID,
        for: expectation), expectation)
  }

  private mutating func keep(_ grant: TokenGrant) throws(AuthenticationError) -> FlowAction {
    state = .finished
    // OpenID Connect Core 1.0, section 12.2.
    if let subject = grant.idToken?["sub"],
      record?.isSubject(subject, inTenant: grant.tenantID) == false
    {
      throw .otherAccount
    }
    return .keep(grant, scopes: parameters.scopes)
  }

  private mutating func refused(
    _ error: AuthenticationError
  ) throws(AuthenticationError) -> FlowAction {
    guard case .refuseToken = error.effect, !error.isThrottled, !hasLookedAgain else {
      return try end(error)
    }
    hasLookedAgain = true
    state = .lookingAtStore(error)
    return .lookAtStore(parameters.account)
  }

  /// Ends with the error of any step: with a valid cached token if there is one.
  private mutating func end(
    _ error: AuthenticationError
  ) throws(AuthenticationError) -> FlowAction {
    state = .finished
    // No room for new tokens is no reason to do without the one that is there.
    let isFull = error.code == .storageUnavailable && fallback?.freshness != .extended
    if error.isOutage || isFull, let fallback {
      return .useStale(fallback, key, because: error)
    }
    if error.effect == .refuseToken(isBad: true), let token = record?.refreshToken {
      state = .forgettingToken(error)
      return .forgetRefreshToken(token, parameters.account)
    }
    throw error
  }

  // MARK: - Telemetry

  /// The reason for the request, for the server's telemetry.
  var telemetry: Telemetry.Call { Telemetry.Call(api: .silent, reason: refreshReason) }

  private var refreshReason: Telemetry.RefreshReason {
    if fallback?.freshness == .due { return .proactive }
    if parameters.forceRefresh || parameters.claims?.isEmpty == false { return .forced }
    return keptToken == nil ? .notCached : .expired
  }

  /// The matching token in the cache, valid or not.
  private var keptToken: AccountRecord.AccessToken? {
    guard let record, let realm = record.realm(for: authority) else { return nil }
    return record.accessToken(realm: realm, scopes: parameters.scopes)
  }
}
