import AuthCore
import CurlHTTP
import FoundationEssentials
import Glibc
import HTTPTypes
import MicrosoftGraph
import Testing

@Suite("Downloads whose connection is lost")
struct GraphDownloadTests {
  /// A server of ten bytes, whose connection is lost after each three.
  private final class Flaky: HTTPTransport {
    static let file = Data("0123456789".utf8)
    let ranges = LockedValue<[String?]>([])
    let codings = LockedValue<[String?]>([])
    let ignoresRange: Bool
    /// Whether it comes a bit further each time, although it ignores the range.
    let advances: Bool
    let eTags: [String]
    /// What it says of the length; nil for the truth.
    let length: String?

    init(
      ignoresRange: Bool = false, advances: Bool = true, eTags: [String] = ["\"1\""],
      length: String? = nil
    ) {
      self.length = length
      self.ignoresRange = ignoresRange
      self.advances = advances
      self.eTags = eTags
    }

    func execute(
      _ request: HTTPRequest, body: Data, limits: HTTPLimits
    ) async throws(HTTPError) -> HTTPReply {
      throw HTTPError(.invalidRequest, host: "", message: "A download is a stream.")
    }

    func stream(
      _ request: HTTPRequest, body: Data, limits: HTTPLimits
    ) async throws(HTTPError) -> HTTPStream {
      codings.withLock { $0.append(request.headerFields[.acceptEncoding]) }
      guard request.authority != "graph.microsoft.com" else {
        return HTTPStream(
          response: HTTPResponse(
            status: .found, headerFields: [.location: "https://files.example/1?ticket=x"]),
          body: HTTPBody(Data()))
      }
      let range = request.headerFields[.range]
      let number = ranges.withLock { ranges in
        ranges.append(range)
        return ranges.count
      }
      let first = range.flatMap { Int($0.dropFirst("bytes=".count).prefix { $0 != "-" }) } ?? 0
      let isPartial = range != nil && !ignoresRange
      let start = isPartial ? first : 0
      let end = min(start + 3 * (ignoresRange && advances ? number : 1), 10)
      var response = HTTPResponse(status: isPartial ? .partialContent : .ok)
      response.headerFields[.eTag] = eTags[min(number, eTags.count) - 1]
      response.headerFields[.contentLength] = length ?? "\(10 - start)"
      if isPartial { response.headerFields[.contentRange] = "bytes \(start)-9/10" }
      let pieces = LockedValue<Data?>(Data(Self.file[start..<end]))
      return HTTPStream(
        response: response,
        body: HTTPBody { () throws(HTTPError) in
          if let piece = pieces.withLock({ $0.take() }) { return piece }
          guard end < 10 else { return nil }
          throw HTTPError(.connectionLost, host: "files.example", message: "Lost.")
        })
    }
  }

  private func download(_ server: Flaky, _ range: Range<Int> = 0..<Int.max) async throws(GraphError)
    -> Data
  {
    let graph = GraphClient(
      tokens: Tokens(), runtime: Runtime(sleep: { _ in }, transport: server))
    var data = Data()
    for try await piece in graph.download("/me/drive/items/1/content", range: range) {
      data += piece
    }
    return data
  }

  @Test("It goes on where it stopped")
  func resumes() async throws {
    let server = Flaky()
    #expect(try await download(server) == Flaky.file)
    #expect(server.ranges.withLock { $0 } == [nil, "bytes=3-", "bytes=6-", "bytes=9-"])
  }

  @Test("A service that ignores the range is no hindrance")
  func ignoredRange() async throws {
    #expect(try await download(Flaky(ignoresRange: true)) == Flaky.file)
    #expect(try await download(Flaky(ignoresRange: true), 4..<7) == Flaky.file[4..<7])
  }

  @Test(
    "A service that sends only what was received before is given up", .timeLimit(.minutes(5)))
  func noProgress() async {
    let server = Flaky(ignoresRange: true, advances: false)
    let error = await #expect(throws: GraphError.self) { try await download(server) }
    #expect(error?.code == .networkUnavailable)
    #expect(server.ranges.withLock { $0.count } == 4)
  }

