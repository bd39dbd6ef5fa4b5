public import FoundationEssentials
public import HTTPTypes

/// Sends an HTTP request and returns the whole response.
///
/// Use ``CurlClient``, or your own in tests.
public protocol HTTPTransport: Sendable {
  /// Sends `request` with `body`, and waits for the whole response.
  ///
  /// Any complete response is a success, whatever its status. Redirects are never followed; they
  /// are returned like any other response.
  /// - Throws: ``HTTPError`` when there is no complete response: network, TLS, time limit, size
  ///   limit, truncated body. Canceling the task throws ``HTTPError/Code/cancelled``.
  func execute(_ request: HTTPRequest, body: Data, limits: HTTPLimits) async throws(HTTPError)
    -> HTTPReply

  /// Sends `request` with `body`, and waits for the head of the response; its body follows.
  ///
  /// By default, the whole response is received first.
  /// - Throws: ``HTTPError`` as the other function; what happens later is thrown by the body.
  func stream(_ request: HTTPRequest, body: Data, limits: HTTPLimits) async throws(HTTPError)
    -> HTTPStream
}

extension HTTPTransport {
  /// Sends `request`, and receives the whole response.
  public func stream(
    _ request: HTTPRequest, body: Data, limits: HTTPLimits
  ) async throws(HTTPError) -> HTTPStream {
    let reply = try await execute(request, body: body, limits: limits)
    return HTTPStream(response: reply.response, body: HTTPBody(reply.body))
  }

  /// Sends `request` with the default limits.
  public func execute(_ request: HTTPRequest, body: Data = Data()) async throws(HTTPError)
    -> HTTPReply
  {
    try await execute(request, body: body, limits: HTTPLimits())
  }
}

/// A complete HTTP response: head and body.
public struct HTTPReply: Sendable, Equatable {
  /// Status and header fields.
  public var response: HTTPResponse
  /// The body, after any content coding was decoded.
  public var body: Data

  /// Creates a reply.
  public init(response: HTTPResponse, body: Data = Data()) {
    self.response = response
    self.body = body
  }
}

/// The time and size limits of one exchange.
public struct HTTPLimits: Sendable, Equatable {
  /// Time for name resolution, connection and TLS handshake.
  public var connect: Duration
  /// Time for the whole exchange.
  public var total: Duration
  /// The largest body, in bytes, after decoding.
  public var bodySize: Int
  /// Time without a single byte, while the reader of a stream waits, and not the transfer for the
  /// next piece of its own body; nil for none but ``total``.
  public var idle: Duration?

  /// Creates limits: by default 10 s to connect, 30 s in total and 1 MiB of body.
  public init(
    connect: Duration = .seconds(10), total: Duration = .seconds(30), bodySize: Int = 1 << 20,
    idle: Duration? = nil
  ) {
    self.connect = connect
    self.total = total
    self.bodySize = bodySize
    self.idle = idle
  }
}

extension HTTPFields {
  /// The most header fields of a message from outside, which is more than any service sends.
  ///
  /// `HTTPFields` ends the program at 65,535 of them, and setting each by its name takes a time that
  /// grows with the square of their number.
  package static let limit = 1000
}
