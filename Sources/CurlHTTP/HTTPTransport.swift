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
