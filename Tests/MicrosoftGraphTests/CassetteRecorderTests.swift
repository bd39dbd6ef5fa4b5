import AuthCore
import CurlHTTP
import FoundationEssentials
import HTTPTypes
import MicrosoftGraph
import Testing

@Suite("How a recording is kept and replayed")
struct CassetteRecorderTests {
  private func newPath() -> String {
    FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString).har"
  }

  @Test("The main actor is free while an answer is recorded and replayed")
  @MainActor
  func otherThread() async throws {
    let path = newPath()
    defer { try? FileManager.default.removeItem(atPath: path) }
    let request = HTTPRequest(url: "https://graph.microsoft.com/v1.0/users")
    let events = LockedValue<[String]>([])
    let note = { @Sendable (event: String) in events.withLock { $0.append(event) } }
    let cassette = try Cassette(
      recordingTo: path,
      over: API { () throws(HTTPError) in
        // The main actor does this before it goes on with the answer, but only if it is left.
        Task { @MainActor in note("other work") }
        return HTTPReply(200, "{\"value\":[]}")
      })
    _ = try await cassette.execute(request)
    note("recorded")
    try cassette.save()
    let replay = try Cassette(replaying: path)
    Task { @MainActor in note("other work") }
    _ = try await replay.execute(request)
    note("replayed")
    #expect(events.withLock(\.self) == ["other work", "recorded", "other work", "replayed"])
  }

  @Test("Bodies beyond the limit are left out, with their sizes, and smaller ones are kept")
  func limit() async throws {
    let path = newPath()
    defer { try? FileManager.default.removeItem(atPath: path) }
    let large = "{\"a\": \"" + String(repeating: "x", count: 200) + "\"}"
    let replies = [large, large, "{}", large].map { HTTPReply(200, $0) }
    let cassette = Cassette(replacing: path, over: API(replies), bodies: 300)
    for _ in replies {
      _ = try await cassette.execute(HTTPRequest(url: "https://graph.microsoft.com/v1.0/me"))
    }
    try cassette.save()
    #expect(try contents(path).map { $0["text"] != nil } == [true, false, true, false])
    #expect(try contents(path).map { $0["size"]?.integer } == replies.map(\.body.count))
  }

  @Test("What a report is about is not taken for a similar request that was sent before it")
  func similarRequests() throws {
    let path = newPath()
    defer { try? FileManager.default.removeItem(atPath: path) }
    let entries = [("56.900", 1), ("57.900", 2)].map { seconds, number in
      """
      {"startedDateTime":"2026-11-23T20:25:\(seconds)Z","time":100,"request":{"method":"GET",\
      "url":"https://graph.microsoft.com/v1.0/users/name-0000\(number)@stand-in.example"},\
      "response":{"status":200,"content":{}}}
      """
    }
    try Data("{\"log\":{\"entries\":[\(entries.joined(separator: ","))]}}".utf8)
      .write(to: URL(filePath: path))
    // It waited for its turn for most of a second, and the other one had been sent just before.
    let exchange = Cassette.Exchange(
      HTTPRequest(url: "https://graph.microsoft.com/v1.0/users/grace@fabrikam.example"),
      body: Data(), HTTPReply(200), start: Date(timeIntervalSince1970: 1_795_465_557),
      duration: .seconds(1))
    let found = try Cassette.redacted(path, with: exchange, isReplayed: false)
    #expect(found.entry["request"]?["url"]?.string?.contains("name-00002") == true)
  }

  /// The addresses of a file with requests for `users`, and that of a request for `user`, as they are
  /// in a report.
  private func addresses(
    of users: [String], and user: String, isReplayed: Bool
  ) throws -> (recorded: [String?], reported: String?) {
    let path = newPath()
    defer { try? FileManager.default.removeItem(atPath: path) }
    let graph = "https://graph.microsoft.com/v1.0/users"
    let entries = users.map {
      """
      {"startedDateTime":"2026-11-23T20:25:56.900Z","time":100,"request":{"method":"GET",\
      "url":"\(graph)/\($0)"},"response":{"status":200,"content":{}}}
      """
    }
    try Data("{\"log\":{\"entries\":[\(entries.joined(separator: ","))]}}".utf8)
      .write(to: URL(filePath: path))
    let exchange = Cassette.Exchange(
      HTTPRequest(url: "\(graph)/\(user)"), body: Data(), HTTPReply(200),
      start: Date(timeIntervalSince1970: 1_800_000_000), duration: .seconds(1))
    let found = try Cassette.redacted(path, with: exchange, isReplayed: isReplayed)
    func name(_ entry: JSON) -> String? {
      (entry["request"]?["url"]?.string).map { String($0.dropFirst(graph.utf8.count + 1)) }
    }
    let list = found.recording["log"]?["entries"]?.array ?? []
    return (list.map(name), name(found.entry))
  }

  @Test("A stand-in that was sent is another one's than the same stand-in in a recording")
  func otherRecording() throws {
    let found = try addresses(
      of: ["id-00001", "id-00002"], and: "id-00001/manager", isReplayed: false)
    #expect(found.recorded == ["id-00001", "id-00002"])
    #expect(found.reported == "id-00003/manager")
    // A recording that has answered has the same one's.
    let replayed = try addresses(
      of: ["id-00001", "id-00002"], and: "id-00001", isReplayed: true)
    #expect(replayed.recorded == found.recorded && replayed.reported == "id-00001")
  }

  @Test("The stand-ins of a recording that was changed by hand are not those of what was put in")
  func changedRecording() throws {
    let found = try addresses(
      of: ["ada@fabrikam.example", "id-00001"], and: "id-00001", isReplayed: true)
    #expect(found.recorded == ["id-00001", "id-00002"])
    #expect(found.reported == "id-00002")
  }

  private func contents(_ path: String) throws -> [JSON] {
    let file = try #require(FileManager.default.contents(atPath: path))
    let entries = try JSON(parsing: file)["log"]?["entries"]?.array ?? []
    return entries.compactMap { $0["response"]?["content"] }
  }

  /// Answers with an error in pieces, and then with a whole body.
  private struct Pieces: HTTPTransport {
    let pieces: [String]
    let whole: String

    func stream(
      _ request: HTTPRequest, body: Data, limits: HTTPLimits
    ) async throws(HTTPError) -> HTTPStream {
      let rest = LockedValue(pieces[...])
      return HTTPStream(
        response: HTTPReply(404).response,
        body: HTTPBody { () async throws(HTTPError) in
          let piece = rest.withLock { $0.popFirst() }
          return piece.map { Data($0.utf8) }
        })
    }

    func execute(
      _ request: HTTPRequest, body: Data, limits: HTTPLimits
    ) async throws(HTTPError) -> HTTPReply {
      HTTPReply(200, whole)
    }
  }

  @Test(
    "An error that comes in pieces is kept or left out as a whole",
    arguments: [
      // A body of 90 bytes comes after it: there is room for both, for the first and for the second.
      ([30, 30, 30], 200, [true, true]), ([30, 30, 30], 100, [true, false]),
      ([60, 60, 30], 100, [false, true]),
    ])
  func pieces(sizes: [Int], limit: Int, areKept: [Bool]) async throws {
    let path = newPath()
    defer { try? FileManager.default.removeItem(atPath: path) }
    func letters(_ count: Int) -> String { String(repeating: "x", count: count) }
    // There are seven characters before the letters, and two behind them.
    let pieces = [
      "{\"a\": \"" + letters(sizes[0] - 7), letters(sizes[1]), letters(sizes[2] - 2) + "\"}",
    ]
    let whole = "{\"a\": \"" + letters(81) + "\"}"
    let cassette = Cassette(
      replacing: path, over: Pieces(pieces: pieces, whole: whole), bodies: limit)
    let request = HTTPRequest(url: "https://graph.microsoft.com/v1.0/me")
    var body = try await cassette.stream(request, body: Data(), limits: HTTPLimits()).body
    while try await body.next() != nil {}
    _ = try await cassette.execute(request)
    try cassette.save()
    #expect(try contents(path).map { $0["text"] != nil } == areKept)
    #expect(try contents(path).map { $0["size"]?.integer } == [sizes.reduce(0, +), 90])
  }

  @Test("What is known from a body that is left out is replaced in one that is kept")
  func knownFromLeftOut() async throws {
    let path = newPath()
    defer { try? FileManager.default.removeItem(atPath: path) }
    let user =
      "{\"displayName\": \"Adele Vance\", \"city\": \"\(String(repeating: "x", count: 200))\"}"
    let error = "{\"error\": {\"code\": \"X\", \"message\": \"Adele Vance has no mailbox\"}}"
    let cassette = Cassette(
      replacing: path, over: API([HTTPReply(200, user), HTTPReply(404, error)]), bodies: 100)
    for _ in 0..<2 {
      _ = try await cassette.execute(HTTPRequest(url: "https://graph.microsoft.com/v1.0/me"))
    }
    try cassette.save()
    let texts = try contents(path).map { $0["text"]?.string }
    #expect(texts[0] == nil)
    let text = try #require(texts[1])
    #expect(text.contains("has no mailbox") && !text.contains("Adele"))
  }

  // HAR 1.2, "content": the text of what is no text is encoded.
  @Test("A body in base64, as browsers write it, is replayed as it was")
  func base64() async throws {
    let path = newPath()
    defer { try? FileManager.default.removeItem(atPath: path) }
    let url = "https://graph.microsoft.com/v1.0/me/photo/$value"
    // RFC 4648, section 10, and the signature of PNG.
    for (text, encoding, expected) in [
      ("Zm9vYmFy", "base64", Data("foobar".utf8)), ("Zm9vYmFy", "", Data("Zm9vYmFy".utf8)),
      ("iVBORw0KGgo=", "base64", Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])),
      ("no base64", "base64", Data("no base64".utf8)),
    ] {
      let file = """
        {"log":{"entries":[{"request":{"method":"GET","url":"\(url)"},"response":{"status":200,\
        "content":{"text":"\(text)","encoding":"\(encoding)"}}}]}}
        """
      try Data(file.utf8).write(to: URL(filePath: path))
      let reply = try await Cassette(replaying: path).execute(HTTPRequest(url: url))
      #expect(reply.body == expected)
    }
  }
}
