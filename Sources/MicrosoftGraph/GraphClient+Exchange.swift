import AuthCore
import CurlHTTP
import FoundationEssentials
import HTTPTypes
import Sentences

/// What the next token must be, and what was asked for before: each once for a request.
private struct TokenNeed {
  private(set) var claims: ClaimsRequest?
  private(set) var forceRefresh = false
  /// The claims challenge that was answered.
  private var challenge: ClaimsRequest?
  private var hasRefreshed = false

  /// Whether a new token can help after `error`; notes what it needs.
  mutating func canRenew(after error: GraphError) -> Bool {
    if error.claims != nil {
      guard challenge == nil else { return false }
      challenge = error.claims
      claims = challenge
      return true
    }
    guard error.status == 401, !hasRefreshed else { return false }
    hasRefreshed = true
    forceRefresh = true
    // The renewed token must have them, too.
    claims = challenge
    return true
  }

  /// Notes that there is such a token: from now on, the source has it.
  mutating func receive() {
    claims = nil
    forceRefresh = false
  }
}

extension GraphClient {
  /// Sends a request by `exchange`, with another token or after a pause if that can help.
  ///
  /// - Parameters:
  ///   - canRepeat: whether there still is what is to be sent, once it was sent.
  ///   - exchange: returns the reply, or its start, and what the caller gets.
  func performed<Value>(
    _ request: GraphRequest, accepts: (Int) -> Bool, canRepeat: () -> Bool = { true },
    exchange: (GraphClient, HTTPRequest) async throws(HTTPError) -> (HTTPReply, Value)
  ) async throws(GraphError) -> Value {
    let target = try httpRequest(request)
    try await waitForOthers(target)
    var need = TokenNeed()
    var failure: GraphError?
    var count = 0
    while true {
      let authorization: Secret<String>
      do {
        authorization = try await tokens.authorization(
          for: target, claims: need.claims, forceRefresh: need.forceRefresh)
        need.receive()
      } catch {
        if error is FixedAuthorization.CannotRenew, let failure { throw failure }
        throw GraphError(token: error, claims: need.claims)
      }
      do throws(GraphError) {
        return try await attempt(target, authorization, accepts, exchange)
      } catch {
        failure = error
        await pauses?.keep(error, to: target, at: runtime.now())
        if need.canRenew(after: error) {
          // A token that the caller has is not renewed anyway.
          guard canRepeat() || tokens is FixedAuthorization else { throw error.unrepeated }
          continue
        }
        if error.claims != nil, !(tokens is FixedAuthorization) {
          // The new token does not have the claims: only the user can bring them.
          var error = error
          error.code = .interactionRequired
          throw error
        }
        guard let pause = retry.pause(after: error, of: request, count: count, random: random)
        else { throw error }
        guard canRepeat() else { throw error.unrepeated }
        count += 1
        try await wait(pause, after: error)
      }
    }
  }

  /// Sends a request once.
  private func attempt<Value>(
    _ target: HTTPRequest, _ authorization: Secret<String>, _ accepts: (Int) -> Bool,
    _ exchange: (GraphClient, HTTPRequest) async throws(HTTPError) -> (HTTPReply, Value)
  ) async throws(GraphError) -> Value {
    var request = target
    let requestID = runtime.newCorrelationID()
    request.headerFields[.authorization] =
      authorization.exposed.isEmpty ? nil : authorization.exposed
    request.headerFields[.clientRequestID] = requestID
    let reply: HTTPReply
    let value: Value
    do {
      let mailbox = MailboxQueue.mailbox(of: target.path ?? "")
        .map { MailboxQueue.Address(sender: sender, name: $0) }
      (reply, value) = try await mailboxes.whenFree(mailbox) {
        try await exchange(self, request)
      }
    } catch let error as HTTPError {
      var failure = GraphError(error, clientRequestID: requestID)
      if error.code == .bodyTooLarge { failure.sentence = tooLarge }
      throw failure
    } catch {
      throw .canceled
    }
    guard accepts(reply.response.status.code) else {
      throw GraphError(
        reply, of: service, clientRequestID: requestID, sent: SentSecrets(tokenOf: request),
        at: runtime.now())
    }
    return value
  }

