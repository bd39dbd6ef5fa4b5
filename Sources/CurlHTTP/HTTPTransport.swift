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
}

extension HTTPTransport {
  /// Sends `request` with the default limits.
  public func execute(_ request: HTTPRequest, body: Data = Data()) async throws(HTTPError)
    -> HTTPReply
  {
    try await execute(request, body: body, limits: HTTPLimits())
  }
}
