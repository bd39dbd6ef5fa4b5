public import FoundationEssentials
public import Sentences

/// Why a sign-in, a token request or a sign-out failed.
///
/// This is the only error type that AuthCore throws. It contains a ``message`` for the user, a
/// ``code`` for the program, and ``correlationID`` and ``serverErrorCodes`` for Microsoft's
/// support. It never contains a token, a code or a password.
public struct AuthenticationError: Error, Sendable, Equatable {
  /// The kind of failure, for the program to handle.
  ///
  /// The names are MSAL's where MSAL has one. Later versions may add codes: a `switch` needs a
  /// `default`, where ``nextStep`` says how to proceed.
  public struct Code: Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// The user must interact: start an interactive request. (`MSALErrorInteractionRequired`)
    public static let interactionRequired = Code("interactionRequired", .signIn)
    /// The user canceled, the task was canceled, or the user or the service declined the sign-in: see
    /// ``AuthenticationError/isDeclined``. (`MSALErrorUserCanceled`)
    public static let userCanceled = Code("userCanceled", .settled)
    /// The device code expired before it was entered: request a new one.
    public static let deviceCodeExpired = Code("deviceCodeExpired", .signIn)
    /// The organization requires the device to be registered, which is not possible here.
    /// (`MSALErrorWorkplaceJoinRequired`)
    public static let workplaceJoinRequired = Code("workplaceJoinRequired", .device)
    /// The server granted fewer scopes than requested; see ``AuthenticationError/declinedScopes``.
    /// (`MSALErrorServerDeclinedScopes`)
    public static let serverDeclinedScopes = Code("serverDeclinedScopes", .signIn)
    /// The server rejected the request; see ``AuthenticationError/oauthError``.
    public static let serverError = Code("serverError", .refused)
    /// The server is unavailable or throttles requests (429, 5xx).
    public static let serverUnavailable = Code("serverUnavailable", .later)
    /// The server's response is invalid.
    public static let invalidResponse = Code("invalidResponse", .response)
    /// The redirect does not belong to this request.
    public static let invalidState = Code("invalidState", .response)
    /// The ID token does not belong to this request.
    public static let invalidIDToken = Code("invalidIDToken", .response)
    /// The response is for another account than the requested one.
    public static let accountMismatch = Code("accountMismatch", .signIn)
    /// The account is not known here.
    public static let accountNotFound = Code("accountNotFound", .signIn)
    /// The client ID, redirect URI, authority or CA file is invalid.
    public static let invalidConfiguration = Code("invalidConfiguration", .connection)
    /// A parameter of the call is invalid.
    public static let invalidParameter = Code("invalidParameter", .connection)
    /// The authority's host is not trusted.
    public static let untrustedAuthority = Code("untrustedAuthority", .authority)
    /// An interactive request is already in progress.
    public static let interactiveSessionAlreadyRunning = Code(
      "interactiveSessionAlreadyRunning", .openSignIn)
    /// The sign-in pages could not be shown.
    public static let webAuthenticationFailed = Code("webAuthenticationFailed", .noPages)
    /// The sign-in pages, which have 15 minutes, were not finished in time.
    public static let webAuthenticationTimedOut = Code("webAuthenticationTimedOut", .signIn)
    /// The sign-in service does not sign in with a device code.
    public static let deviceCodeNotSupported = Code("deviceCodeNotSupported", .noDeviceCode)
    /// The network failed: name resolution, connection, or timeout.
    public static let networkUnavailable = Code("networkUnavailable", .noConnection)
    /// The TLS connection failed.
    public static let tlsFailure = Code("tlsFailure", .notSecure)
    /// The token store is locked or missing, or failed.
    public static let storageUnavailable = Code("storageUnavailable", .storage)
    /// The passphrase is not the one that encrypted the accounts: ask for it again.
    public static let wrongPassphrase = Code("wrongPassphrase", .storage)
    /// Part of the token store's content is lost: a record is damaged or missing.
    ///
    /// The rest works.
    public static let storageIncomplete = Code("storageIncomplete", .settled)
    /// This computer's identity broker did not answer, or cannot be used by this app.
    public static let brokerUnavailable = Code("brokerUnavailable", .broker)

    /// All codes of this version.
    public static let allCases: [Code] = [
      .interactionRequired, .userCanceled, .deviceCodeExpired, .workplaceJoinRequired,
      .serverDeclinedScopes, .serverError, .serverUnavailable, .invalidResponse, .invalidState,
      .invalidIDToken, .accountMismatch, .accountNotFound, .invalidConfiguration,
      .invalidParameter, .untrustedAuthority, .interactiveSessionAlreadyRunning,
      .webAuthenticationFailed, .webAuthenticationTimedOut, .deviceCodeNotSupported,
      .networkUnavailable, .tlsFailure, .storageUnavailable, .wrongPassphrase, .storageIncomplete,
      .brokerUnavailable,
    ]

