public import FoundationEssentials
public import HTTPTypes

/// Sends one HTTP request and gives back its whole response.
///
/// ``CurlClient`` is the real one; tests hand in their own.
public protocol HTTPTransport: Sendable {
  /// Sends `request` with `body`, and waits for the whole response.
  ///
  /// Any complete response is a success, whatever its status. Redirects are responses like any
  /// other: they are never followed.
  /// - Throws: ``HTTPError`` when no complete response came: no network, TLS, time, size, a cut body.
  ///   Cancelling the task throws ``HTTPError/Code/cancelled``.
  func execute(_ request: HTTPRequest, body: Data, limits: HTTPLimits) async throws(HTTPError)
    -> HTTPReply
}

extension HTTPTransport {
  /// Sends `request` within the default limits.
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
  /// The body, after any content coding was taken off.
  public var body: Data

  /// Creates a reply.
  public init(response: HTTPResponse, body: Data = Data()) {
    self.response = response
    self.body = body
  }
}

/// How much time and room one exchange may take.
public struct HTTPLimits: Sendable, Equatable {
  /// Time for name look-up, connection and TLS handshake.
  public var connect: Duration
  /// Time for the whole exchange.
  public var total: Duration
  /// The largest body, in bytes, counted after decompression.
  public var bodySize: Int

  /// Creates limits: 10 s to connect, 30 s in all and 1 MiB of body unless told otherwise.
  public init(
    connect: Duration = .seconds(10), total: Duration = .seconds(30), bodySize: Int = 1 << 20
  ) {
    self.connect = connect
    self.total = total
    self.bodySize = bodySize
  }
}
