import CurlHTTP
import FoundationEssentials
import HTTPTypes

/// The network as flows see it: documents to read, forms to send, each tried again where that can help.
struct Network: Sendable {
  let transport: any HTTPTransport
  let runtime: Runtime

  /// Reads a document about an authority.
  func get(
    _ url: String, _ correlationID: String
  ) async throws(AuthenticationError) -> HTTPReply {
    var request = HTTPRequest(url: url)
    request.headerFields[.accept] = "application/json"
    request.headerFields[.clientRequestID] = correlationID
    do {
      return try await execute(request, limits: .init(total: .seconds(15)), retry: .repeatable)
    } catch {
      throw AuthenticationError(error, step: .discovery)
    }
  }

  /// Sends a form to the token endpoint, or to that of another `step`.
  func send(
    _ request: TokenRequest, step: AuthenticationError.Step = .token
  ) async throws(AuthenticationError) -> HTTPReply {
    do {
      return try await execute(request.httpRequest, body: request.body, retry: request.retry)
    } catch {
      throw AuthenticationError(error, step: step)
    }
  }

  private func execute(
    _ request: HTTPRequest, body: Data = Data(), limits: HTTPLimits = HTTPLimits(),
    retry: RetryPolicy
  ) async throws(HTTPError) -> HTTPReply {
    do throws(HTTPError) {
      let reply = try await transport.execute(request, body: body, limits: limits)
      guard retry.triesAgain(after: reply) else { return reply }
    } catch {
      guard retry.triesAgain(after: error) else { throw error }
    }
    do {
      try await runtime.sleep(RetryPolicy.pause(randomBytes: runtime.randomBytes))
    } catch {
      throw HTTPError(
        .cancelled, host: request.authority ?? "", message: "The request was cancelled.")
    }
    return try await transport.execute(request, body: body, limits: limits)
  }
}
