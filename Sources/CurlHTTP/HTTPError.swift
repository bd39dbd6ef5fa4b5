public import Sentences

/// Why no complete HTTP response came.
public struct HTTPError: Error, Sendable, Equatable {
  /// What kind of failure it was.
  public enum Code: String, Sendable {
    /// The task was cancelled.
    case cancelled
    /// The request is not one that may be sent: not `https`, or a control character in it.
    case invalidRequest
    /// The host's name has no address.
    case cannotFindHost
    /// Nothing answered at the host's address.
    case cannotConnect
    /// The connection could not be secured: certificate, host name or protocol version.
    case tlsFailure
    /// The time allowed was not enough.
    case timedOut
    /// The connection ended before the response did.
    case connectionLost
    /// The proxy could not be found, or did not let the request through.
    case proxyFailure
    /// The body is larger than allowed.
    case bodyTooLarge
    /// What came is not a well-formed HTTP response: no mark of its end, broken compression.
    case invalidResponse
    /// The client could not be set up: a CA file that cannot be read.
    case invalidConfiguration
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
