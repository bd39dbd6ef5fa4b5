import AuthCore
import CurlHTTP
import FoundationEssentials
import HTTPTypes
import MicrosoftGraph
import Testing

@Suite("Calling Microsoft Graph")
struct GraphClientTests {
  static let me = "https://graph.microsoft.com/v1.0/me"
  let token = Secret("Bearer token-canary")

  private func get(_ api: API, _ url: String = me) async throws -> GraphResponse {
    try await GraphClient(api: Self.me, transport: api, newRequestID: { "our-id" })
      .authorized(by: token).get(GraphPath(url: url))
  }

  private func refusal(_ api: API, _ url: String = me) async throws -> GraphError {
    let error = try #require(await #expect(throws: GraphError.self) { try await get(api, url) })
    #expect(!"\(error) \(error.details)".contains("canary"))
    return error
  }

  @Test(
    "The status tells who can do something about it",
    arguments: [
      (400, FailureKind.developers), (401, .signIn), (403, .administrator), (404, .developers),
      (409, .developers), (412, .developers), (410, .developers), (429, .tooManyRequests),
      (500, .later), (503, .later),
    ])
  func failureKind(status: Int, kind: FailureKind) async throws {
    let error = try await refusal(API(status, "{}"))
    #expect(error.failureKind == kind)
  }

  @Test("Only a sign-in can bring the claims that an API asks for", arguments: [401, 403])
  func missingClaims(status: Int) async throws {
    // {"access_token":{"acrs":{"essential":true,"value":"c1"}}}
    let claims = "eyJhY2Nlc3NfdG9rZW4iOnsiYWNycyI6eyJlc3NlbnRpYWwiOnRydWUsInZhbHVlIjoiYzEifX19"
    let api = API { () throws(HTTPError) in
      let challenge = #"Bearer error="insufficient_claims", claims="\#(claims)""#
      return HTTPReply(
        response: HTTPResponse(
          status: .init(code: status), headerFields: [.wwwAuthenticate: challenge]),
        body: Data())
    }
    #expect(try await refusal(api).failureKind == .signIn)
  }

  @Test(
    "A server that echoes the token is not quoted", arguments: [401, 403, 500],
    ["token-canary", "Bearer token-canary", "%74oken-canar%79", "token%252Dcanary"])
  func repeatedToken(status: Int, words: String) async throws {
    let text = "The token '\(words)' is not known."
    let reply = HTTPReply(
      status,
      """
      {"error": {"code": "\(words)", "message": "\(text)", "innerError": {"request-id": "\(words)"}}}
      """, [.server: text, .location: "/me"])
    let error = try await refusal(API([reply]))
    #expect(!"\(error) \(error.details)".contains(words))
    #expect(error.headerFields[.server] == nil && error.headerFields[.location] == "/me")
    #expect(error.body.isEmpty)
    #expect(error.serverMessage == nil && error.serverCode == nil && error.requestID == nil)
    #expect(error.status == status)
  }

