public import Sentences

/// Why a sign-in, a token request or a sign-out did not succeed.
///
/// This is the only error type that AuthCore throws. It holds what a person needs (``message``), what
/// a program needs (``code``), and what Microsoft's support needs (``correlationID``,
/// ``serverErrorCodes``). It never holds a token, a code or a password.
public struct AuthenticationError: Error, Sendable, Equatable {
  /// What went wrong, for a program to act on.
  ///
  /// The names are MSAL's where MSAL has one.
  public enum Code: String, Sendable, CaseIterable {
    /// Only the person can go on: call the interactive request. (`MSALErrorInteractionRequired`)
    case interactionRequired
    /// The person gave up, or the task was cancelled. (`MSALErrorUserCanceled`)
    case userCanceled
    /// The code for another device was not entered in time: ask for a new one.
    case deviceCodeExpired
    /// The organization wants the device to be registered first, which is not possible here.
    /// (`MSALErrorWorkplaceJoinRequired`)
    case workplaceJoinRequired
    /// The server granted fewer scopes than were asked for; see ``AuthenticationError/declinedScopes``.
    /// (`MSALErrorServerDeclinedScopes`)
    case serverDeclinedScopes
    /// The server refused the request; see ``AuthenticationError/oauthError``.
    case serverError
    /// The server asks for a pause, or is out of order (429, 5xx).
    case serverUnavailable
    /// What the server sent is not an answer that can be used.
    case invalidResponse
    /// The redirect was not an answer to this request.
    case invalidState
    /// The ID token does not belong to this request.
    case invalidIDToken
    /// The answer is about another account than the one asked for.
    case accountMismatch
    /// No such account is known here.
    case accountNotFound
    /// The client ID, redirect URI, authority or CA file cannot be used.
    case invalidConfiguration
    /// A parameter of the call cannot be used.
    case invalidParameter
    /// The authority is not one that is known or vouched for.
    case untrustedAuthority
    /// An interactive request is under way already.
    case interactiveSessionAlreadyRunning
    /// The sign-in pages could not be shown.
    case webAuthenticationFailed
    /// The network did not let the request through: no name, no connection, time ran out.
    case networkUnavailable
    /// The connection could not be secured.
    case tlsFailure
    /// The token store is locked, absent, or gave an error.
    case storageUnavailable
    /// The passphrase is not the one that accounts were encrypted with: ask for it again.
    case wrongPassphrase
    /// Some of what the token store kept cannot be had: a record was damaged, or is not there any more.
    /// The rest works.
    case storageIncomplete
    /// This computer's identity broker did not answer, or cannot work for this app.
    case brokerUnavailable
  }

  /// The step of a flow in which it happened.
  public enum Step: String, Sendable {
    /// Finding out about the authority.
    case discovery
    /// The sign-in pages, up to the redirect; or getting a code for another device.
    case authorization
    /// The exchange of a code, a device code or a refresh token for tokens.
    case token
    /// Reading or writing the token store.
    case storage
    /// Signing out in the browser.
    case signOut
    /// A request to this computer's identity broker.
    case broker
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
  public var details: [String] {
    var lines: [String] = []
    if let step { lines.append("Step: \(step.rawValue)") }
    if let oauthError {
      lines.append("Error: \(oauthError)\(suberror.map { " (\($0))" } ?? "")")
    }
    if !serverErrorCodes.isEmpty {
      lines.append("Codes: \(serverErrorCodes.map { "AADSTS\($0)" }.joined(separator: ", "))")
    }
    if let httpStatus { lines.append("HTTP status: \(httpStatus)") }
    if let numbers = brokerError?.details { lines.append("Broker: \(numbers)") }
    if let retryAfter { lines.append("Retry after: \(retryAfter.components.seconds) s") }
    if isThrottled { lines.append("Not sent: refused a short while ago") }
    if !isVouchedFor { lines.append("Not verified: the answer does not name its service") }
    if let correlationID { lines.append("Correlation ID: \(correlationID)") }
    if let serverDescription { lines.append("Server: \(serverDescription)") }
    return lines
  }
}
