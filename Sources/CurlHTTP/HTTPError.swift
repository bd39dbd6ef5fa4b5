public import FoundationEssentials
public import Sentences

/// Why there is no complete HTTP response.
public struct HTTPError: Error, Sendable, Equatable {
  /// The kind of failure.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    /// The task was canceled.
    public static let cancelled = Code("cancelled")
    /// The request must not be sent: it is not `https`, or contains a control character.
    public static let invalidRequest = Code("invalidRequest")
    /// The host name cannot be resolved.
    public static let cannotFindHost = Code("cannotFindHost")
    /// No network leads to the host's address.
    public static let networkUnreachable = Code("networkUnreachable")
    /// Nothing answered at the host's address.
    public static let cannotConnect = Code("cannotConnect")
    /// The TLS connection failed: certificate, host name or protocol version.
    public static let tlsFailure = Code("tlsFailure")
    /// The time limit has passed.
    public static let timedOut = Code("timedOut")
    /// The connection ended before the response was complete.
    public static let connectionLost = Code("connectionLost")
    /// The proxy could not be found, or rejected the request.
    public static let proxyFailure = Code("proxyFailure")
    /// The body is larger than the limit.
    public static let bodyTooLarge = Code("bodyTooLarge")
    /// The response is malformed: no mark of its end, or a broken content coding.
    public static let invalidResponse = Code("invalidResponse")
    /// The client could not be set up, for example because its CA file cannot be read.
    public static let invalidConfiguration = Code("invalidConfiguration")

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
  /// The host of the request.
  public var host: String
  /// One sentence for the user; of the request, it contains only the host and its port.
  public var sentence: Sentence

  /// Creates an error.
  public init(_ code: Code, host: String, _ sentence: Sentence) {
    self.code = code
    self.host = host
    self.sentence = sentence
  }

  /// Creates an error with a message that is not translated.
  public init(_ code: Code, host: String, message: String) {
    self.init(code, host: host, Sentence(verbatim: message))
  }

  /// The ``sentence`` in English.
  public var message: String { sentence.description }
}

extension HTTPError: CustomStringConvertible {
  /// The message.
  public var description: String { message }
}

extension HTTPError: LocalizedError {
  /// The message, which is also `localizedDescription`.
  public var errorDescription: String? { message }
}
