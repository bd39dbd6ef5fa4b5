import AuthCore
import CurlHTTP
import FoundationEssentials
import HTTPTypes
import MicrosoftGraph
import Testing

@Suite("Bodies of requests to Graph that are not in memory")
struct GraphContentTests {
  private struct SourceFailure: Error, Equatable {}

  private let request = GraphRequest(.put, "/me/drive/root:/a:/content")

  /// Runs `story` with the path of a file that contains "content".
  private func withFile(_ story: (String) async throws -> Void) async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "content-\(UUID())").path
    try Data("content".utf8).write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    try await story(path)
  }

  private func pieces(_ texts: String..., failing error: (any Error)? = nil) -> GraphContent {
    .pieces(
      AsyncThrowingStream<Data, any Error> { continuation in
        for text in texts { continuation.yield(Data(text.utf8)) }
        continuation.finish(throwing: error)
      }, contentType: "text/plain")
  }

  @Test("A file is the body, in place of that of the request")
  func file() async throws {
    try await withFile { path in
      let api = API([HTTPReply(201)])
      var request = request
      request.body = try .json(["name": "a"])
      let response = try await GraphClient.of(api).send(request, content: .file(path))
      #expect(response.status == 201)
      #expect(api.bodies == [Data("content".utf8)])
      #expect(api.requests[0].headerFields[.contentType] == "application/octet-stream")
    }
  }

  @Test(
    "A file is sent again from its beginning: with another token, after a pause, and after a loss",
    arguments: [
      Result<HTTPReply, HTTPError>.success(HTTPReply(401)),
      .success(HTTPReply(429, "{}", [.retryAfter: "1"])), .success(HTTPReply(503)), .lost,
    ])
  func again(first: Result<HTTPReply, HTTPError>) async throws {
    try await withFile { path in
      let api = API(results: [first, .success(HTTPReply(200))])
      _ = try await GraphClient.of(api).send(request, content: .file(path))
      #expect(api.bodies == [Data("content".utf8), Data("content".utf8)])
    }
  }

  @Test("Pieces are joined, with their media type")
  func joined() async throws {
    let api = API([HTTPReply(200)])
    _ = try await GraphClient.of(api).send(request, content: pieces("one ", "", "two"))
    #expect(api.bodies == [Data("one two".utf8)])
    #expect(api.requests[0].headerFields[.contentType] == "text/plain")
  }

  @Test(
    "Pieces are sent once: the error stays what the service said, and tells why",
    arguments: [
      (401, GraphError.Code.unauthorized, nil), (429, .throttled, Duration.seconds(7)),
      (503, .serverUnavailable, .seconds(7)),
    ] as [(Int, GraphError.Code, Duration?)])
  func once(status: Int, code: GraphError.Code, pause: Duration?) async throws {
    let fields: HTTPFields = pause == nil ? [:] : [.retryAfter: "7"]
    let api = API([HTTPReply(status, "{}", fields), HTTPReply(200)])
    let sleeps = Sleeps()
    let error = await #expect(throws: GraphError.self) {
      try await GraphClient.of(api, sleeps: sleeps).send(request, content: pieces("a"))
    }
    #expect(error?.code == code && error?.status == status && error?.retryAfter == pause)
    #expect(error?.message.contains("because its body can be read only once") == true)
    #expect(api.requests.count == 1 && sleeps.all.isEmpty)
  }

  @Test("What is not sent again anyway says nothing of it")
  func hopeless() async throws {
    let api = API([HTTPReply(404), HTTPReply(200)])
    let error = await #expect(throws: GraphError.self) {
      try await GraphClient.of(api).send(request, content: pieces("a"))
    }
    #expect(error?.code == .notFound && error?.message.contains("only once") == false)
  }

  @Test("Pieces that were sent are refused before anything is requested")
  func twice() async throws {
    let api = API([HTTPReply(200)])
    let content = pieces("a")
    _ = try await GraphClient.of(api).send(request, content: content)
    let error = await #expect(throws: GraphError.self) {
      try await GraphClient.of(api).send(request, content: content)
    }
    #expect(error?.code == .invalidRequest && api.requests.count == 1)
  }

  @Test("An error of the pieces is the cause, and nothing is sent again")
  func sourceFails() async throws {
    let api = API([HTTPReply(200)])
    let error = await #expect(throws: GraphError.self) {
      try await GraphClient.of(api).send(
        request, content: pieces("a", failing: SourceFailure()))
    }
    #expect(error?.code == .invalidRequest && error?.cause is SourceFailure)
    #expect(api.requests.isEmpty)
  }

  @Test("A file that is not there is an error with its path")
  func missing() async throws {
    let api = API([HTTPReply(200)])
    let error = await #expect(throws: GraphError.self) {
      try await GraphClient.of(api).send(request, content: .file("/nowhere/a"))
    }
    #expect(error?.code == .fileFailure && error?.message.contains("/nowhere/a") == true)
    #expect(api.requests.isEmpty)
  }

  @Test("An HTTP client that needs the whole gets no more than there is room for")
  func tooLarge() async throws {
    let api = API([HTTPReply(200)])
    let content = GraphContent.pieces(
      AsyncStream<Data> { $0.finish() }, size: 300 << 20)
    let error = await #expect(throws: GraphError.self) {
      try await GraphClient.of(api).send(request, content: content)
    }
    #expect(error?.message.contains("too large to be kept in memory") == true)
    #expect(api.requests.isEmpty)
  }

  /// A transport that reads a body as it is sent, and keeps nothing of it.
  private struct Sink: StreamingTransport {
    let sizes = LockedValue<[Int?]>([])

    func execute(
      _ request: HTTPRequest, body: Data, limits: HTTPLimits
    ) async throws(HTTPError) -> HTTPReply {
      HTTPReply(500)
    }

    func execute(
      _ request: HTTPRequest, body: RequestBody, limits: HTTPLimits
    ) async throws(HTTPError) -> HTTPReply {
      sizes.withLock { $0.append(body.count) }
      return HTTPReply(201)
    }
  }

  @Test("A recording passes the body on as it is, and keeps its size")
  func recorded() async throws {
    try await withFile { path in
      let recording = path + ".har"
      defer { try? FileManager.default.removeItem(atPath: recording) }
      let sink = Sink()
      let cassette = try Cassette(recordingTo: recording, over: sink)
      let graph = GraphClient(tokens: Tokens(), runtime: Runtime(transport: cassette))
      _ = try await graph.send(request, content: .file(path))
      // A body without a known size has none there.
      _ = try await graph.send(request, content: pieces("a"))
      try cassette.save()
      let sizes = sink.sizes.withLock { $0 }
      #expect(sizes == [7, nil])
      let json = try JSON(parsing: Data(contentsOf: URL(filePath: recording)))
      let requests = json["log"]?["entries"]?.array?.compactMap { $0["request"] } ?? []
      #expect(requests.map { $0["bodySize"]?.integer } == [7, -1])
      #expect(requests.allSatisfy { $0["postData"]?["text"]?.string ?? "" == "" })
      let replay = try Cassette(replaying: recording)
      let other = GraphClient(tokens: Tokens(), runtime: Runtime(transport: replay))
      #expect(try await other.send(request, content: .file(path)).status == 201)
    }
  }
}
