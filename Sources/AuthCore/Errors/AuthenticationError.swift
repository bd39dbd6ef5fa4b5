public import Sentences

/// Why a sign-in, a token request or a sign-out did not succeed.
///
/// This is the only error type that AuthCore throws. It holds what a person needs (``message``), what
/// a program needs (``code``), and what Microsoft's support needs (``correlationID``,
/// ``serverErrorCodes``). It never holds a token, a code or a password.
public struct AuthenticationError: Error, Sendable, Equatable {
  /// What went wrong, for a program to act on.
  ///
  /// The names are MSAL's where MSAL has one. A later version can have more of them: a `switch` needs a
  /// `default`, and ``nextStep`` tells what to do about a code that it does not name.
  public struct Code: Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// Only the person can go on: call the interactive request. (`MSALErrorInteractionRequired`)
    public static let interactionRequired = Code("interactionRequired", .signIn)
    /// The person gave up, or the task was cancelled. (`MSALErrorUserCanceled`)
    public static let userCanceled = Code("userCanceled", .goOn)
    /// The code for another device was not entered in time: ask for a new one.
    public static let deviceCodeExpired = Code("deviceCodeExpired", .signIn)
    /// The organization wants the device to be registered first, which is not possible here.
    /// (`MSALErrorWorkplaceJoinRequired`)
    public static let workplaceJoinRequired = Code("workplaceJoinRequired", .askAdministrator)
    /// The server granted fewer scopes than were asked for; see ``AuthenticationError/declinedScopes``.
    /// (`MSALErrorServerDeclinedScopes`)
    public static let serverDeclinedScopes = Code("serverDeclinedScopes", .signIn)
    /// The server refused the request; see ``AuthenticationError/oauthError``.
    public static let serverError = Code("serverError", .signIn)
    /// The server asks for a pause, or is out of order (429, 5xx).
    public static let serverUnavailable = Code("serverUnavailable", .tryAgain)
    /// What the server sent is not an answer that can be used.
    public static let invalidResponse = Code("invalidResponse", .signIn)
    /// The redirect was not an answer to this request.
    public static let invalidState = Code("invalidState", .signIn)
    /// The ID token does not belong to this request.
    public static let invalidIDToken = Code("invalidIDToken", .signIn)
    /// The answer is about another account than the one asked for.
    public static let accountMismatch = Code("accountMismatch", .signIn)
    /// No such account is known here.
    public static let accountNotFound = Code("accountNotFound", .signIn)
    /// The client ID, redirect URI, authority or CA file cannot be used.
    public static let invalidConfiguration = Code("invalidConfiguration", .correctConnection)
    /// A parameter of the call cannot be used.
    public static let invalidParameter = Code("invalidParameter", .correctConnection)
    /// The authority is not one that is known or vouched for.
    public static let untrustedAuthority = Code("untrustedAuthority", .correctConnection)
    /// An interactive request is under way already.
    public static let interactiveSessionAlreadyRunning = Code(
      "interactiveSessionAlreadyRunning", .finishSignIn)
    /// The sign-in pages could not be shown.
    public static let webAuthenticationFailed = Code("webAuthenticationFailed", .signInAnotherWay)
    /// The network did not let the request through: no name, no connection, time ran out.
    public static let networkUnavailable = Code("networkUnavailable", .tryAgain)
    /// The connection could not be secured.
    public static let tlsFailure = Code("tlsFailure", .checkNetwork)
    /// The token store is locked, absent, or gave an error.
    public static let storageUnavailable = Code("storageUnavailable", .unlockStorage)
    /// The passphrase is not the one that accounts were encrypted with: ask for it again.
    public static let wrongPassphrase = Code("wrongPassphrase", .unlockStorage)
    /// Some of what the token store kept cannot be had: a record was damaged, or is not there any more.
    ///
    /// The rest works.
    public static let storageIncomplete = Code("storageIncomplete", .goOn)
    /// This computer's identity broker did not answer, or cannot work for this app.
    public static let brokerUnavailable = Code("brokerUnavailable", .signIn)

    /// All that there are in this version.
    public static let allCases: [Code] = [
      .interactionRequired, .userCanceled, .deviceCodeExpired, .workplaceJoinRequired,
      .serverDeclinedScopes, .serverError, .serverUnavailable, .invalidResponse, .invalidState,
      .invalidIDToken, .accountMismatch, .accountNotFound, .invalidConfiguration,
      .invalidParameter, .untrustedAuthority, .interactiveSessionAlreadyRunning,
      .webAuthenticationFailed, .networkUnavailable, .tlsFailure, .storageUnavailable,
      .wrongPassphrase, .storageIncomplete, .brokerUnavailable,
    ]

    /// The name, for logs and for programs.
    public let rawValue: String
    /// What leads on from an error with this code.
    public let nextStep: AuthenticationError.NextStep

