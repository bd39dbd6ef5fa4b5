import AuthCore
import CurlHTTP
import FoundationEssentials
import HTTPTypes
import MicrosoftGraph
import Testing

@Suite("Requests to Microsoft Graph")
struct GraphRequestTests {
  /// The path that is requested.
  private func sent(_ request: GraphRequest) async throws -> String? {
    let api = API([HTTPReply(200)])
    _ = try await GraphClient.of(api).send(request)
    return api.requests.first?.path
  }

  @Test("A value in a path is encoded once, and cannot leave its place")
  func values() async throws {
    // The encoded forms are Python's urllib.parse.quote(value, safe="").
    for (value, encoded) in [
      ("a b", "a%20b"), ("a/b?c#d", "a%2Fb%3Fc%23d"), ("50%", "50%25"),
      ("a+b&c=d", "a%2Bb%26c%3Dd"),
      ("Zoë", "Zo%C3%AB"), ("a%20b", "a%2520b"),
    ] {
      #expect(
        try await sent(GraphRequest(.get, "/users/\(value)/manager"))
          == "/v1.0/users/\(encoded)/manager")
    }
  }

  @Test("A quotation mark of a value is doubled between quotation marks, and only there")
  func quotation() async throws {
    let name = "O'Neil"
    #expect(
      try await sent(GraphRequest(.get, "/users?$filter=surname eq '\(name)'"))
        == "/v1.0/users?$filter=surname%20eq%20'O%27%27Neil'")
    #expect(
      try await sent(GraphRequest(.get, "/users/\(name)")) == "/v1.0/users/O%27Neil")
    #expect(
      try await sent(GraphRequest(.get, "/users", .filter("surname eq '\(name)'")))
        == "/v1.0/users?$filter=surname%20eq%20%27O%27%27Neil%27")
  }

  @Test("A value that would make it another resource is not sent", arguments: ["", ".", ".."])
  func otherResource(id: String) async throws {
    let api = API([HTTPReply(200)])
    for path in [
      "/users/\(id)", "/users/\(id)/manager", "/users/\(id)?$top=1", "/users/\(id)\("")",
      "/me/drive/root:/\(id):/content", "/me/drive/items/\(id):/a",
    ] as [GraphPath] {
      let error = await #expect(throws: GraphError.self) {
        try await GraphClient.of(api).send(GraphRequest(.delete, path))
      }
      #expect(error?.code == .invalidURL, "\(path)")
    }
    #expect(api.requests.isEmpty)
  }

  @Test("The points of two values are one segment, and a key without a value is all resources")
  func composedResource() async throws {
    let api = API([HTTPReply(200)])
    let (point, none) = (".", "")
    for path in [
      "/users/\(point)\(point)", "/users/%2e\(point)", "/users(\(none))", "/f(a=\(none),b=1)",
    ] as [GraphPath] {
      await #expect(throws: GraphError.self) {
        try await GraphClient.of(api).send(GraphRequest(.get, path))
      }
    }
    #expect(api.requests.isEmpty)
  }

  @Test("A value that is a part of a segment may be empty, or a point")
  func partOfSegment() async throws {
    let (none, point) = ("", ".")
    #expect(try await sent("/drive/root:/Report\(none).pdf") == "/v1.0/drive/root:/Report.pdf")
    #expect(
      try await sent("/drive/root:/\(none)Report\(point)pdf:/content")
        == "/v1.0/drive/root:/Report.pdf:/content")
    #expect(try await sent("/users('\(none)')") == "/v1.0/users('')")
    #expect(try await sent("/users?$search=\(none)") == "/v1.0/users?$search=")
  }

  // OData 4.01, ABNF Construction Rules: dateTimeOffsetValue, such as 2012-12-03T07:16:23Z.
  @Test("A time is one of OData, in paths and in filters")
  func times() async throws {
    let time = Date(timeIntervalSince1970: 1_354_518_983)
    #expect(
      try await sent(GraphRequest(.get, "/me/messages", .filter("receivedDateTime ge \(time)")))
        == "/v1.0/me/messages?$filter=receivedDateTime%20ge%202012-12-03T07%3A16%3A23Z")
    #expect(
      try await sent("/me/calendarView?startDateTime=\(time)")
        == "/v1.0/me/calendarView?startDateTime=2012-12-03T07%3A16%3A23Z")
    #expect(
      try await sent("/reports/f(at=\(time))") == "/v1.0/reports/f(at=2012-12-03T07%3A16%3A23Z)")
  }

  @Test("A path that is only known at run time is taken as if it were written")
  func text() async throws {
    let texts = ["/me/messages?$filter=subject eq 'a'", "beta/users/a%20b", "/users/{id}", "/a/.."]
    let written: [GraphPath] = [
      "/me/messages?$filter=subject eq 'a'", "beta/users/a%20b", "/users/{id}", "/a/..",
    ]
    #expect(texts.map { GraphPath($0) } == written)
    let url = "https://graph.microsoft.com/v1.0/me?$top=1"
    #expect(try await sent(GraphRequest(.get, GraphPath(url))) == "/v1.0/me?$top=1")
  }

  @Test("A request with more header fields than any service takes is not sent")
  func manyFields() async throws {
    let api = API([HTTPReply(200)])
    var request = GraphRequest(.get, "/me")
    for index in 0...1000 {
      request.headerFields.append(HTTPField(name: try #require(.init("X-\(index)")), value: ""))
    }
    let error = await #expect(throws: GraphError.self) {
      try await GraphClient.of(api).send(request)
    }
    #expect(error?.code == .invalidRequest)
    #expect(api.requests.isEmpty)
  }

  @Test("Query options keep their dollar sign, and follow those of the path")
  func query() async throws {
    #expect(
      try await sent(
        GraphRequest(
          .get, "/me/messages?$orderby=subject", .select("id", "subject"), .top(5), .skip(10),
          .search("\"a & b\""), .expand("attachments"),
          GraphQueryOption("startDateTime", "2026-01-01T00:00:00+01:00")))
        == "/v1.0/me/messages?$orderby=subject&$select=id%2Csubject&$top=5&$skip=10"
        + "&$search=%22a%20%26%20b%22&$expand=attachments"
        + "&startDateTime=2026-01-01T00%3A00%3A00%2B01%3A00")
  }

  @Test("A path is relative to the version, and may name another")
  func version() async throws {
    #expect(try await sent(GraphRequest(.get, "/me")) == "/v1.0/me")
    #expect(try await sent(GraphRequest(.get, "me")) == "/v1.0/me")
    #expect(try await sent(GraphRequest(.get, "/beta/me")) == "/beta/me")
    #expect(
      try await sent(GraphRequest(.get, "https://graph.microsoft.com:443/v1.0/me?$top=1"))
        == "/v1.0/me?$top=1")
  }

  @Test("A whole URL must be on the client's host")
  func otherHost() async throws {
    let api = API([HTTPReply(200)])
    for url in [
      "https://evil.example/v1.0/me", "HTTPS://evil.example/",
      "https://graph.microsoft.com@evil.example/",
    ] {
      let error = await #expect(throws: GraphError.self) {
        try await GraphClient.of(api).send(GraphRequest(.get, GraphPath(url: url)))
      }
      #expect(error?.code == .invalidURL)
    }
    #expect(api.requests.isEmpty)
  }

  @Test("An advanced query has its header field and its count")
  func advancedQuery() async throws {
    let api = API([HTTPReply(200)])
    _ = try await GraphClient.of(api).send(
      GraphRequest(.get, "/users", .filter("endsWith(mail,'a@hotmail.com')")).advancedQuery)
    let request = try #require(api.requests.first)
    let name = try #require(HTTPField.Name("ConsistencyLevel"))
    #expect(request.headerFields[name] == "eventual")
    #expect(request.path?.hasSuffix("&$count=true") == true)
  }

  @Test(
    "An advanced query has its count once, wherever and whatever was written",
    arguments: [
      GraphRequest(.get, "/users?$count=true"), GraphRequest(.get, "/users", .count),
      GraphRequest(.get, "/users?%24count=true"), GraphRequest(.get, "/users").advancedQuery,
      GraphRequest(.get, "/users?$count=false"), GraphRequest(.get, "/users?$count="),
      GraphRequest(.get, "/users", GraphQueryOption("$Count", "false")),
      GraphRequest(.get, "/users?$count", GraphQueryOption("$count", "")),
    ])
  func countOnce(request: GraphRequest) async throws {
    #expect(try await sent(request.advancedQuery) == "/v1.0/users?$count=true")
  }

  @Test("An advanced query keeps the other options of its path")
  func otherOptions() async throws {
    let request = GraphRequest(.get, "/users?$top=5&$count=false&$filter=surname eq 'A'")
    #expect(
      try await sent(request.advancedQuery)
        == "/v1.0/users?$top=5&$filter=surname%20eq%20'A'&$count=true")
  }

  @Test("Preferences and conditions are header fields")
  func fields() async throws {
    let api = API([HTTPReply(200)])
    _ = try await GraphClient.of(api).send(
      GraphRequest(.patch, "/planner/tasks/1", body: .json(JSON.object([])))
        .prefer(.returnMinimal, .maxPageSize(50), .immutableIDs, .outlookTimeZone("UTC"))
        .ifMatch("W/\"1\""))
    let fields = try #require(api.requests.first).headerFields
    let prefer = try #require(HTTPField.Name("Prefer"))
    #expect(
      fields[values: prefer] == [
        "return=minimal", "odata.maxpagesize=50", "IdType=\"ImmutableId\"",
        "outlook.timezone=\"UTC\"",
      ])
    #expect(fields[.ifMatch] == "W/\"1\"")
    #expect(fields[.contentType] == "application/json")
  }

  @Test("A body is JSON, a value, bytes or a file, with its media type")
  func bodies() async throws {
    struct Message: Codable { var subject: String }
    let path = FileManager.default.temporaryDirectory.appending(path: "graph-body-\(UUID())").path
    try Data("file".utf8).write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let bodies: [(GraphBody, String, String)] = [
      (.json(.object([.init("a", .number("1.0"))])), "{\"a\":1.0}", "application/json"),
      (
        .json(["b": [true, "x", -1, .null], "a": [:]] as JSON),
        "{\"b\":[true,\"x\",-1,null],\"a\":{}}", "application/json"
      ),
      (try .json(Message(subject: "Hi")), "{\"subject\":\"Hi\"}", "application/json"),
      (GraphBody(Data("raw".utf8), contentType: "text/plain"), "raw", "text/plain"),
      (try .file(path), "file", "application/octet-stream"),
    ]
    for (body, text, type) in bodies {
      let api = API([HTTPReply(201)])
      _ = try await GraphClient.of(api).send(GraphRequest(.post, "/me/messages", body: body))
      #expect(api.bodies == [Data(text.utf8)])
      #expect(api.requests.first?.headerFields[.contentType] == type)
    }
    let error = #expect(throws: GraphError.self) { try GraphBody.file(path + "-missing") }
    #expect(error?.code == .fileFailure)
  }

  @Test("A response that is not JSON is an error that names no service: it may be any API's")
  func notJSON() {
    let response = GraphResponse(status: 200, body: Data("<html>".utf8))
    let error = #expect(throws: GraphError.self) { try response.json() }
    #expect(error?.code == .invalidResponse)
    #expect(error?.message.contains("Microsoft") == false)
  }

  @Test("A response has its header fields, its version and the server's request ID")
  func response() async throws {
    let requestID = try #require(HTTPField.Name("request-id"))
    let api = API([
      HTTPReply(
        201, "{\"@odata.etag\":\"W/\\\"2\\\"\"}",
        [.location: "https://graph.microsoft.com/v1.0/me/messages/1", requestID: "server-id"])
    ])
    let response = try await GraphClient.of(api).get("/me/messages")
    #expect(response.eTag == "W/\"2\"")
    #expect(response.location == "https://graph.microsoft.com/v1.0/me/messages/1")
    #expect(response.requestID == "server-id")
  }

  @Test("A value is decoded, with dates of any precision")
  func decoding() async throws {
    struct Event: Decodable, Equatable {
      var id: Int64
      var at: Date
    }
    for (text, seconds) in [
      ("2026-01-31T09:00:00Z", 0.0), ("2026-01-31T09:00:00.5000000Z", 0.5),
      ("2026-01-31T09:00:00.0000000", 0), ("2026-01-31T10:00:00.25+01:00", 0.25),
    ] {
      let api = API([HTTPReply(200, "{\"id\":9007199254740993,\"at\":\"\(text)\"}")])
      let event = try await GraphClient.of(api).get("/me/events/1", as: Event.self)
      #expect(event.id == 9_007_199_254_740_993)
      // GNU date: date -d 2026-01-31T09:00:00Z +%s
      #expect(event.at.timeIntervalSince1970 == 1_769_850_000 + seconds)
    }
  }

  @Test("What is not the value that was asked for is an error that keeps cause and body")
  func wrongValue() async throws {
    let api = API([HTTPReply(200, "{\"id\":true}")])
    struct Item: Decodable { var id: String }
    let error = await #expect(throws: GraphError.self) {
      try await GraphClient.of(api).get("/me", as: Item.self)
    }
    #expect(error?.code == .invalidResponse)
    #expect(error?.cause is DecodingError)
    #expect(error?.body == Data("{\"id\":true}".utf8))
  }

  @Test("An error keeps its cause, its header fields and the start of its body")
  func errors() async throws {
    let body = "{\"error\":{\"code\":\"c\"}}" + String(repeating: " ", count: 100_000)
    let api = API([HTTPReply(302, body, [.location: "https://files.example/1"])])
    let error = await #expect(throws: GraphError.self) { try await GraphClient.of(api).get("/x") }
    #expect(error?.headerFields[.location] == "https://files.example/1")
    #expect(error?.body.count == 65536)
    let lost = API { () throws(HTTPError) in
      throw HTTPError(.bodyTooLarge, host: "h", message: "Too large.")
    }
    let failure = await #expect(throws: GraphError.self) {
      try await GraphClient.of(lost).get("/x")
    }
    #expect((failure?.cause as? HTTPError)?.code == .bodyTooLarge)
    #expect(failure?.code == .invalidResponse)
  }

  @Test("A response that is too large is refused with the limit, and with what to do")
  func tooLarge() async throws {
    let api = API { () throws(HTTPError) in
      throw HTTPError(.bodyTooLarge, host: "h", message: "Too large.")
    }
    func message(_ change: (inout GraphClient) -> Void) async -> String? {
      var client = GraphClient.of(api)
      change(&client)
      return await #expect(throws: GraphError.self) { try await client.get("/x") }?.message
    }
    #expect(
      await message { _ in }
        == "The response from Microsoft Graph is too large: it is larger than 32 MB."
        + " Ask for less, for example with $select or $top.")
    #expect(
      await message {
        $0.version = nil
        $0.limits.bodySize = 64 << 10
      } == "The response from Microsoft Graph is too large: it is larger than 64 kB. Ask for less.")
  }
}