  /// Sends a request that is completed from the moment it is sent, even if the caller is canceled.
  ///
  /// Until then, while a token is got or a pause is waited, a cancellation ends it.
  package func sendToEnd(_ request: GraphRequest) async throws(GraphError) -> GraphResponse {
    let reply = try await performed(request, accepts: { (200...299).contains($0) }) {
      client, httpRequest throws(HTTPError) in
      guard !Task.isCancelled else {
        throw HTTPError(.cancelled, host: client.host, GraphError.canceled.sentence)
      }
      let body = request.body?.data ?? Data()
      let sending = Task { () async -> Result<HTTPReply, HTTPError> in
        do throws(HTTPError) {
          return .success(
            try await client.transport.execute(httpRequest, body: body, limits: client.limits))
        } catch {
          return .failure(error)
        }
      }
      let reply = try await sending.value.get()
      return (reply, reply)
    }
    return GraphResponse(reply)
  }

  /// Why a response of more than ``limits`` is refused, and what to do.
  private var tooLarge: Sentence {
    let reason = FileReader.tooLarge(limits.bodySize).reason
    return version == nil
      ? Sentence(
        "The response from {service} is too large: {reason}. Ask for less.",
        ["service": service, "reason": reason])
      : Sentence(
        "The response from {service} is too large: {reason}. Ask for less, for example with $select or $top.",
        ["service": service, "reason": reason])
  }

  /// Sends a request, once and without a token, to a URL that holds its own authorization.
  @discardableResult
  func exchange(
    _ method: HTTPRequest.Method, _ url: String, fields: HTTPFields = [:], body: FilePart? = nil,
    accepts: (Int) -> Bool = { (200...299).contains($0) },
    limits: HTTPLimits = HTTPLimits(total: .seconds(600), idle: .seconds(60))
  ) async throws(GraphError) -> GraphResponse {
    var request = HTTPRequest(url: url, method: method)
    request.headerFields = fields
    let reply: HTTPReply
    do {
      reply = try await transport.send(
        request, body: body.map(RequestBody.file) ?? .data(Data()), limits: limits)
    } catch {
      throw GraphError(error)
    }
    guard accepts(reply.response.status.code) else {
      throw GraphError(
        reply, of: service, sent: SentSecrets(partsOf: url),
        at: runtime.now())
    }
    return GraphResponse(reply)
  }

  /// Waits as long as another process was asked to.
  ///
  /// - Throws: when that is longer than ``retry`` allows, or nothing is to be sent again.
  private func waitForOthers(_ target: HTTPRequest) async throws(GraphError) {
    guard let rest = await pauses?.rest(of: target, at: runtime.now()) else { return }
    let pause = Duration.seconds(rest.seconds)
    guard retry.waits(for: pause) else { throw .paused(rest, by: service) }
    try await wait(pause, after: .paused(rest, by: service))
  }

  /// Waits before a request that was refused is sent.
  ///
  /// - Parameter error: why it was refused.
  func wait(_ pause: Duration, after error: GraphError) async throws(GraphError) {
    willPause(pause, error)
    try await sleep(pause)
  }

  /// Waits.
  func sleep(_ pause: Duration) async throws(GraphError) {
    do {
      try await runtime.sleep(pause)
      try Task.checkCancellation()
    } catch {
      throw .canceled
    }
  }

  /// A number from 0 to 1.
  var random: Double {
    Double(runtime.randomBytes(2).reduce(0) { $0 << 8 | Int($1) }) / 65535
  }
}

extension SentSecrets {
  /// The token that `request` is sent with.
  init(tokenOf request: HTTPRequest) {
    let authorization = request.headerFields[.authorization] ?? ""
    // A server that echoes the token may omit the scheme.
    self.init(authorization.split(separator: " ").dropFirst().map { Secret(String($0)) })
  }

  /// What may be the authorization in a URL that holds its own: each long part behind its host.
  init(partsOf url: String) {
    let parts = url.split { "/?&=#".contains($0) }.dropFirst(2)
    self.init(parts.filter { $0.utf8.count >= 16 }.map { Secret(String($0)) })
  }
}
