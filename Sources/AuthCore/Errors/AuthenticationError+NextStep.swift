extension AuthenticationError {
  /// How to proceed after an error.
  ///
  /// Every code has one, so that signing out is never the user's only option.
  public struct NextStep: Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// Nothing to do: the request succeeded anyway, or the user canceled it.
    public static let goOn = NextStep("goOn")
    /// Sign in again, with an interactive request or a new device code.
    ///
    /// The account is kept until that succeeds, although its refresh token may be deleted: when the
    /// server has permanently rejected it.
    public static let signIn = NextStep("signIn")
    /// Sign in another way: in the browser, or with a device code.
    public static let signInAnotherWay = NextStep("signInAnotherWay")
    /// Finish or close the sign-in in progress.
    public static let finishSignIn = NextStep("finishSignIn")
    /// Try again later.
    public static let tryAgain = NextStep("tryAgain")
    /// Check the network: a proxy, a wrong clock, a missing CA.
    public static let checkNetwork = NextStep("checkNetwork")
    /// Unlock the store or enter its passphrase, and try again.
    public static let unlockStorage = NextStep("unlockStorage")
    /// Correct the app registration, its configuration, or the parameters of the call.
    public static let correctConfiguration = NextStep("correctConfiguration")
    /// Use a device that the organization manages, or ask its administrator.
    public static let askAdministrator = NextStep("askAdministrator")

    /// All next steps of this version.
    public static let allCases: [NextStep] = [
      .goOn, .signIn, .signInAnotherWay, .finishSignIn, .tryAgain, .checkNetwork, .unlockStorage,
      .correctConfiguration, .askAdministrator,
    ]

    /// The name, for logs and programs.
    public let rawValue: String

    private init(_ rawValue: String) {
      self.rawValue = rawValue
    }

    /// The name.
    public var description: String { rawValue }
  }

  /// How to proceed after this error.
  ///
  /// It is more exact than that of ``code``, because it takes the server's reason into account: see
  /// ``guidance``. Microsoft may change its numbers at any time, so use it for what you offer the
  /// user, and ``code`` for what your program does by itself.
  public var nextStep: NextStep { failureKind.nextStep }
}

extension FailureKind {
  /// How to proceed.
  var nextStep: AuthenticationError.NextStep {
    switch self {
    case .settled: .goOn
    case .signIn, .consent, .otherAccount, .refused, .response, .broker: .signIn
    case .openSignIn: .finishSignIn
    case .later, .tooManyRequests, .noConnection, .notReachable, .noResponse: .tryAgain
    case .notSecure: .checkNetwork
    case .noPages, .noDeviceCode: .signInAnotherWay
    case .storage: .unlockStorage
    case .approval, .device, .administrator: .askAdministrator
    case .connection, .authority, .scope, .redirectURI, .registration, .developers:
      .correctConfiguration
    }
  }
}
