import AuthCore
import CurlHTTP
public import FoundationEssentials
import HTTPTypes
import Sentences

/// How much of a file was transferred.
public struct GraphProgress: Sendable, Equatable {
  /// The bytes so far.
  public let completed: Int
  /// The size of the whole; nil when the service does not say.
  public let total: Int?
}

/// The content of a file, piece by piece.
///
/// It takes little memory, whatever its size. When the connection is lost, it goes on where it
/// stopped. Graph leads to a URL on another host, which gets no token.
public struct GraphDownload: AsyncSequence, Sendable {
  let client: GraphClient
  let request: GraphRequest
  let range: Range<Int>

  /// Receives the pieces.
  public struct Iterator: AsyncIteratorProtocol {
    let client: GraphClient
    let request: GraphRequest
    var state: DownloadState
    private var body: HTTPBody?
    private var failures = 0

    init(_ download: GraphDownload, from partial: PartialFile? = nil) {
      client = download.client
      request = download.request
      state = DownloadState(
        range: download.range, position: partial?.size ?? download.range.lowerBound,
        eTag: partial?.eTag)
    }

    /// The next piece; nil at the end.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(GraphError) -> Data? {
      while !state.isComplete {
        // What fails here was sent again already.
        let head = body == nil ? try await client.head(of: request) : nil
        do throws(GraphError) {
          if let head { try await begin(head) }
          if let piece = try await receive() { return piece }
        } catch {
          body = nil
          let pause = client.retry.pause(
            after: error, of: request, count: failures, random: client.random)
          guard let pause else { throw error }
          failures += 1
          try await client.wait(pause, after: error)
        }
      }
      return nil
    }

    /// Begins with the content that a response has or leads to.
    private mutating func begin(_ head: HTTPStream) async throws(GraphError) {
      let stream = try await client.content(
        of: head, fields: state.fields, acceptEncoding: request.acceptEncoding)
      try state.begin(stream.response)
      body = stream.body
    }

    /// Receives a piece; nil when it has nothing new, or at the end.
    private mutating func receive() async throws(GraphError) -> Data? {
      do throws(HTTPError) {
        guard let piece = try await body?.next() else {
          guard state.end() else {
            throw HTTPError(.connectionLost, host: "", Sentence("The connection was lost."))
          }
          return nil
        }
        let wanted = state.receive(piece)
        // What only comes again is no progress, and could come forever.
        if wanted?.isEmpty == false { failures = 0 }
        return wanted
      } catch {
        throw GraphError(error)
      }
    }
  }

  /// Asks for the content.
  public func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// Writes the content to a file, which appears when it is complete.
  ///
  /// - Parameters:
  ///   - path: the file; one that exists is replaced, and its permissions stay. So does a symbolic
  ///     link, which leads to the file.
  ///   - resuming: whether what was received is kept when this ends early, in a file beside it, and
  ///     continued the next time, if the service still has the same version. That needs a strong
  ///     ETag, and a download of the whole.
  ///   - progress: is called after each piece.
  /// - Throws: ``GraphError``; with code ``GraphError/Code/fileFailure`` when the disk is full or
  ///   the file cannot be written.
  public func write(
    to path: String, resuming: Bool = false, progress: (GraphProgress) -> Void = { _ in }
  ) async throws(GraphError) {
    let path = SymbolicLink.target(of: path)
    let keeps = resuming && range == 0..<Int.max
    if keeps, let partial = PartialFile(of: path) {
      do throws(GraphError) {
        return try await write(to: partial.file, from: partial, keeps: true, progress: progress)
      } catch {
        // It is another version now, or was complete.
        guard error.code == .conflict || error.status == 416 else { throw error }
        partial.file.discard()
      }
    }
    try await write(to: DownloadFile(path), from: nil, keeps: keeps, progress: progress)
  }

  private func write(
    to file: DownloadFile, from partial: PartialFile?, keeps: Bool,
    progress: (GraphProgress) -> Void
  ) async throws(GraphError) {
    var pieces = Iterator(self, from: partial)
    while let piece = try await pieces.next() {
      try file.write(piece)
      // Not before: on a full disk, nothing is there to be continued.
      if keeps { file.keep(eTag: pieces.state.eTag) }
      progress(pieces.state.progress)
    }
    try file.finish()
  }

  /// The file in which ``write(to:resuming:progress:)`` has kept what it received of the file at `path`;
  /// nil when there is none, or another program is writing it.
  package static func kept(of path: String) -> String? {
    let path = SymbolicLink.target(of: path)
    return PartialFile(of: path).map { PartialFile.path(of: path, eTag: $0.eTag) }
  }

  /// Removes what ``write(to:resuming:progress:)`` has kept of the file at `path`, unless another
  /// program is writing it.
  package static func discardKept(of path: String) {
    let path = SymbolicLink.target(of: path)
    // One for each version; a folder that cannot be changed ends it, too.
    for _ in 0..<16 {
      guard let partial = PartialFile(of: path) else { return }
      partial.file.discard()
    }
  }
}

/// How far a download is.
struct DownloadState {
  private let range: Range<Int>
  /// The first byte that is still wanted.
  private var position: Int
  /// The size of the file; nil when it is not known.
  private var size: Int?
  private(set) var eTag: String?
  /// The bytes to pass over, because the service ignored the range.
  private var skip = 0
  private var hasEnded = false

  init(range: Range<Int>, position: Int, eTag: String?) {
    self.range = range
    self.position = position
    self.eTag = eTag
  }

