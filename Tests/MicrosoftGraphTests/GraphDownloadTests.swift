import AuthCore
import CurlHTTP
import FoundationEssentials
import HTTPTypes
import MicrosoftGraph
import Testing

@Suite("Downloads whose connection is lost")
struct GraphDownloadTests {
  /// A server of ten bytes, whose connection is lost after each three.
  private final class Flaky: HTTPTransport {
    static let file = Data("0123456789".utf8)
    let ranges = LockedValue<[String?]>([])
    let ignoresRange: Bool
    let eTags: [String]

    init(ignoresRange: Bool = false, eTags: [String] = ["\"1\""]) {
      self.ignoresRange = ignoresRange
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
      // Without the range, it comes a bit further each time.
      let end = min(start + 3 * (ignoresRange ? number : 1), 10)
      var response = HTTPResponse(status: isPartial ? .partialContent : .ok)
      response.headerFields[.eTag] = eTags[min(number, eTags.count) - 1]
      response.headerFields[.contentLength] = "\(10 - start)"
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

  @Test("Two versions of a file are not mixed")
  func changed() async {
    let error = await #expect(throws: GraphError.self) {
      try await download(Flaky(eTags: ["\"1\"", "\"2\""]))
    }
    #expect(error?.code == .conflict)
  }
}