  @Test("Whatever fails is sent again three times, and no more")
  func repetitions() async {
    let moved = HTTPReply(302, "", [.location: "https://files.example/1?ticket=x"])
    let busy = HTTPReply(503)
    for (replies, count) in [
      ([busy], 4), ([moved, busy, moved, busy, moved, busy, moved, busy], 8),
    ] {
      let api = API(replies)
      let error = await #expect(throws: GraphError.self) {
        for try await _ in GraphClient.of(api).download("/me/drive/items/1/content") {}
      }
      #expect(error?.code == .serverUnavailable)
      #expect(api.requests.count == count)
    }
  }

  @Test("An error from where the content is does not repeat the authorization in that address")
  func repeatedAuthorization() async throws {
    let secret = "ticket-secret-canary"
    let api = API([
      HTTPReply(302, "", [.location: "https://files.example/1?ticket=\(secret)"]),
      HTTPReply(403, "{\"error\": {\"code\": \"accessDenied\", \"message\": \"No \(secret).\"}}"),
    ])
    let error = await #expect(throws: GraphError.self) {
      for try await _ in GraphClient.of(api).download("/me/drive/items/1/content") {}
    }
    #expect(error?.status == 403 && error?.serverCode == "accessDenied")
    #expect(error?.serverMessage == nil && error?.body.isEmpty == true)
  }

  // RFC 9110, section 14: a range is one of the coded bytes.
  @Test("No content coding is asked for, unless the caller does")
  func contentCoding() async throws {
    let server = Flaky()
    _ = try await download(server)
    #expect(Set(server.codings.withLock { $0 }) == ["identity"])
    let other = Flaky()
    let graph = GraphClient(tokens: Tokens(), runtime: Runtime(sleep: { _ in }, transport: other))
    var request: GraphRequest = "/me/drive/items/1/content"
    request.headerFields[.acceptEncoding] = "gzip"
    for try await _ in graph.download(request) {}
    #expect(Set(other.codings.withLock { $0 }) == ["gzip"])
  }

  @Test("Two versions of a file are not mixed")
  func changed() async {
    let error = await #expect(throws: GraphError.self) {
      try await download(Flaky(eTags: ["\"1\"", "\"2\""]))
    }
    #expect(error?.code == .conflict)
  }

  /// Runs `story` with the path of a file in an empty folder.
  private func inFolder(_ story: (String, () throws -> [String]) async throws -> Void) async throws
  {
    let folder = FileManager.default.temporaryDirectory.appending(path: "graph-\(UUID())").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await story(folder + "/file") {
      try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }
  }

  /// Writes the file, without a second try within the same call.
  private func write(_ server: Flaky, to path: String, resuming: Bool = true) async throws {
    var graph = GraphClient(tokens: Tokens(), runtime: Runtime(transport: server))
    graph.retry = .never
    try await graph.download("/me/drive/items/1/content").write(to: path, resuming: resuming)
  }

  @Test("What was received is continued the next time, and the file appears when it is complete")
  func continues() async throws {
    try await inFolder { path, names in
      let server = Flaky()
      for count in 1...3 {
        await #expect(throws: GraphError.self) { try await write(server, to: path) }
        // "1" in base64url, with its quotation marks, by coreutils' basenc.
        #expect(try names() == ["file.IjEi.part"])
        #expect(try Data(contentsOf: URL(filePath: path + ".IjEi.part")).count == 3 * count)
      }
      try await write(server, to: path)
      #expect(try Data(contentsOf: URL(filePath: path)) == Flaky.file)
      #expect(try names() == ["file"])
      #expect(server.ranges.withLock { $0 } == [nil, "bytes=3-", "bytes=6-", "bytes=9-"])
    }
  }

  @Test("The start of another version is not continued, nor one whose version is not known")
  func otherVersion() async throws {
    try await inFolder { path, names in
      try Data("abc".utf8).write(to: URL(filePath: path + ".ImEi.part"))
      try Data("abc".utf8).write(to: URL(filePath: path + ".part"))
      try Data("abc".utf8).write(to: URL(filePath: path + ".Vy8iYSI.part"))
      await #expect(throws: GraphError.self) { try await write(Flaky(), to: path) }
      #expect(try names() == ["file.IjEi.part", "file.Vy8iYSI.part", "file.part"])
      #expect(try Data(contentsOf: URL(filePath: path + ".IjEi.part")) == Data("012".utf8))
    }
  }

  @Test("An empty start, as a power failure leaves it, is not in the way of the next one")
  func emptyStart() async throws {
    try await inFolder { path, names in
      try Data().write(to: URL(filePath: path + ".IjEi.part"))
      try Data().write(to: URL(filePath: path + ".ImEi.part"))
      let server = Flaky()
      await #expect(throws: GraphError.self) { try await write(server, to: path) }
      #expect(try names() == ["file.IjEi.part"])
      #expect(try Data(contentsOf: URL(filePath: path + ".IjEi.part")) == Data("012".utf8))
      await #expect(throws: GraphError.self) { try await write(server, to: path) }
      #expect(server.ranges.withLock { $0 } == [nil, "bytes=3-"])
    }
  }

  @Test("A disk that is full at the first byte leaves nothing behind")
  func fullAtOnce() async throws {
    try await inFolder { path, names in
      await #expect(processExitsWith: .success) { [path = path as String] in
        // A write beyond the limit fails as on a full disk, once its signal is ignored.
        signal(SIGXFSZ, SIG_IGN)
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &none)
        let graph = GraphClient(
          tokens: Tokens(), runtime: Runtime(sleep: { _ in }, transport: Flaky()))
        let error = await #expect(throws: GraphError.self) {
          try await graph.download("/me/drive/items/1/content").write(to: path, resuming: true)
        }
        #expect(error?.code == .fileFailure)
      }
      let left = try names()
      #expect(left.isEmpty)
    }
  }

  @Test("Nothing is left without a wish to continue, or without a strong version")
  func leavesNothing() async throws {
    try await inFolder { path, names in
      await #expect(throws: GraphError.self) {
        try await write(Flaky(), to: path, resuming: false)
      }
      await #expect(throws: GraphError.self) {
        try await write(Flaky(eTags: ["W/\"1\""]), to: path)
      }
      let left = try names()
      #expect(left.isEmpty)
    }
  }

  @Test("A file may have the longest name that there is", arguments: [false, true])
  func longName(resuming: Bool) async throws {
    try await inFolder { path, names in
      // NAME_MAX of <linux/limits.h>.
      let name = String(repeating: "n", count: 255)
      let graph = GraphClient(
        tokens: Tokens(), runtime: Runtime(sleep: { _ in }, transport: Flaky()))
      try await graph.download("/me/drive/items/1/content").write(
        to: String(path.dropLast("file".count)) + name, resuming: resuming)
      #expect(try names() == [name])
    }
  }

  @Test("A length that no file has is not believed", arguments: ["\(Int.min)", "-1", "1e3"])
  func impossibleLength(_ length: String) async throws {
    try await inFolder { path, _ in
      let graph = GraphClient(
        tokens: Tokens(),
        runtime: Runtime(
          sleep: { _ in }, transport: Flaky(ignoresRange: true, length: length)))
      let totals = LockedValue<[Int?]>([])
      try await graph.download("/me/drive/items/1/content", range: 1..<3).write(to: path) { done in
        totals.withLock { $0.append(done.total) }
      }
      #expect(try Data(contentsOf: URL(filePath: path)) == Data("12".utf8))
      #expect(totals.withLock(\.self) == [2])
    }
  }

  @Test("A file that is replaced keeps its permissions", arguments: [0o600, 0o640])
  func permissions(mode: Int) async throws {
    try await inFolder { path, _ in
      try Data("old".utf8).write(to: URL(filePath: path))
      chmod(path, mode_t(mode))
      let graph = GraphClient(
        tokens: Tokens(), runtime: Runtime(sleep: { _ in }, transport: Flaky()))
      try await graph.download("/me/drive/items/1/content").write(to: path)
      #expect(try Data(contentsOf: URL(filePath: path)) == Flaky.file)
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == mode)
    }
  }

  @Test("What a link leads to is written, also the part of it that is continued")
  func link() async throws {
    try await inFolder { path, names in
      symlink("file.target", path)
      let server = Flaky()
      await #expect(throws: GraphError.self) { try await write(server, to: path) }
      #expect(try names() == ["file", "file.target.IjEi.part"])
      #expect(GraphDownload.kept(of: path) == path + ".target.IjEi.part")
      let graph = GraphClient(
        tokens: Tokens(), runtime: Runtime(sleep: { _ in }, transport: server))
      try await graph.download("/me/drive/items/1/content").write(to: path, resuming: true)
      #expect(try names() == ["file", "file.target"])
      #expect(try Data(contentsOf: URL(filePath: path + ".target")) == Flaky.file)
      #expect(server.ranges.withLock { $0[1] } == "bytes=3-")
    }
  }

  @Test("A device is not replaced by a file")
  func device() async {
    let error = await #expect(throws: GraphError.self) {
      try await write(Flaky(), to: "/dev/null")
    }
    #expect(error?.code == .fileFailure)
  }
}
