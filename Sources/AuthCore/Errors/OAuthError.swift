import Sentences

/// A server's `error` that has a meaning for the flows; any other ends the flow.
///
/// They are from RFC 6749, sections 4.1.2.1 and 5.2; OpenID Connect Core 1.0, section 3.1.2.6; RFC
/// 8628, section 3.5. This file has the effects of errors and suberrors; ``ErrorGuidance`` has the
/// sentences for the user.
enum OAuthError: String {
  case accountSelectionRequired = "account_selection_required"
  case accessDenied = "access_denied"
  case authorizationDeclined = "authorization_declined"
  case authorizationPending = "authorization_pending"
  case consentRequired = "consent_required"
  case expiredToken = "expired_token"
  case interactionRequired = "interaction_required"
  case invalidClient = "invalid_client"
  case invalidGrant = "invalid_grant"
  case invalidScope = "invalid_scope"
  case loginRequired = "login_required"
  case slowDown = "slow_down"
  case temporarilyUnavailable = "temporarily_unavailable"

  /// Parses a server's `error`, case-insensitively.
  init?(_ error: String?) {
    guard let error else { return nil }
    self.init(rawValue: error.lowercased())
  }

  /// The code for the caller.
  var code: AuthenticationError.Code {
    switch self {
    case .accessDenied, .authorizationDeclined: .userCanceled
    case .expiredToken: .deviceCodeExpired
    case .interactionRequired, .loginRequired, .accountSelectionRequired, .consentRequired,
      .invalidGrant:
      .interactionRequired
    case .temporarilyUnavailable: .serverUnavailable
    case .authorizationPending, .slowDown, .invalidClient, .invalidScope: .serverError
    }
  }
}

/// A Microsoft `suberror` that has a meaning for the flows.
enum OAuthSuberror: String {
  /// The refresh token is permanently invalid.
  case badToken = "bad_token"
  /// The user left the pages.
  case cancel

  /// Parses a server's `suberror`.
  init?(_ suberror: String?) {
    guard let suberror else { return nil }
    self.init(rawValue: suberror)
  }
}

/// The effect of an error on a flow.
enum FlowEffect: Equatable {
  /// The user has not entered the code yet: poll again after the interval (RFC 8628, section 3.5).
  case goOn
  /// Like ``goOn``, and poll less often from now on.
  case slowDown
  /// The refresh token was rejected: another process may have stored a newer one.
  ///
  /// A bad one is not kept.
  case refuseToken(isBad: Bool)
  /// The flow ends.
  case end
}

extension AuthenticationError {
  /// The effect of this error on a flow.
  var effect: FlowEffect {
    switch OAuthError(oauthError) {
    case .authorizationPending: .goOn
    case .slowDown: .slowDown
    case .invalidGrant: .refuseToken(isBad: OAuthSuberror(suberror) == .badToken)
    case nil where oauthError == nil && code == .interactionRequired: .refuseToken(isBad: false)
    case .accessDenied, .accountSelectionRequired, .authorizationDeclined, .consentRequired,
      .expiredToken, .interactionRequired, .invalidClient, .invalidScope, .loginRequired,
      .temporarilyUnavailable, nil:
      .end
    }
  }

  /// Whether the user or the service declined the sign-in on its pages or with a device code; false
  /// when the user only left the pages, or the task was canceled.
  ///
  /// The code is ``Code/userCanceled`` in all these cases. Show the message when this is true: it has
  /// the reason, such as a rule of the service.
  public var isDeclined: Bool {
    code == .userCanceled && oauthError != nil && OAuthSuberror(suberror) != .cancel
  }

  /// Whether it only means that a service cannot be reached at the moment.
  var isOutage: Bool {
    [.serverUnavailable, .networkUnavailable, .brokerUnavailable].contains(code)
  }

  /// The error of a refresh, which the user takes no part in.
  ///
  /// If it has the status of a rejection and no details, it counts as `invalid_grant`: some
  /// services return none for a refresh token that is no longer valid. That is replaced by a sign-in,
  /// whatever the service's number says about the request. A denial is the service's own.
  func asRefusal(by authority: Authority) -> AuthenticationError {
    if code == .userCanceled, let oauthError {
      var error = self
      error.code = .serverError
      error.sentence =
        guidance?.sentence
        ?? ServerError.refusal(oauthError, serverDescription, by: authority)
      return error
    }
    let hasNoDetails =
      code == .invalidResponse && oauthError == nil && (httpStatus == 400 || httpStatus == 401)
    guard hasNoDetails || OAuthError(oauthError) == .invalidGrant else { return self }
    var error = self
    error.isRefreshTokenRefused = true
    if hasNoDetails { error.code = .interactionRequired }
    if error.code == .interactionRequired, error.guidance == nil {
      error.sentence = Sentence(
        "{service} asks you to sign in again.", ["service": authority.serviceName])
    }
    return error
  }
}
