public import AuthCore
import CurlHTTP
public import FoundationEssentials
public import HTTPTypes
public import Sentences

/// Why a request to Microsoft Graph failed.
///
/// A request throws no other error.
public struct GraphError: Error, Sendable, Equatable {
  /// The kind of failure.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    /// The URL is invalid, or not on the host that the token is for.
    public static let invalidURL = Code("invalidURL", .developers)
    /// The request cannot be sent, for example because its body cannot be encoded.
    public static let invalidRequest = Code("invalidRequest", .developers)
    /// The app has no API, so there is no host that its tokens are for.
    public static let noAPI = Code("noAPI", .connection)
    /// The task was canceled.
    public static let cancelled = Code("cancelled", .settled)
    /// There was no response: name resolution, connection, or timeout.
    public static let networkUnavailable = Code("networkUnavailable", .noConnection)
    /// The TLS connection failed.
    public static let tlsFailure = Code("tlsFailure", .notSecure)
    /// The HTTP client could not be set up, for example because its CA file cannot be read.
    public static let invalidConfiguration = Code("invalidConfiguration", .connection)
    /// The response is malformed, or larger than allowed.
    public static let invalidResponse = Code("invalidResponse", .response)
    /// The token was rejected (401).
    public static let unauthorized = Code("unauthorized", .signIn)
    /// The user must sign in again: there is no token, or it lacks the ``GraphError/claims``.
    public static let interactionRequired = Code("interactionRequired", .signIn)
    /// There is no token for another reason, which is the ``GraphError/cause``.
    public static let noToken = Code("noToken", .signIn)
    /// The account or the app lacks the permission (403).
    public static let forbidden = Code("forbidden", .administrator)
    /// The resource does not exist (404, 410).
    public static let notFound = Code("notFound", .developers)
    /// The resource was changed meanwhile, or is in use (409, 412, 423).
    public static let conflict = Code("conflict", .developers)
    /// The resource is unchanged (304).
    public static let notModified = Code("notModified", .settled)
    /// A file cannot be read or written.
    public static let fileFailure = Code("fileFailure", .refused)
    /// Too many requests (429).
    public static let throttled = Code("throttled", .tooManyRequests)
    /// The service is unavailable (5xx).
    public static let serverUnavailable = Code("serverUnavailable", .later)
    /// Any other error status.
    public static let refused = Code("refused", .developers)

    /// The name, for logs and programs.
    public let rawValue: String
    /// What kind of failure it is.
    let kind: FailureKind

    private init(_ rawValue: String, _ kind: FailureKind) {
      self.rawValue = rawValue
      self.kind = kind
    }

