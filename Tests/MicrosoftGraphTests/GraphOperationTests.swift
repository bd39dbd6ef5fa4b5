import AuthCore
import CurlHTTP
import FoundationEssentials
import HTTPTypes
import MicrosoftGraph
import Testing

@Suite("Long operations, deprecations and numbers of Microsoft Graph")
struct GraphOperationTests {
  private static let monitor = "https://files.example/monitor/1"

  private static func accepted(_ location: String) -> HTTPReply {
    HTTPReply(202, "{}", [.location: location, .retryAfter: "4"])
  }

  @Test("An accepted operation is asked for until it is done, without the token elsewhere")
  func completion() async throws {
    let api = API([
      Self.accepted(Self.monitor),
      HTTPReply(202, "{\"status\":\"inProgress\",\"percentageComplete\":27.8}"),
      HTTPReply(
        200, "{\"status\":\"completed\",\"resourceId\":\"01MOWKYVJML57KN2ANMBA3JZJS2MBGC7KM\"}"),
    ])
    let sleeps = Sleeps()
    let graph = GraphClient.of(api, sleeps: sleeps)
    let response = try await graph.send(
      GraphRequest(.post, "/me/drive/items/1/copy", body: .json(JSON.object([]))))
    var percentages: [Double] = []
    let last = try await graph.completion(of: response) { percentages.append($0) }
    #expect(try last.json()["resourceId"]?.string == "01MOWKYVJML57KN2ANMBA3JZJS2MBGC7KM")
    #expect(percentages == [27.8])
    #expect(sleeps.all == [.seconds(4), .seconds(2)])
    #expect(api.requests.dropFirst().allSatisfy { $0.headerFields[.authorization] == nil })
  }

  // Graph's documentation of long-running actions, "completed status report".
  @Test("An operation that is completed is done, also with status 202")
  func completedWith202() async throws {
    let api = API([
      Self.accepted(Self.monitor),
      HTTPReply(202, "{\"percentageComplete\":50.0,\"status\":\"inProgress\"}"),
      HTTPReply(202, "{}"), HTTPReply(202, "{\"status\":\"queued\"}"),
      HTTPReply(202, "{\"status\":\"unknownFutureValue\"}"),
      HTTPReply(
        202,
        "{\"percentageComplete\":100.0,\"resourceId\":\"01MOWKYVJML57KN2ANMBA3JZJS2MBGC7KM\","
          + "\"status\":\"completed\"}"),
    ])
    let graph = GraphClient.of(api)
    let last = try await graph.completion(of: try await graph.get("/x"))
    #expect(try last.json()["resourceId"]?.string == "01MOWKYVJML57KN2ANMBA3JZJS2MBGC7KM")
    #expect(api.requests.count == 6)
  }

  @Test("The state of an operation of Graph itself is asked for with the token")
  func ownHost() async throws {
    let location = "https://graph.microsoft.com/v1.0/teams('1')/operations('2')"
    let api = API([
      Self.accepted(location), HTTPReply(200, "{\"status\":\"running\"}"),
      HTTPReply(200, "{\"status\":\"succeeded\"}"),
    ])
    let graph = GraphClient.of(api)
    _ = try await graph.completion(of: try await graph.get("/x"))
    #expect(api.requests.count == 3)
    #expect(api.requests.allSatisfy { $0.headerFields[.authorization] != nil })
  }