  @Test("Sentences name Microsoft Graph, or the host of another API")
  func names() async throws {
    let other = "https://api.contoso.example/me"
    let api = API(403, "")
    let error = await #expect(throws: GraphError.self) {
      try await GraphClient(api: other, transport: API(500, "")).authorized(by: token)
        .get(GraphPath(other))
    }
    #expect(
      error?.message
        == "“api.contoso.example” is not available at the moment (HTTP 500). Try again later."
    )
    // Trying again does not help.
    #expect(
      try await refusal(API(501, "")).message
        == "Microsoft Graph does not support this request (HTTP 501).")
    #expect(try await !refusal(api).message.contains("“"))
    #expect(try await refusal(API(404, "")).message.hasPrefix("Microsoft Graph did not find"))
  }

  @Test(
    "Any device ID stays within the key",
    arguments: [
      ("a'b", "a%27%27b"), ("x')/owner?a=(b", "x%27%27%29%2Fowner%3Fa%3D%28b"), ("a#b", "a%23b"),
      ("ä\r\n", "%C3%A4%0D%0A"),
    ])
  func deviceID(id: String, key: String) async throws {
    let api = API(200, "{}")
    _ = try await GraphClient(api: Self.me, transport: api).authorized(by: token).device(id: id)
    #expect(
      api.requests.first?.path
        == "/v1.0/devices(deviceId='\(key)')?$select=isCompliant,displayName")
  }

  @Test("A device is looked up by its ID; missing properties are unknown")
  func device() async throws {
    let id = "11d2c2a4-7a0f-4d2a-9a51-3d1f0e7b6c55"
    func look(_ api: API) async throws -> DirectoryDevice {
      try await GraphClient(api: Self.me, transport: api).authorized(by: token).device(id: id)
    }
    let api = API(200, #"{"isCompliant":true,"displayName":"adele-laptop"}"#)
    let device = try await look(api)
    #expect(device.isCompliant == true)
    #expect(device.displayName == "adele-laptop")
    #expect(
      api.requests.first?.path
        == "/v1.0/devices(deviceId='\(id)')?$select=isCompliant,displayName")
    #expect(try await look(API(200, #"{"isCompliant":null}"#)).isCompliant == nil)
    for (status, body, code) in [
      (403, "{}", GraphError.Code.forbidden), (404, "{}", .notFound), (200, "<html>", .refused),
    ] {
      let error = await #expect(throws: GraphError.self) { try await look(API(status, body)) }
      #expect(error?.code == code)
    }
  }

  @Test("The request has the token and its own request ID")
  func request() async throws {
    let api = API(200, "{}")
    _ = try await get(api, "https://GRAPH.microsoft.com/v1.0/me?$select=id")
    let request = try #require(api.requests.first)
    #expect(request.method == .get)
    #expect(request.path == "/v1.0/me?$select=id")
    #expect(request.headerFields[.authorization] == "Bearer token-canary")
    #expect(request.headerFields[.accept] == "application/json")
    #expect(request.headerFields[.clientRequestID] == "our-id")
  }

  @Test("Other methods send a body and header fields, which cannot set token or request ID")
  func send() async throws {
    let api = API(201, "{}")
    let client = try GraphClient(api: Self.me, transport: api, newRequestID: { "our-id" })
      .authorized(by: token)
    var change = GraphRequest(
      .patch, GraphPath(url: Self.me),
      body: GraphBody(Data("words".utf8), contentType: "text/plain"))
    change.headerFields[.accept] = "*/*"
    change.headerFields[.authorization] = "Bearer evil"
    change.headerFields[.clientRequestID] = "their-id"
    let response = try await client.send(change)
    #expect(response.status == 201)
    let request = try #require(api.requests.first)
    #expect(request.method == .patch)
    #expect(request.headerFields[.contentType] == "text/plain")
    #expect(request.headerFields[.accept] == "*/*")
    #expect(request.headerFields[values: .authorization] == ["Bearer token-canary"])
    #expect(request.headerFields[values: .clientRequestID] == ["our-id"])
    #expect(api.bodies == [Data("words".utf8)])
    await #expect(throws: GraphError.self) {
      try await client.send(GraphRequest(.delete, "https://evil.example/"))
    }
    #expect(api.requests.count == 1)
  }

  @Test(
    "The token is sent to its host only",
    arguments: [
      "https://graph.microsoft.com.evil.example/v1.0/me", "https://evil-graph.microsoft.com/",
      "https://evil.example/graph.microsoft.com", "https://graph.microsoft.com@evil.example/",
      "https://user@graph.microsoft.com/v1.0/me", "https://graph.microsoft.com:444/v1.0/me",
      "https://graph.microsoft.com./v1.0/me", "http://graph.microsoft.com/v1.0/me",
      "ftp://graph.microsoft.com/", "//graph.microsoft.com/v1.0/me", "/v1.0/me", "",
      "https://graph.microsoft.com\\@evil.example/", "https://graph.microsоft.com/",
      "https://evil.example#@graph.microsoft.com/", "https://evil.example?@graph.microsoft.com/",
    ])
  func otherHost(url: String) async throws {
    let api = API(200, "{}")
    #expect(try await refusal(api, url).code == .invalidURL)
    #expect(api.requests.isEmpty)
  }

  @Test(
    "The URL of an API is https, without a user",
    arguments: [
      "", "graph.microsoft.com", "http://graph.microsoft.com/", "https://", "https:///x",
      "https://user@graph.microsoft.com/",
    ])
  func badAPI(url: String) {
    let error = #expect(throws: GraphError.self) {
      try GraphClient(api: url, transport: API(200, ""))
    }
    #expect(error?.code == .invalidURL)
  }

  @Test("A response keeps the server's order and numbers")
  func order() async throws {
    let body = #"{"zeta":1.0,"@odata.context":"x","id":9007199254740993,"a":null}"#
    let response = try await get(API(200, body, type: "application/json;odata.metadata=minimal"))
    #expect(response.status == 200)
    #expect(response.contentType == "application/json;odata.metadata=minimal")
    #expect(try response.json().compactText == body)
  }

  @Test("A retry policy that is set stays, whatever the tokens; otherwise they decide")
  func retry() throws {
    var client = try GraphClient(api: Self.me, transport: API(200, ""))
    #expect(client.retry == .never && client.authorized(by: token).retry == .never)
    #expect(client.authorized(by: Tokens()).retry == RetryPolicy())
    for policy in [RetryPolicy(limit: 7), .never] {
      client.retry = policy
      #expect(client.authorized(by: Tokens()).retry == policy)
      #expect(client.authorized(by: token).retry == policy)
    }
  }

  @Test("A response that is not JSON is still a response")
  func noJSON() async throws {
    let response = try await get(API(204, ""))
    #expect(response.body.isEmpty)
    let error = #expect(throws: GraphError.self) { try response.json() }
    #expect(error?.code == .invalidResponse && error?.cause is JSONError)
    #expect(error?.status == 204)
  }

  @Test(
    "Both spellings of the envelope are parsed, down to the innermost code",
    arguments: [
      ("innerError", "request-id"), ("innererror", "requestId"), ("innerError", "requestId"),
    ])
  func envelope(inner: String, id: String) async throws {
    let body = """
      {"error": {"code": "badRequest", "message": "For developers.", "\(inner)": {
        "code": "invalidRange", "\(id)": "server-id", "client-request-id": "our-id",
        "\(inner)": {"code": "cannotOpenFile", "date": "2026-11-21T00:00:00"}}}}
      """
    let error = try await refusal(API(400, body))
    #expect(error.code == .refused)
    #expect(error.status == 400)
    #expect(error.serverCode == "cannotOpenFile")
    #expect(error.serverMessage == "For developers.")
    #expect(error.requestID == "server-id")
    #expect(error.clientRequestID == "our-id")
    #expect(!error.message.contains("For developers"))
    #expect(
      error.details.map { "\($0)" } == [
        "Error: cannotOpenFile", "Request ID: server-id", "Client request ID: our-id",
        "Server: For developers.",
      ])
  }

  @Test("The request ID is also read from the header")
  func headerID() async throws {
    let api = API { () throws(HTTPError) in
      var response = HTTPResponse(status: .forbidden)
      if let name = HTTPField.Name("request-id") { response.headerFields[name] = "header-id" }
      return HTTPReply(response: response)
    }
    #expect(try await refusal(api).requestID == "header-id")
  }

  @Test(
    "Each status has a meaning",
    arguments: [
      (301, .refused), (302, .refused), (304, .notModified), (400, .refused), (401, .unauthorized),
      (403, .forbidden), (404, .notFound), (410, .notFound), (409, .conflict), (412, .conflict),
      (423, .conflict), (429, .throttled),
      (500, .serverUnavailable), (503, .serverUnavailable), (509, .serverUnavailable),
    ] as [(Int, GraphError.Code)])
  func status(status: Int, code: GraphError.Code) async throws {
    let api = API(status, "{\"error\":{\"code\":\"c\"}}")
    let error = try await refusal(api)
    #expect(error.code == code)
    #expect(error.status == status)
    #expect(error.message.contains("\(status)"))
    #expect(api.requests.count == 1, "No redirect is followed, nothing is sent again")
  }

  @Test("A name that is taken is no change by others")
  func nameTaken() async throws {
    let taken = try await refusal(API(409, "{\"error\":{\"code\":\"nameAlreadyExists\"}}"))
    #expect(taken.code == .conflict && taken.isNameTaken)
    #expect(taken.message == "There is already an item with this name (HTTP 409).")
    for (status, code) in [(409, "resourceModified"), (412, "nameAlreadyExists")] {
      let other = try await refusal(API(status, "{\"error\":{\"code\":\"\(code)\"}}"))
      #expect(!other.isNameTaken && other.message.contains("changed in the meantime"))
    }
  }

  @Test(
    "A body that is no envelope is handled",
    arguments: [
      "", "<html><title>Portal</title></html>", "{}", "[]", "null", "{\"error\":\"text\"}",
      "{\"error\":{\"code\":5,\"message\":{}}}", "{\"error\":{\"innerError\":[]}}",
    ])
  func oddBody(body: String) async throws {
    let error = try await refusal(API(502, body))
    #expect(error.code == .serverUnavailable)
    #expect(error.serverCode == nil && error.serverMessage == nil)
    #expect(!"\(error) \(error.details)".contains("Portal"))
  }

  @Test("A server cannot fill the log")
  func longWords() async throws {
    let words = String(repeating: "w", count: 100_000)
    let error = try await refusal(
      API(400, "{\"error\":{\"code\":\"\(words)\",\"message\":\"\(words)\"}}"))
    #expect(error.serverMessage?.count == 1000)
    #expect(error.serverCode?.count == 100)
  }

  @Test(
    "When there is no response, the error keeps its cause",
    arguments: [
      (.cancelled, .cancelled), (.timedOut, .networkUnavailable),
      (.cannotFindHost, .networkUnavailable), (.connectionLost, .networkUnavailable),
      (.proxyFailure, .networkUnavailable), (.tlsFailure, .tlsFailure),
      (.invalidConfiguration, .invalidConfiguration), (.invalidRequest, .invalidURL),
      (.bodyTooLarge, .invalidResponse), (.invalidResponse, .invalidResponse),
    ] as [(HTTPError.Code, GraphError.Code)])
  func noAnswer(http: HTTPError.Code, code: GraphError.Code) async throws {
    let error = try await refusal(
      API { () throws(HTTPError) in throw HTTPError(http, host: "h", message: "No answer.") })
    #expect(error.code == code)
    #expect(error.clientRequestID == "our-id")
  }
}
