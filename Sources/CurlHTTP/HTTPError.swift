public import Sentences

/// Why no complete HTTP response came.
public struct HTTPError: Error, Sendable, Equatable {
  /// What kind of failure it was.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    /// The task was cancelled.
    public static let cancelled = Code("cancelled")
    /// The request is not one that may be sent: not `https`, or a control character in it.
    public static let invalidRequest = Code("invalidRequest")
    /// The host's name has no address.
    public static let cannotFindHost = Code("cannotFindHost")
    /// Nothing answered at the host's address.
    public static let cannotConnect = Code("cannotConnect")
    /// The connection could not be secured: certificate, host name or protocol version.
    public static let tlsFailure = Code("tlsFailure")
    /// The time allowed was not enough.
    public static let timedOut = Code("timedOut")
    /// The connection ended before the response did.
    public static let connectionLost = Code("connectionLost")
    /// The proxy could not be found, or did not let the request through.
    public static let proxyFailure = Code("proxyFailure")
    /// The body is larger than allowed.
    public static let bodyTooLarge = Code("bodyTooLarge")
    /// What came is not a well-formed HTTP response: no mark of its end, broken compression.
    public static let invalidResponse = Code("invalidResponse")
    /// The client could not be set up: a CA file that cannot be read.
    public static let invalidConfiguration = Code("invalidConfiguration")

    /// The name, for logs and for programs.
    public let rawValue: String

    private init(_ rawValue: String) {
      self.rawValue = rawValue
    }

    /// The name.
    public var description: String { rawValue }
  }

  /// What kind of failure it was.
  public var code: Code
  /// The host that was asked.
  public var host: String
  /// One sentence for a person, which holds nothing of the request but its host.
  public var sentence: Sentence

  /// Creates an error.
  public init(_ code: Code, host: String, _ sentence: Sentence) {
    self.code = code
    self.host = host
    self.sentence = sentence
  }

  /// Creates an error with a message that reads the same in every language.
  public init(_ code: Code, host: String, message: String) {
    self.init(code, host: host, Sentence(verbatim: message))
  }

  /// The ``sentence`` in English.
  public var message: String { sentence.description }
}
