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