    private init(_ rawValue: String, _ nextStep: AuthenticationError.NextStep) {
      self.rawValue = rawValue
      self.nextStep = nextStep
    }

    /// The name.
    public var description: String { rawValue }
  }

  /// The step of a flow in which it happened.
  public struct Step: Sendable, Hashable, CustomStringConvertible {
    /// Finding out about the authority.
    public static let discovery = Step("discovery")
    /// The sign-in pages, up to the redirect; or getting a code for another device.
    public static let authorization = Step("authorization")
    /// The exchange of a code, a device code or a refresh token for tokens.
    public static let token = Step("token")
    /// Reading or writing the token store.
    public static let storage = Step("storage")
    /// Signing out in the browser.
    public static let signOut = Step("signOut")
    /// A request to this computer's identity broker.
    public static let broker = Step("broker")

    /// The name, for logs and for programs.
    public let rawValue: String

    private init(_ rawValue: String) {
      self.rawValue = rawValue
    }

    /// The name.
    public var description: String { rawValue }
  }

  /// What went wrong.
  public var code: Code
  /// One or two sentences for the person: what happened, and what can be done.
  ///
  /// Show them in the person's language (`Sentence.text(translatedBy:)`), or as ``message`` in English.
  public var sentence: Sentence
  /// The step in which it happened, when it was in a flow.
  public var step: Step?
  /// The server's `error`, such as `invalid_grant` (RFC 6749, section 5.2).
  public var oauthError: String?
  /// The server's `suberror`, such as `bad_token`.
  public var suberror: String?
  /// The server's own words, made for developers.
  ///
  /// Plain text; at most 2,000 characters.
  public var serverDescription: String?
  /// The numbers of Microsoft's error codes: 50076 for `AADSTS50076`.
  public var serverErrorCodes: [Int] = []
  /// The ID to name when asking for support.
  public var correlationID: String?
  /// The HTTP status of the answer, when there was one.
  public var httpStatus: Int?
  /// The claims that the next interactive request must ask for.
  public var claims: ClaimsRequest?
  /// The scopes that were granted, when others were declined.
  ///
  /// Their token is kept: a silent request for them gets it.
  public var grantedScopes: [String] = []
  /// The scopes that were asked for and not granted.
  public var declinedScopes: [String] = []
  /// How long the server wants to be left alone, when it is out of order or said so.
  ///
  /// Silent requests are not sent to it before that.
  public var retryAfter: Duration?
  /// Whether nothing was sent, because the server turned the same request away a short while ago.
  public var isThrottled = false
  /// Whether the answer came from where it should, as far as that can be told.
  ///
  /// It is false for an error on the sign-in pages that does not name its service, though that one promises
  /// to (RFC 9207). Then it may be someone else's word; nobody's tokens are ever taken from such an answer.
  public var isVouchedFor = true
  /// What the identity broker reported, when it was asked.
  public var brokerError: BrokerError?

  /// Creates an error.
  public init(_ code: Code, _ sentence: Sentence, step: Step? = nil) {
    self.code = code
    self.sentence = sentence
    self.step = step
  }

  /// Creates an error with a message that reads the same in every language.
  public init(_ code: Code, _ message: String, step: Step? = nil) {
    self.init(code, Sentence(verbatim: message), step: step)
  }

  /// The ``sentence`` in English.
  public var message: String { sentence.description }
}

extension AuthenticationError: CustomStringConvertible {
  /// The sentence for the person.
  public var description: String { message }

  /// The lines to show under "Details" and to give to support: step, codes, IDs, the server's words.
  public var details: [Sentence] {
    var lines: [Sentence] = []
    if let step { lines.append(Sentence("Step: {step}", ["step": step.rawValue])) }
    if let oauthError {
      let suberror = suberror.map { " (\($0))" } ?? ""
      lines.append(Sentence("Error: {error}", ["error": oauthError + suberror]))
    }
    if !serverErrorCodes.isEmpty {
      let codes = serverErrorCodes.map { "AADSTS\($0)" }.joined(separator: ", ")
      lines.append(Sentence("Codes: {codes}", ["codes": codes]))
    }
    if let httpStatus { lines.append(Sentence("HTTP status: {status}", ["status": httpStatus])) }
    if let numbers = brokerError?.details {
      lines.append(Sentence("Broker: {numbers}", ["numbers": numbers]))
    }
    if let retryAfter {
      let seconds = String(retryAfter.components.seconds)
      lines.append(Sentence("Retry after: {seconds} s", ["seconds": seconds]))
    }
    if isThrottled {
      lines.append(
        Sentence(
          "Not sent: the same request was refused a short time ago"))
    }
    if !isVouchedFor {
      lines.append(Sentence("Not verified: the response does not identify its issuer"))
    }
    if let correlationID { lines.append(Sentence("Correlation ID: {id}", ["id": correlationID])) }
    if let serverDescription {
      lines.append(Sentence("Server: {words}", ["words": serverDescription]))
    }
    return lines
  }
}