    /// The name.
    public var description: String { rawValue }
  }

  /// The kind of failure.
  public var code: Code
  /// One or two sentences for the user.
  public var sentence: Sentence
  /// The HTTP status, when there was a response.
  public var status: Int?
  /// The most specific error code that the server named, such as `InvalidAuthenticationToken`.
  public var serverCode: String?
  /// The server's message, meant for developers.
  public var serverMessage: String?
  /// The server's request ID.
  public var requestID: String?
  /// The client's request ID.
  public var clientRequestID: String?
  /// The API's claims challenge: the claims that a token must have for this request.
  public var claims: ClaimsRequest?
  /// How long the service asks to wait before the next request (`Retry-After`); nil when it does
  /// not.
  public var retryAfter: Duration?
  /// Whether the request was not sent, because of a pause that the service asked for before.
  package internal(set) var isPaused = false
  /// The header fields of the response, without those that repeat the token.
  public var headerFields: HTTPFields = [:]
  /// The start of the response's body, at most 64 KiB; empty when it repeats the token.
  public var body = Data()
  private var underlying = Cause()

  /// The error that caused it, such as an `HTTPError`, an `AuthenticationError`, a `DecodingError`,
  /// or the `GraphError` of a batch.
  ///
  /// It is left out of a comparison.
  public var cause: (any Error)? {
    get { underlying.error }
    set { underlying.error = newValue }
  }

  /// An error that is equal to any other.
  private struct Cause: Sendable, Equatable {
    var error: (any Error)?
    static func == (one: Cause, other: Cause) -> Bool { true }
  }

  /// The largest part of a response's body that is kept, in bytes.
  static let largestBody = 64 << 10

  /// Creates an error.
  public init(_ code: Code, _ sentence: Sentence, cause: (any Error)? = nil) {
    self.code = code
    self.sentence = sentence
    self.cause = cause
  }

  /// Creates an error with a message that is not translated.
  public init(_ code: Code, _ message: String) {
    self.init(code, Sentence(verbatim: message))
  }

  /// What kind of failure it is, which says who can do something about it.
  package var failureKind: FailureKind {
    // That of a batch is behind the batch's own error.
    let origin = (cause as? GraphError)?.cause ?? cause
    if let error = origin as? AuthenticationError { return error.failureKind }
    if code == .networkUnavailable, let error = origin as? HTTPError {
      return error.missingResponse
    }
    // Only a sign-in can bring the claims that the API asks for.
    return code == .forbidden && claims != nil ? .signIn : code.kind
  }

  /// What kind of failure it is that there was no response, for an error with that code.
  package var missingResponse: FailureKind { failureKind }

  /// Whether a new item was refused, because there is one with its name.
  package var isNameTaken: Bool { status == 409 && serverCode == "nameAlreadyExists" }

  /// The ``sentence`` in English.
  public var message: String { sentence.description }

  /// Maps the error of a request without a response.
  init(_ error: HTTPError, clientRequestID: String? = nil) {
    let code: Code =
      switch error.code {
      case .cancelled: .cancelled
      case .tlsFailure: .tlsFailure
      case .invalidRequest: .invalidURL
      case .invalidConfiguration: .invalidConfiguration
      case .bodyTooLarge, .invalidResponse: .invalidResponse
      // No name resolution, no connection, no proxy, or a timeout.
      default: .networkUnavailable
      }
    self.init(code, error.sentence, cause: error)
    if code == .cancelled { sentence = Self.canceled.sentence }
    self.clientRequestID = clientRequestID
  }

  /// Maps the error of a token source.
  init(token error: any Error, claims: ClaimsRequest?) {
    guard let error = error as? AuthenticationError else {
      let sentence = Sentence(
        verbatim: (error as? any LocalizedError)?.errorDescription ?? String(describing: error))
      self.init(error is CancellationError ? .cancelled : .noToken, sentence, cause: error)
      if code == .cancelled { self.sentence = Self.canceled.sentence }
      return
    }
    let code: Code =
      switch error.failureKind {
      case .signIn, .consent: .interactionRequired
      case .later: .serverUnavailable
      case .tooManyRequests: .throttled
      case .noConnection, .notReachable, .noResponse: .networkUnavailable
      case .notSecure: .tlsFailure
      case .connection, .authority: .invalidConfiguration
      default: Task.isCancelled ? .cancelled : .noToken
      }
    self.init(code, error.sentence, cause: error)
    self.claims = error.claims ?? claims
    retryAfter = error.retryAfter
  }

  /// The task was canceled.
  static let canceled = GraphError(.cancelled, Sentence("The request was canceled."))

  /// A response that is not what it should be.
  static func invalid(_ code: Code = .invalidResponse) -> GraphError {
    GraphError(code, Sentence("The service sent an invalid response."))
  }

  /// A successful response that is not what it should be.
  init(invalid response: GraphResponse, cause: (any Error)? = nil) {
    self = .invalid()
    self.cause = cause
    status = response.status
    headerFields = response.headerFields
    requestID = response.requestID
    body = response.body.prefix(Self.largestBody)
  }

  /// A file that cannot be read or written.
  init(file path: String, _ reason: Sentence, cause: (any Error)? = nil) {
    self.init(
      .fileFailure,
      Sentence("The file “{path}” cannot be used: {reason}.", ["path": path, "reason": reason]),
      cause: cause)
  }

  /// Parses a response that is not a success.
  ///
  /// Services differ in how they spell the envelope. A message that echoes the `sent` secrets is
  /// left out.
  init(
    _ reply: HTTPReply, of service: String, clientRequestID: String? = nil,
    sent: SentSecrets = SentSecrets([]), at date: Date = Date()
  ) {
    let status = reply.response.status.code
    self.init(status: status, from: service)
    self.clientRequestID = clientRequestID
    headerFields = reply.response.headerFields.filter { !sent.isRepeated(in: $0.value) }
    claims = AuthenticationChallenge.claims(in: reply.response)
    retryAfter = reply.response.headerFields[.retryAfter]
      .flatMap { PauseLength.retryAfter($0, from: date) }.map { .seconds($0) }
    requestID = reply.response.headerFields[.requestID]

    var error = (try? JSON(parsing: reply.body))?["error"]
    serverMessage = error?["message"]?.string.map { String($0.prefix(1000)) }
    while let inner = error {
      serverCode = inner["code"]?.string.map { String($0.prefix(100)) } ?? serverCode
      requestID = inner["request-id"]?.string ?? inner["requestId"]?.string ?? requestID
      error = inner["innerError"] ?? inner["innererror"]
    }
    if isNameTaken {
      sentence = Sentence("There is already an item with this name (HTTP 409).")
    }
    if sent.isRepeated(in: serverMessage) { serverMessage = nil }
    if sent.isRepeated(in: serverCode) { serverCode = nil }
    if sent.isRepeated(in: requestID) { requestID = nil }
    let start = reply.body.prefix(Self.largestBody)
    if !sent.isRepeated(in: String(decoding: start, as: UTF8.self)) { body = Data(start) }
  }

  /// What a status that is not a success means.
  private init(status: Int, from service: String) {
    switch status {
    case 401:
      self.init(
        .unauthorized,
        Sentence("{service} did not accept the token (HTTP 401).", ["service": service]))
    case 403:
      self.init(
        .forbidden,
        Sentence(
          "The account or the app is not allowed to do this (HTTP 403). A permission"
            + " may be missing."))
    case 304: self.init(.notModified, Sentence("What was requested is unchanged (HTTP 304)."))
    case 404, 410:
      self.init(
        .notFound,
        Sentence(
          "{service} did not find what was requested (HTTP {status}).",
          ["service": service, "status": status]))
    case 409, 412, 423:
      self.init(
        .conflict,
        Sentence(
          "The item was changed in the meantime, or is in use (HTTP {status}). Read it again.",
          ["status": status]))
    case 429:
      self.init(
        .throttled,
        Sentence(
          "{service} received too many requests (HTTP 429). Try again later.",
          ["service": service]))
    case 501:
      self.init(
        .refused,
        Sentence("{service} does not support this request (HTTP 501).", ["service": service]))
    case 500...599:
      self.init(
        .serverUnavailable,
        Sentence(
          "{service} is not available at the moment (HTTP {status}). Try again later.",
          ["service": service, "status": status]))
    default:
      self.init(
        .refused,
        Sentence(
          "{service} refused the request (HTTP {status}).",
          ["service": service, "status": status]))
    }
    self.status = status
  }
}

extension GraphError: LocalizedError {
  /// The message, which is also `localizedDescription`.
  public var errorDescription: String? { message }
}

extension GraphError: CustomStringConvertible {
  /// The message.
  public var description: String { message }

  /// The lines to show under "Details" and to give to support.
  public var details: [Sentence] {
    var lines: [Sentence] = []
    if let serverCode { lines.append(Sentence("Error: {error}", ["error": serverCode])) }
    if let retryAfter {
      let seconds = String(retryAfter.components.seconds)
      lines.append(Sentence("Retry after: {seconds} s", ["seconds": seconds]))
    }
    if let requestID { lines.append(Sentence("Request ID: {id}", ["id": requestID])) }
    if let clientRequestID {
      lines.append(Sentence("Client request ID: {id}", ["id": clientRequestID]))
    }
    if let serverMessage { lines.append(Sentence("Server: {words}", ["words": serverMessage])) }
    return lines
  }
}