    /// The name, for logs and programs.
    public let rawValue: String
    /// What kind of failure it is, if the server's reason says nothing else.
    let failureKind: FailureKind

    private init(_ rawValue: String, _ failureKind: FailureKind) {
      self.rawValue = rawValue
      self.failureKind = failureKind
    }

    /// How to proceed after an error with this code.
    public var nextStep: AuthenticationError.NextStep { failureKind.nextStep }

    /// The name.
    public var description: String { rawValue }
  }

  /// The step of a flow that failed.
  public struct Step: Sendable, Hashable, CustomStringConvertible {
    /// Discovery: validating the authority and fetching its metadata.
    public static let discovery = Step("discovery")
    /// The sign-in pages up to the redirect, or the request for a device code.
    public static let authorization = Step("authorization")
    /// Redeeming a code, a device code or a refresh token.
    public static let token = Step("token")
    /// Reading or writing the token store.
    public static let storage = Step("storage")
    /// Signing out in the browser.
    public static let signOut = Step("signOut")
    /// A request to this computer's identity broker.
    public static let broker = Step("broker")

    /// The name, for logs and programs.
    public let rawValue: String

    private init(_ rawValue: String) {
      self.rawValue = rawValue
    }

    /// The name.
    public var description: String { rawValue }
  }

  /// The kind of failure.
  public var code: Code
  /// One or two sentences for the user: what happened, and what to do.
  ///
  /// Show them in the user's language (`Sentence.text(translatedBy:)`), or as ``message`` in
  /// English.
  public var sentence: Sentence
  /// The step that failed, when it was in a flow.
  public var step: Step?
  /// The server's `error`, such as `invalid_grant` (RFC 6749, section 5.2).
  public var oauthError: String?
  /// The server's `suberror`, such as `bad_token`.
  public var suberror: String?
  /// The server's message, meant for developers.
  ///
  /// Plain text; at most 2,000 characters.
  public var serverDescription: String?
  /// The numbers of Microsoft's error codes: 50076 for `AADSTS50076`.
  public var serverErrorCodes: [Int] = []
  /// The ID to give to support.
  public var correlationID: String?
  /// The HTTP status, when there was a response.
  public var httpStatus: Int?
  /// The claims to request in the next interactive request.
  public var claims: ClaimsRequest?
  /// The scopes that were granted, when others were declined.
  ///
  /// Their token is stored: a silent request for them returns it.
  public var grantedScopes: [String] = []
  /// The scopes that were requested but not granted.
  public var declinedScopes: [String] = []
  /// How long to wait, when the server is unavailable or throttles requests: as it asks, or a minute.
  ///
  /// Silent requests before that are not sent.
  public var retryAfter: Duration?
  /// Whether the server named that time itself (`Retry-After`).
  package var isPauseRequested = false
  /// Whether the request was not sent, because the server recently throttled or rejected the same
  /// request.
  public var isThrottled = false
  /// Whether the response is known to come from the right service.
  ///
  /// False for an error on the sign-in pages without an issuer, although the service promises to
  /// send one (RFC 9207). Such an error may be forged; tokens are never accepted from such a
  /// response.
  public var isVouchedFor = true
  /// The identity broker's error, if it was involved.
  public var brokerError: BrokerError?
  /// Whether the service does not accept a refresh token any more: a sign-in replaces it.
  package var isRefreshTokenRefused = false
  /// What kind of failure it is that there was no response; nil if there was one, or it is not known.
  package var missingResponse: FailureKind?
  /// Why accounts are only remembered, to follow "because": the store cannot be used at all.
  package var reasonForMemory: Sentence?

  /// Creates an error.
  public init(_ code: Code, _ sentence: Sentence, step: Step? = nil) {
    self.code = code
    self.sentence = sentence
    self.step = step
  }

  /// Creates an error with a message that is not translated.
  public init(_ code: Code, _ message: String, step: Step? = nil) {
    self.init(code, Sentence(verbatim: message), step: step)
  }

  /// The ``sentence`` in English.
  public var message: String { sentence.description }
}

extension AuthenticationError: LocalizedError {
  /// The message, which is also `localizedDescription`.
  public var errorDescription: String? { message }
}

extension AuthenticationError: CustomStringConvertible {
  /// The message.
  public var description: String { message }

  /// The lines to show under "Details" and to give to support: step, codes, IDs, the server's
  /// message.
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
      lines.append(Sentence("Not sent: the same request was refused a short time ago"))
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
