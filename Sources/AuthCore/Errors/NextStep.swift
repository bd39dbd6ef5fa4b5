extension AuthenticationError {
  /// What leads on from an error.
  ///
  /// Every code has one, so that no error leaves a person with nothing to do but to sign out.
  public enum NextStep: String, Sendable, CaseIterable {
    /// Nothing has to be done: what was asked for works, or the person gave it up.
    case goOn
    /// Sign in again, with an interactive request or a new code for the other device.
    ///
    /// The account and its tokens stay as they are until that has succeeded.
    case signIn
    /// Sign in some other way: the browser, or a code for another device.
    case signInAnotherWay
    /// Finish the sign-in that is open, or close it.
    case finishSignIn
    /// Do the same again in a while.
    case tryAgain
    /// Find out what is between this device and the service: a proxy, a wrong clock, a missing CA.
    case checkNetwork
    /// Unlock the store, or enter its passphrase, and do the same again.
    case unlockStorage
    /// Correct the app registration or how it is written down, or the parameters of the call.
    case correctConnection
    /// Use a device that the organization manages, or ask its administrator.
    case askAdministrator
  }
}

extension AuthenticationError.Code {
  /// What leads on from an error with this code.
  public var nextStep: AuthenticationError.NextStep {
    switch self {
    case .userCanceled, .storageIncomplete: .goOn
    // What a service refused or answered wrongly in silence, it may grant on its pages.
    case .interactionRequired, .deviceCodeExpired, .serverDeclinedScopes, .serverError,
      .invalidResponse, .invalidState, .invalidIDToken, .accountMismatch, .accountNotFound,
      .brokerUnavailable:
      .signIn
    case .webAuthenticationFailed: .signInAnotherWay
    case .interactiveSessionAlreadyRunning: .finishSignIn
    case .serverUnavailable, .networkUnavailable: .tryAgain
    case .tlsFailure: .checkNetwork
    case .storageUnavailable, .wrongPassphrase: .unlockStorage
    case .invalidConfiguration, .invalidParameter, .untrustedAuthority: .correctConnection
    case .workplaceJoinRequired: .askAdministrator
    }
  }
}
