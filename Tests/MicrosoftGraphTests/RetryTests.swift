import AuthCore
import CurlHTTP
import FoundationEssentials
import HTTPTypes
import MicrosoftGraph
import Testing

@Suite("Requests to Microsoft Graph that are sent again")
struct RetryTests {
  private func pauses(
    _ method: HTTPRequest.Method, _ replies: [HTTPReply], _ policy: RetryPolicy = RetryPolicy()
  ) async -> (pauses: [Duration], sent: Int, error: GraphError?) {
    let (api, sleeps) = (API(replies), Sleeps())
    var graph = GraphClient.of(api, sleeps: sleeps)
    graph.retry = policy
    do throws(GraphError) {
      _ = try await graph.send(GraphRequest(method, "/me/messages"))
      return (sleeps.all, api.requests.count, nil)
    } catch {
      return (sleeps.all, api.requests.count, error)
    }
  }

  @Test("The pause that the service asks for is kept, also a fraction of a second")
  func retryAfter() async {
    let replies = [
      HTTPReply(429, "{}", [.retryAfter: "7"]), HTTPReply(503, "{}", [.retryAfter: "2.128"]),
      HTTPReply(200),
    ]
    let result = await pauses(.get, replies)
    #expect(result.error == nil)
    #expect(result.pauses == [.seconds(7), .seconds(2.128)])
  }

  @Test("The pause may be a date")
  func date() async throws {
    // The example of RFC 9110, section 5.6.7, a minute later.
    let now = Date(timeIntervalSince1970: 784_111_777 - 60)
    let field = "Sun, 06 Nov 1994 08:49:37 GMT"
    let sleeps = Sleeps()
    let api = API([HTTPReply(429, "{}", [.retryAfter: field]), HTTPReply(200)])
    let graph = GraphClient(
      tokens: Tokens(), runtime: Runtime(now: { now }, sleep: { sleeps.sleep($0) }, transport: api))
    _ = try await graph.get("/me")
    #expect(sleeps.all == [.seconds(60)])
  }

  @Test("Without one, the pauses double")
  func backoff() async {
    let replies = [HTTPReply(429), HTTPReply(504), HTTPReply(509), HTTPReply(200)]
    let result = await pauses(.get, replies)
    #expect(result.error == nil && result.pauses.count == 3)
    for (pause, seconds) in zip(result.pauses, [1.0, 2, 4]) {
      #expect(pause > .seconds(seconds * 0.75) && pause < .seconds(seconds * 1.25))
    }
  }

  @Test("It ends after some times")
  func limit() async {
    let result = await pauses(.get, [HTTPReply(503)])
    #expect(result.error?.code == .serverUnavailable && result.sent == 4)
    let never = await pauses(.get, [HTTPReply(429)], .never)
    #expect(never.error?.code == .throttled && never.sent == 1)
  }

  @Test("A pause that is too long is the caller's")
  func tooLong() async {
    let result = await pauses(.get, [HTTPReply(429, "{}", [.retryAfter: "1800"])])
    #expect(result.error?.retryAfter == .seconds(1800) && result.sent == 1)
  }

  @Test("What may have been done is not done again")
  func idempotence() async {
    for method in [HTTPRequest.Method.post, .patch] {
      #expect(await pauses(method, [HTTPReply(503), HTTPReply(200)]).sent == 1)
      #expect(await pauses(method, [HTTPReply(504), HTTPReply(200)]).sent == 1)
      // Refused before anything is done.
      #expect(await pauses(method, [HTTPReply(429), HTTPReply(200)]).sent == 2)
    }
    for method in [HTTPRequest.Method.get, .put, .delete] {
      #expect(await pauses(method, [HTTPReply(503), HTTPReply(200)]).sent == 2)
    }
  }

  @Test(
    "What waiting cannot change is not sent again", arguments: [400, 403, 404, 409, 500, 501, 507])
  func hopeless(status: Int) async {
    #expect(await pauses(.get, [HTTPReply(status), HTTPReply(200)]).sent == 1)
  }

  @Test("Without a response, only what can be repeated is; a wrong certificate stays wrong")
  func noResponse() async {
    for (code, method, count) in [
      (HTTPError.Code.connectionLost, HTTPRequest.Method.get, 4), (.timedOut, .put, 4),
      (.connectionLost, .post, 1), (.tlsFailure, .get, 1), (.invalidConfiguration, .get, 1),
      (.bodyTooLarge, .get, 1),
    ] {
      let api = API { () throws(HTTPError) in throw HTTPError(code, host: "h", message: "No.") }
      await #expect(throws: GraphError.self) {
        try await GraphClient.of(api).send(GraphRequest(method, "/me"))
      }
      #expect(api.requests.count == count, "\(code) \(method)")
    }
  }

  @Test("Waiting can be canceled")
  func cancellation() async {
    let api = API([HTTPReply(429, "{}", [.retryAfter: "100"])])
    let graph = GraphClient(
      tokens: Tokens(),
      runtime: Runtime(sleep: { _ in throw CancellationError() }, transport: api))
    let error = await #expect(throws: GraphError.self) { try await graph.get("/me") }
    #expect(error?.code == .cancelled)
    #expect(api.requests.count == 1)
  }
}