  var isComplete: Bool { hasEnded || position >= range.upperBound }

  var progress: GraphProgress {
    let end = size.map { min($0, range.upperBound) }
    let isWhole = range.upperBound == .max
    return GraphProgress(
      completed: position - range.lowerBound,
      total: end.map { max(0, $0 - range.lowerBound) } ?? (isWhole ? nil : range.count))
  }

  /// The header fields that ask for the rest.
  var fields: HTTPFields {
    guard position > 0 || range.upperBound < .max else { return [:] }
    let last = range.upperBound == .max ? "" : String(range.upperBound - 1)
    var fields: HTTPFields = [.range: "bytes=\(position)-\(last)"]
    // A weak validator cannot be used (RFC 9110, section 13.1.5).
    if let eTag, !eTag.hasPrefix("W/") { fields[.ifRange] = eTag }
    return fields
  }

  /// Checks the head of a response.
  mutating func begin(_ response: HTTPResponse) throws(GraphError) {
    let newTag = response.headerFields[.eTag]
    // The rest of a file may come without the tag; another file may not have one.
    if let eTag, eTag != newTag, newTag != nil || response.status != .partialContent {
      throw GraphError(
        .conflict, Sentence("The file was changed while it was downloaded. Try again."))
    }
    eTag = eTag ?? newTag
    if response.status == .partialContent {
      // bytes 0-99/1000, or /* when the size is not known (RFC 9110, section 14.4).
      let words = response.headerFields[.contentRange]?.split { " -/".contains($0) } ?? []
      guard words.count == 4, words[0].lowercased() == "bytes", Int(words[1]) == position else {
        throw .invalid()
      }
      size = Int(words[3]) ?? size
      skip = 0
    } else {
      skip = position
      let length = response.headerFields[.contentLength].flatMap { Int($0) }
      // A recording can have any text there.
      size = length.flatMap { $0 < 0 ? nil : $0 } ?? size
    }
  }

  /// The part of a piece that is new and wanted; nil for none.
  mutating func receive(_ piece: Data) -> Data? {
    let passed = min(skip, piece.count)
    skip -= passed
    let wanted = piece.dropFirst(passed).prefix(range.upperBound - position)
    position += wanted.count
    if wanted.count == piece.count { return piece }
    return wanted.isEmpty ? nil : Data(wanted)
  }

  /// Notes the end of a body; returns false when something is missing.
  mutating func end() -> Bool {
    let last = min(size ?? position, range.upperBound)
    hasEnded = position >= last
    return hasEnded
  }
}

extension GraphClient {
  /// The content of a file, such as `/me/drive/items/{id}/content`.
  ///
  /// Nothing is sent before it is read.
  /// - Parameters:
  ///   - request: the request for the content.
  ///   - range: the bytes to get; everything by default.
  public func download(
    _ request: GraphRequest, range: Range<Int> = 0..<Int.max
  ) -> GraphDownload {
    GraphDownload(client: self, request: request, range: range)
  }

  /// Limits of a transfer: a day, and a minute without a byte.
  var transferLimits: HTTPLimits {
    HTTPLimits(total: .seconds(86_400), bodySize: .max, idle: .seconds(60))
  }

  /// Asks for content; the response has it, or leads to it.
  func head(of request: GraphRequest) async throws(GraphError) -> HTTPStream {
    var request = request
    if request.headerFields[.accept] == nil { request.headerFields[.accept] = "*/*" }
    request.headerFields[.acceptEncoding] = request.acceptEncoding
    return try await performed(
      request, accepts: { (200...299).contains($0) || [301, 302, 307, 308].contains($0) }
    ) { client, httpRequest async throws(HTTPError) -> (HTTPReply, HTTPStream) in
      let stream = try await client.transport.stream(
        httpRequest, body: Data(), limits: client.transferLimits)
      return (try await stream.start(), stream)
    }
  }

  /// The content of a response, also when it is where that leads, which gets no token.
  func content(
    of head: HTTPStream, fields: HTTPFields, acceptEncoding: String
  ) async throws(GraphError) -> HTTPStream {
    guard head.response.status.kind == .redirection else { return head }
    let url = head.response.headerFields[.location] ?? ""
    var target = HTTPRequest(url: url)
    target.headerFields = fields
    target.headerFields[.acceptEncoding] = acceptEncoding
    let (stream, reply): (HTTPStream, HTTPReply)
    do {
      stream = try await transport.stream(target, body: Data(), limits: transferLimits)
      reply = try await stream.start()
    } catch {
      throw GraphError(error)
    }
    guard stream.response.status.kind == .successful else {
      throw GraphError(
        reply, of: service, sent: SentSecrets(partsOf: url),
        at: runtime.now())
    }
    return stream
  }
}

extension GraphRequest {
  /// The content coding to ask for: lengths and ranges count the bytes as they are coded (RFC 9110,
  /// section 14).
  fileprivate var acceptEncoding: String { headerFields[.acceptEncoding] ?? "identity" }
}

extension HTTPStream {
  /// The head, and the start of the body when it is an error's.
  fileprivate func start() async throws(HTTPError) -> HTTPReply {
    var reply = HTTPReply(response: response)
    guard response.status.kind != .successful, response.status.kind != .redirection else {
      return reply
    }
    for try await piece in body {
      reply.body += piece
      if reply.body.count >= GraphError.largestBody { break }
    }
    return reply
  }
}
