extension AuthenticationError {
  /// What leads on from an error.
  ///
  /// Every code has one, so that no error leaves a person with nothing to do but to sign out.
  public struct NextStep: Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// Nothing has to be done: what was asked for works, or the person gave it up.
    public static let goOn = NextStep("goOn")
    /// Sign in again, with an interactive request or a new code for the other device.
    ///
    /// The account and its tokens stay as they are until that has succeeded.
    public static let signIn = NextStep("signIn")
    /// Sign in some other way: the browser, or a code for another device.
    public static let signInAnotherWay = NextStep("signInAnotherWay")
    /// Finish the sign-in that is open, or close it.
    public static let finishSignIn = NextStep("finishSignIn")
    /// Do the same again in a while.
    public static let tryAgain = NextStep("tryAgain")
    /// Find out what is between this device and the service: a proxy, a wrong clock, a missing CA.
    public static let checkNetwork = NextStep("checkNetwork")
    /// Unlock the store, or enter its passphrase, and do the same again.
    public static let unlockStorage = NextStep("unlockStorage")
    /// Correct the app registration or how it is written down, or the parameters of the call.
    public static let correctConnection = NextStep("correctConnection")
    /// Use a device that the organization manages, or ask its administrator.
    public static let askAdministrator = NextStep("askAdministrator")

    /// All that there are in this version.
    public static let allCases: [NextStep] = [
      .goOn, .signIn, .signInAnotherWay, .finishSignIn, .tryAgain, .checkNetwork, .unlockStorage,
      .correctConnection, .askAdministrator,
    ]

    /// The name, for logs and for programs.
    public let rawValue: String

    private init(_ rawValue: String) {
      self.rawValue = rawValue
    }

    /// The name.
    public var description: String { rawValue }
  }
}
