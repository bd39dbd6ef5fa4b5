import Sentences

/// A server's `error` that does something here; any other is a refusal like all.
///
/// They are of RFC 6749, sections 4.1.2.1 and 5.2; OpenID Connect Core 1.0, section 3.1.2.6; RFC 8628,
/// section 3.5.
/// What a server's error and suberror do stands in this file; what they say to a person, in
/// ``ErrorGuidance``.
enum OAuthError: String {
  case accessDenied = "access_denied"
  case authorizationDeclined = "authorization_declined"
  case authorizationPending = "authorization_pending"
  case consentRequired = "consent_required"
  case expiredToken = "expired_token"
  case interactionRequired = "interaction_required"
  case invalidGrant = "invalid_grant"
  case loginRequired = "login_required"
  case slowDown = "slow_down"
  case temporarilyUnavailable = "temporarily_unavailable"

  /// Reads a server's `error`, in capitals or not.
  init?(_ error: String?) {
    guard let error else { return nil }
    self.init(rawValue: error.lowercased())
  }

  /// What it is for the caller.
  var code: AuthenticationError.Code {
    switch self {
    case .accessDenied, .authorizationDeclined: .userCanceled
    case .expiredToken: .deviceCodeExpired
    case .interactionRequired, .loginRequired, .consentRequired, .invalidGrant:
      .interactionRequired
    case .temporarilyUnavailable: .serverUnavailable
    case .authorizationPending, .slowDown: .serverError
    }
  }
}

/// A `suberror` of Microsoft's that does something here.
enum OAuthSuberror: String {
  /// The refresh token will never be taken again.
  case badToken = "bad_token"
  /// The person left the pages.
  case cancel

  /// Reads a server's `suberror`.
  init?(_ suberror: String?) {
    guard let suberror else { return nil }
    self.init(rawValue: suberror)
  }
}

/// What an error does to the flow that meets it.
enum FlowEffect: Equatable {
  /// The person is not done with the code: ask again after the pause (RFC 8628, section 3.5).
  case goOn
  /// As ``goOn``, and let all pauses be longer from now on.
  case slowDown
  /// The refresh token was refused: another process may have a newer one. A bad one is not kept.
  case refuseToken(isBad: Bool)
  /// It ends the flow.
  case end
}

extension AuthenticationError {
  /// What this error does to the flow that meets it.
  var effect: FlowEffect {
    switch OAuthError(oauthError) {
    case .authorizationPending: .goOn
    case .slowDown: .slowDown
    case .invalidGrant: .refuseToken(isBad: OAuthSuberror(suberror) == .badToken)
    case nil where oauthError == nil && code == .interactionRequired: .refuseToken(isBad: false)
    case .accessDenied, .authorizationDeclined, .consentRequired, .expiredToken,
      .interactionRequired, .loginRequired, .temporarilyUnavailable, nil:
      .end
    }
  }

  /// Whether it tells of no more than that a service cannot be reached at the moment.
  var isOutage: Bool {
    [.serverUnavailable, .networkUnavailable, .brokerUnavailable].contains(code)
  }

  /// This error of a refresh as a refusal, if it came with the status of one and with no words: some
  /// services have none for a refresh token that is dead.
  func asRefusal(by authority: Authority) -> AuthenticationError {
    guard code == .invalidResponse, oauthError == nil, httpStatus == 400 || httpStatus == 401
    else { return self }
    var error = self
    error.code = .interactionRequired
    error.sentence = Sentence(
      "{service} asks you to sign in again.", ["service": authority.serviceName])
    return error
  }
}
