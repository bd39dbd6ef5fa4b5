public import AuthCore
import CurlHTTP
public import FoundationEssentials
import HTTPTypes
public import Sentences

/// Why a request to Microsoft Graph failed.
///
/// The only error that this module throws.
public struct GraphError: Error, Sendable, Equatable {
  /// The kind of failure.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    /// The URL is invalid, or not on the host that the token is for.
    public static let invalidURL = Code("invalidURL", .developers)
    /// The task was canceled.
    public static let cancelled = Code("cancelled", .settled)
    /// There was no response: name resolution, connection, or timeout.
    public static let networkUnavailable = Code("networkUnavailable", .noConnection)
    /// The TLS connection failed.
    public static let tlsFailure = Code("tlsFailure", .notSecure)
    /// The HTTP client could not be set up, for example because its CA file cannot be read.
    public static let invalidConfiguration = Code("invalidConfiguration", .connection)
    /// The response is malformed, or larger than allowed.
    public static let invalidResponse = Code("invalidResponse", .refused)
    /// The token was rejected (401).
    public static let unauthorized = Code("unauthorized", .signIn)
    /// The account or the app lacks the permission (403).
    public static let forbidden = Code("forbidden", .administrator)
    /// The resource does not exist (404, 410).
    public static let notFound = Code("notFound", .developers)
    /// Too many requests (429).
    public static let throttled = Code("throttled", .later)
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

  /// Creates an error.
  public init(_ code: Code, _ sentence: Sentence) {
    self.code = code
    self.sentence = sentence
  }

  /// Creates an error with a message that is not translated.
  public init(_ code: Code, _ message: String) {
    self.init(code, Sentence(verbatim: message))
  }

  /// What kind of failure it is, which says who can do something about it.
  package var failureKind: FailureKind {
    // Only a sign-in can bring the claims that the API asks for.
    code == .forbidden && claims != nil ? .signIn : code.kind
  }

  /// The ``sentence`` in English.
  public var message: String { sentence.description }

  /// Maps the error of a request without a response.
  init(_ error: HTTPError, clientRequestID: String) {
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
    self.init(code, error.sentence)
    if code == .cancelled { sentence = Sentence("The request was canceled.") }
    self.clientRequestID = clientRequestID
  }

  /// Parses a response that is not a success.
  ///
  /// Services differ in how they spell the envelope. A message that echoes the `sent` secrets is
  /// left out.
  init(_ reply: HTTPReply, of service: String, clientRequestID: String, sent: SentSecrets) {
    let status = reply.response.status.code
    self.init(status: status, from: service)
    self.clientRequestID = clientRequestID
    claims = AuthenticationChallenge.claims(in: reply.response)
    retryAfter = reply.response.headerFields[.retryAfter]
      .flatMap { RetryAfter.seconds($0, from: Date()) }.map { .seconds($0) }
    requestID = HTTPField.Name("request-id").flatMap { reply.response.headerFields[$0] }

    var error = (try? JSON(parsing: reply.body))?["error"]
    serverMessage = error?["message"]?.string.map { String($0.prefix(1000)) }
    while let inner = error {
      serverCode = inner["code"]?.string.map { String($0.prefix(100)) } ?? serverCode
      requestID = inner["request-id"]?.string ?? inner["requestId"]?.string ?? requestID
      error = inner["innerError"] ?? inner["innererror"]
    }
    if sent.isRepeated(in: serverMessage) { serverMessage = nil }
    if sent.isRepeated(in: serverCode) { serverCode = nil }
    if sent.isRepeated(in: requestID) { requestID = nil }
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
    case 404, 410:
      self.init(
        .notFound,
        Sentence(
          "{service} did not find what was requested (HTTP {status}).",
          ["service": service, "status": status]))
    case 429:
      self.init(
        .throttled,
        Sentence(
          "{service} received too many requests (HTTP 429). Please try again later.",
          ["service": service]))
    case 500...599:
      self.init(
        .serverUnavailable,
        Sentence(
          "{service} is not available at the moment (HTTP {status}). Please try again later.",
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
