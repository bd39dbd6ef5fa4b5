import CurlHTTP
import FoundationEssentials
import HTTPTypes
import Sentences

/// The network for the flows: fetches documents and sends forms, with retries where they can help.
struct Network: Sendable {
  let transport: any HTTPTransport
  let runtime: Runtime
  /// Header fields of every request.
  var clientFields: HTTPFields = [:]

  /// Fetches a document about an authority or one of its pages, whatever the status of the reply.
  func get(
    _ url: String, _ correlationID: String, accept: String = "application/json",
    step: AuthenticationError.Step = .discovery, limit: Duration = .seconds(15),
    retry: ImmediateRetry = .repeatable
  ) async throws(AuthenticationError) -> HTTPReply {
    var request = HTTPRequest(url: url)
    request.headerFields[.accept] = accept
    request.headerFields[.clientRequestID] = correlationID
    do {
      return try await execute(request, limits: .init(total: limit), retry: retry)
    } catch {
      throw AuthenticationError(error, step: step)
    }
  }

  /// Fetches a document about an authority, such as its keys.
  ///
  /// - Throws: also when the service is unavailable or throttles requests, and then with the pause
  ///   that it asks for.
  func document(
    _ url: String, _ correlationID: String
  ) async throws(AuthenticationError) -> HTTPReply {
    let reply = try await get(url, correlationID)
    let host = HTTPRequest(url: url).authority ?? ""
    if let outage = AuthenticationError(
      outage: reply, of: Authority.signInService(at: host), step: .discovery)
    {
      throw outage.withPause(of: reply, receivedAt: runtime.now())
    }
    return reply
  }

  /// Sends a form to the token endpoint, or to the endpoint of another `step`.
  func send(
    _ request: TokenRequest, step: AuthenticationError.Step = .token, telemetry: HTTPFields = [:]
  ) async throws(AuthenticationError) -> HTTPReply {
    var httpRequest = request.httpRequest
    httpRequest.headerFields.append(contentsOf: telemetry)
    do {
      return try await execute(httpRequest, body: request.body, retry: request.retry)
    } catch {
      throw AuthenticationError(error, step: step)
    }
  }

  private func execute(
    _ request: HTTPRequest, body: Data = Data(), limits: HTTPLimits = HTTPLimits(),
    retry: ImmediateRetry
  ) async throws(HTTPError) -> HTTPReply {
    var request = request
    request.headerFields.append(contentsOf: clientFields)
    do throws(HTTPError) {
      let reply = try await exchange(request, body, limits)
      guard retry.triesAgain(after: reply) else { return reply }
    } catch {
      guard retry.triesAgain(after: error) else { throw error }
    }
    let pause = ImmediateRetry.pause(randomBytes: runtime.randomBytes)
    runtime.log.warning(
      "Retrying the request in \(public: pause)", request.headerFields[.clientRequestID])
    do {
      try await runtime.sleep(pause)
    } catch {
      throw HTTPError(
        .cancelled, host: request.authority ?? "", Sentence("The request was canceled."))
    }
    return try await exchange(request, body, limits)
  }

  /// Sends a request once, and logs the result.
  private func exchange(
    _ request: HTTPRequest, _ body: Data, _ limits: HTTPLimits
  ) async throws(HTTPError) -> HTTPReply {
    let (log, id) = (runtime.log, request.headerFields[.clientRequestID])
    let host = request.authority ?? ""
    log.debug("\(public: request.method) to \(public: host)", id)
    do throws(HTTPError) {
      let reply = try await transport.execute(request, body: body, limits: limits)
      log.info("HTTP \(public: reply.response.status.code) from \(public: host)", id)
      return reply
    } catch {
      log.warning("No response from \(public: host): \(public: error.code.rawValue)", id)
      throw error
    }
  }
}