  // Microsoft Graph, "caseOperation resource type" of the namespace security, for the second one.
  @Test(
    "An operation that fails is an error with the service's code",
    arguments: ["failed", "submissionFailed"])
  func failure(status: String) async throws {
    let api = API([
      Self.accepted(Self.monitor),
      HTTPReply(200, "{\"status\":\"running\",\"percentProgress\":40}"),
      HTTPReply(
        200,
        "{\"status\":\"\(status)\",\"error\":{\"code\":\"nameAlreadyExists\",\"message\":\"Name already exists\"}}"
      ),
    ])
    let graph = GraphClient.of(api)
    let response = try await graph.get("/x")
    var percentages: [Double] = []
    let error = await #expect(throws: GraphError.self) {
      try await graph.completion(of: response) { percentages.append($0) }
    }
    #expect(error?.code == .refused && error?.serverCode == "nameAlreadyExists")
    #expect(percentages == [40])
  }

  @Test("The state is asked for by its path, as Teams tells it, and with its 303")
  func path() async throws {
    let api = API([
      Self.accepted("/teams('1')/operations('2')"),
      HTTPReply(303, "", [.location: "https://graph.microsoft.com/v1.0/teams('3')"]),
    ])
    let graph = GraphClient.of(api)
    let last = try await graph.completion(of: try await graph.get("/x"))
    #expect(api.requests.map(\.path) == ["/v1.0/x", "/v1.0/teams('1')/operations('2')"])
    #expect(last.status == 303)
    #expect(last.location == "https://graph.microsoft.com/v1.0/teams('3')")
  }

  @Test("A monitor that is busy is asked again, and any pause it asks for is one")
  func pauses() async throws {
    let running = "{\"status\":\"inProgress\"}"
    let api = API([
      Self.accepted(Self.monitor), HTTPReply(503, "", [.retryAfter: "7"]),
      HTTPReply(200, running, [.retryAfter: "0"]),
      HTTPReply(200, running, [.retryAfter: String(repeating: "9", count: 400)]),
      HTTPReply(200, running, [.retryAfter: "-1"]),
      HTTPReply(200, "{\"status\":\"completed\",\"percentageComplete\":1e400}"),
    ])
    let sleeps = Sleeps()
    let graph = GraphClient.of(api, sleeps: sleeps)
    let response = try await graph.get("/x")
    var percentages: [Double] = []
    _ = try await graph.completion(of: response) { percentages.append($0) }
    #expect(sleeps.all == [4, 7, 0.5, 3600, 2].map { .seconds($0) })
    #expect(percentages.isEmpty)
  }

  @Test("An operation that never ends can be canceled")
  func cancellation() async throws {
    let api = API([Self.accepted(Self.monitor), HTTPReply(202, "{\"status\":\"inProgress\"}")])
    let graph = GraphClient.of(api)
    let response = try await graph.get("/x")
    let task = Task { try await graph.completion(of: response) }
    while api.requests.count < 10 { await Task.yield() }
    task.cancel()
    let error = await #expect(throws: GraphError.self) { try await task.value }
    #expect(error?.code == .cancelled)
  }

  @Test("What is done at once is not asked for")
  func done() async throws {
    let api = API([HTTPReply(201)])
    let graph = GraphClient.of(api)
    #expect(try await graph.completion(of: try await graph.get("/x")).status == 201)
    #expect(api.requests.count == 1)
  }

  @Test("A deprecated resource says until when it works, and where to read on")
  func deprecation() async throws {
    let names = try ["Deprecation", "Sunset", "Link"].map { try #require(HTTPField.Name($0)) }
    // The date of RFC 8594, section 3; 2018-12-31T23:59:59Z by GNU date.
    let api = API([
      HTTPReply(
        200, "{}",
        [
          names[0]: "Fri, 11 Nov 2022 23:59:59 GMT", names[1]: "Mon, 31 Dec 2018 23:59:59 GMT",
          names[2]:
            "<https://graph.microsoft.com/v1.0/me/old?$skip=1>; rel=\"next\", <https://developer.microsoft.com/graph/changes>; rel=\"deprecation\"; type=\"text/html\"",
        ]),
      HTTPReply(200),
    ])
    let graph = GraphClient.of(api)
    let deprecation = try #require(try await graph.get("/me/old").deprecation)
    #expect(deprecation.sunset == Date(timeIntervalSince1970: 1_546_300_799))
    #expect(deprecation.link == "https://developer.microsoft.com/graph/changes")
    #expect(try await graph.get("/me").deprecation == nil)
  }

  @Test("Numbers are as the server wrote them, in a batch, too")
  func numbers() async throws {
    let api = API([
      HTTPReply(
        200,
        "{\"responses\":[{\"id\":\"0\",\"status\":200,\"body\":{\"a\":1.0,\"b\":9007199254740993,\"c\":1e400}}]}"
      )
    ])
    let results = try await GraphClient.of(api).batch(["/me"])
    #expect(
      try results[0].get().json().compactText == "{\"a\":1.0,\"b\":9007199254740993,\"c\":1e400}")
  }

  // OData JSON Format 4.01, "Batch Request", has a text as it is, and anything else in base64url; the
  // service writes base64 (RFC 4648, section 4).
  @Test(
    "A text in a batch that looks like base64url is a text",
    arguments: [
      ("text/plain", "120", Data("120".utf8)),
      ("Text/Plain; charset=utf-8", "no-such-user", Data("no-such-user".utf8)),
      ("text/plain", "MTIw", Data("120".utf8)),
      ("image/jpeg", "_9j_4A", Data([0xFF, 0xD8, 0xFF, 0xE0])),
      ("image/jpeg", "/9j/4A==", Data([0xFF, 0xD8, 0xFF, 0xE0])),
    ])
  func textBody(type: String, body: String, expected: Data) async throws {
    let response = """
      {"responses":[{"id":"0","status":200,"headers":{"Content-Type":"\(type)"},"body":"\(body)"}]}
      """
    let results = try await GraphClient.of(API([HTTPReply(200, response)])).batch(["/me"])
    #expect(try results[0].get().body == expected)
  }

  @Test("A response of a batch can have any number of header fields")
  func manyFields() async throws {
    let fields = (0..<80_000).map { "\"a\($0)\":\"b\"" }.joined(separator: ",")
    let api = API([
      HTTPReply(200, "{\"responses\":[{\"id\":\"0\",\"status\":200,\"headers\":{\(fields)}}]}")
    ])
    let results = try await GraphClient.of(api).batch(["/me"])
    #expect(try results[0].get().status == 200)
  }

  @Test("A part of a batch that echoes the token is not quoted, also after the token was renewed")
  func repeatedToken() async throws {
    func reply(_ token: String) -> HTTPReply {
      HTTPReply(
        200,
        """
        {"responses":[{"id":"0","status":401,"headers":{"Server":"\(token)","Location":"/me"},
          "body":{"error":{"code":"\(token)","message":"No \(token)."}}}]}
        """)
    }
    for replies in [[reply("token-1")], [HTTPReply(401), reply("token-2")]] {
      let results = try await GraphClient.of(API(replies)).batch(["/me"])
      let thrown = #expect(throws: GraphError.self) { try results[0].get() }
      let error = try #require(thrown)
      #expect(error.status == 401 && error.body.isEmpty)
      #expect(error.serverMessage == nil && error.serverCode == nil)
      #expect(error.headerFields[.server] == nil && error.headerFields[.location] == "/me")
    }
  }

  @Test("A request of a batch is sent again as often as it would be alone")
  func lateThrottling() async throws {
    func reply(_ statuses: [Int: Int]) -> HTTPReply {
      let parts = statuses.map { "{\"id\":\"\($0.key)\",\"status\":\($0.value)}" }
      return HTTPReply(200, "{\"responses\":[\(parts.joined(separator: ","))]}")
    }
    var first = Dictionary(uniqueKeysWithValues: (0..<20).map { ($0, 200) })
    first[0] = 429
    let api = API([
      reply(first), reply([0: 200, 20: 429]), reply([20: 429]), reply([20: 429]),
      reply([20: 200]),
    ])
    let requests = [GraphRequest](repeating: GraphRequest(.get, "/me"), count: 21)
    let results = try await GraphClient.of(api).batch(requests)
    for result in results { #expect(try result.get().status == 200) }
    #expect(api.requests.count == 5)
  }

  /// The reply to a batch of the requests from `first` on, with a status for each.
  private static func reply(from first: Int, _ statuses: [Int]) -> HTTPReply {
    let parts = statuses.enumerated().map {
      "{\"id\":\"\(first + $0.offset)\",\"status\":\($0.element)}"
    }
    return HTTPReply(200, "{\"responses\":[\(parts.joined(separator: ","))]}")
  }

  private static let created = [Int](repeating: 201, count: 20)

  // JSON batching: a request that depends on another one fails with 424 when that one fails. The
  // contents of a file are a redirect, and a condition on its version is met with 304.
  @Test(
    "A request that depends on an earlier batch is sent unless that one failed",
    arguments: [(302, true), (304, true), (200, true), (400, false), (503, false)])
  func dependency(status: Int, isSent: Bool) async throws {
    let api = API([
      Self.reply(from: 0, [status] + Self.created.dropFirst()), Self.reply(from: 20, [200]),
    ])
    var client = GraphClient.of(api)
    client.retry = .never
    let requests = [GraphRequest](repeating: "/me", count: 21)
    let results = try await client.batch(requests, dependsOn: [20: [0]])
    #expect(api.requests.count == (isSent ? 2 : 1))
    switch results[20] {
    case .success(let response): #expect(isSent && response.status == 200)
    case .failure(let error): #expect(!isSent && error.status == 424)
    }
  }

  @Test(
    "When a later batch fails, the results of the earlier ones stay",
    arguments: [
      Result<HTTPReply, HTTPError>.success(HTTPReply(503)), .lost,
      .success(HTTPReply(200, "no JSON")),
    ])
  func laterFailure(failure: Result<HTTPReply, HTTPError>) async throws {
    let api = API(results: [
      .success(Self.reply(from: 0, Self.created)), .success(Self.reply(from: 20, Self.created)),
      failure,
    ])
    let requests = [GraphRequest](repeating: GraphRequest(.post, "/users"), count: 45)
    let results = try await GraphClient.of(api).batch(requests)
    #expect(results.count == 45)
    for result in results.prefix(40) { #expect(try result.get().status == 201) }
    // Without any result, the failure is all there is to tell.
    let thrown = await #expect(throws: GraphError.self) {
      try await GraphClient.of(API(results: [failure])).batch(requests)
    }
    let batch = try #require(thrown)
    for result in results.dropFirst(40) {
      let thrown = #expect(throws: GraphError.self) { try result.get() }
      let error = try #require(thrown)
      // The response is the batch's, not the request's.
      #expect(error.status == nil && error.headerFields.isEmpty && error.body.isEmpty)
      #expect((error.cause as? GraphError) == batch)
      #expect(error.code == batch.code && error.message == batch.message)
    }
    #expect(api.requests.count == 3)
  }

  @Test("When there is no token for a later batch, its results have the error of the sign-in")
  func laterTokenFailure() async throws {
    struct Source: GraphTokenSource {
      let isUsed = LockedValue(false)
      func authorization(
        for request: HTTPRequest, claims: ClaimsRequest?, forceRefresh: Bool
      ) async throws -> Secret<String> {
        let isLater = isUsed.withLock { isUsed in
          defer { isUsed = true }
          return isUsed
        }
        guard !isLater else { throw AuthenticationError(.interactionRequired, "Sign in again.") }
        return Secret("Bearer token")
      }
    }
    let api = API([Self.reply(from: 0, Self.created)])
    let requests = [GraphRequest](repeating: GraphRequest(.post, "/users"), count: 21)
    let results = try await GraphClient.of(api, tokens: Source()).batch(requests)
    #expect(try results[0].get().status == 201)
    let error = #expect(throws: GraphError.self) { try results[20].get() }
    #expect(error?.code == .interactionRequired && error?.message == "Sign in again.")
    let batch = try #require(error?.cause as? GraphError)
    #expect((batch.cause as? AuthenticationError)?.code == .interactionRequired)
  }

  @Test("When a pause between batches is canceled, what was done is told")
  func canceledPause() async throws {
    let api = API([Self.reply(from: 0, [Int](repeating: 201, count: 19) + [429])])
    let graph = GraphClient(
      tokens: Tokens(),
      runtime: Runtime(sleep: { _ in throw CancellationError() }, transport: api))
    let requests = [GraphRequest](repeating: GraphRequest(.post, "/users"), count: 21)
    let results = try await graph.batch(requests)
    for result in results.prefix(19) { #expect(try result.get().status == 201) }
    for result in results.dropFirst(19) {
      let error = #expect(throws: GraphError.self) { try result.get() }
      #expect(error?.code == .cancelled)
    }
  }

  @Test("A batch of sixty thousand requests that are all throttled ends")
  func largeBatch() async throws {
    let ids = 0..<60_000
    let requests = [GraphRequest](repeating: GraphRequest(.get, "/me"), count: ids.count)
    var client = GraphClient.of(API([HTTPReply(200, "{\"responses\":[]}")]))
    client.retry = .never
    let results = try await client.batch(requests)
    #expect(results.count == ids.count)
  }
}
