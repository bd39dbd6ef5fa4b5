public import AuthCore
public import CurlHTTP
public import FoundationEssentials
import Glibc
public import HTTPTypes
import Sentences

/// Records what an app exchanges with the sign-in service and Graph, and replays it without a
/// network.
///
/// ```swift
/// let cassette = try Cassette(recordingTo: "session.har", over: CurlClient())
/// let graph = GraphClient(
///   app: app, account: account, scopes: ["User.Read"], runtime: Runtime(transport: cassette))
/// let me = try await graph.get("/me")
/// try cassette.save()
/// ```
///
/// The file is in HAR 1.2, which browsers' tools read. Secrets, names and identifiers are replaced by
/// stand-ins, the same one wherever a value occurs, and so are texts whose meaning is not known. The
/// contents of files are left out. An error's message is kept, without what is known or looks like
/// an address, an identifier or a secret. Once 128 MiB of bodies are kept, more are left out, too.
///
/// What is replayed has these stand-ins, except for what the app sends itself, such as its client
/// ID. ID tokens are signed anew, and valid at the time of the replay.
public final class Cassette: HTTPTransport, StreamingTransport {
  private let mode: Mode

  private enum Mode: Sendable {
    case recording(Recorder)
    case replaying(LockedValue<CassetteReplay>)
  }

  /// Starts to record.
  ///
  /// The file is written from time to time, each time as a whole, and by ``save()``. Only its owner
  /// can read it.
  ///
  /// - Parameters:
  ///   - path: the file, which must not exist; its folder must.
  ///   - transport: sends the requests.
  /// - Throws: ``GraphError`` with code ``GraphError/Code/fileFailure``.
  public init(recordingTo path: String, over transport: any HTTPTransport) throws(GraphError) {
    guard access(path, F_OK) != 0 else {
      throw GraphError(file: path, Sentence("it already exists"))
    }
    // What was exchanged cannot be asked for again.
    do throws(StorageFailure) {
      try PrivateFile(path: SymbolicLink.target(of: path)).checkCreation()
    } catch {
      throw GraphError(file: path, error.reason, cause: error)
    }
    mode = .recording(Recorder(path, transport, Cassette.largest))
  }

  /// Starts to record in a file that may exist: the first write replaces it.
  ///
  /// - Parameter limit: the size of all bodies that are kept, in bytes.
  package init(
    replacing path: String, over transport: any HTTPTransport, bodies limit: Int = Cassette.largest
  ) {
    mode = .recording(Recorder(path, transport, limit))
  }

  /// The size of all bodies that are kept, in bytes: half of the largest file that is replayed, in
  /// which a body is a text with escapes.
  package static let largest = FileReader.Limit.input / 2

  /// Replays a file.
  ///
  /// Each request gets the response of the first recorded one that is like it and was not replayed
  /// yet.
  ///
  /// - Throws: ``GraphError`` with code ``GraphError/Code/fileFailure``.
  public init(replaying path: String) throws(GraphError) {
    mode = .replaying(LockedValue(CassetteReplay(try Self.entries(of: path))))
  }

  /// What the file at `path` has.
  static func entries(of path: String) throws(GraphError) -> [CassetteEntry] {
    let bytes: [UInt8]
    do throws(FileReader.Failure) {
      bytes = try FileReader(path).read(upTo: FileReader.Limit.input)
    } catch {
      throw GraphError(file: path, error.reason, cause: error)
    }
    guard let json = try? JSON(parsing: MarkedText.utf8(bytes)),
      let entries = CassetteEntry.entries(of: json)
    else { throw GraphError(file: path, Sentence("it is not a recording in HAR 1.2")) }
    return entries
  }

  /// Writes what was recorded; does nothing for a replay.
  ///
  /// - Throws: ``GraphError`` with code ``GraphError/Code/fileFailure``.
  public func save() throws(GraphError) {
    if case .recording(let recorder) = mode { try recorder.save() }
  }

  /// Ends a recording: what is answered from now on is neither kept nor written.
  package func close() {
    if case .recording(let recorder) = mode { recorder.close() }
  }

  /// A request that was recorded.
  package struct Request: Sendable {
    package let method: String
    package let url: String
    package let body: String
    /// The status of its response.
    package let status: Int
  }

  /// Opens a recording in place of its API.
  ///
  /// - Returns: a client that gets its responses from the file at `path`, and the requests to
  ///   something other than a sign-in service.
  package static func open(
    _ path: String
  ) throws(GraphError) -> (client: GraphClient, requests: [Request]) {
    let cassette = try Cassette(replaying: path)
    guard case .replaying(let replay) = cassette.mode,
      case let requests = replay.withLock(\.requests), let url = requests.first?.url
    else {
      throw GraphError(
        .fileFailure, Sentence("The recording “{path}” has no requests.", ["path": path]))
    }
    let client = try GraphClient(api: url, transport: cassette)
    return (client.authorized(by: AnyToken()), requests)
  }

  /// The token for a recording, which takes any, also after one was rejected.
  private struct AnyToken: GraphTokenSource {
    func authorization(
      for request: HTTPRequest, claims: ClaimsRequest?, forceRefresh: Bool
    ) async throws -> Secret<String> {
      Secret("Bearer replay")
    }
  }

  /// A session that shows the pages of `session` and records where they led; a replay shows none.
  public func pages(of session: any WebAuthenticationSession) -> any WebAuthenticationSession {
    CassettePages(cassette: self, session: session)
  }

  /// Sends a request and records it, or replays its response.
  public func execute(
    _ request: HTTPRequest, body: Data, limits: HTTPLimits
  ) async throws(HTTPError) -> HTTPReply {
    switch mode {
    case .replaying(let replay):
      return try await Self.reply(replay, request, body)
    case .recording(let recorder):
      let start = Date()
      let reply = try await recorder.transport.execute(request, body: body, limits: limits)
      await recorder.add(CassetteEntry(request, body, reply, start: start))
      return reply
    }
  }

  /// Sends a request and records it without its body, or replays its response.
  package func execute(
    _ request: HTTPRequest, body: RequestBody, limits: HTTPLimits
  ) async throws(HTTPError) -> HTTPReply {
    switch mode {
    case .replaying(let replay):
      return try await Self.reply(replay, request, Data())
    case .recording(let recorder):
      let start = Date()
      let reply = try await recorder.transport.send(request, body: body, limits: limits)
      await recorder.add(
        CassetteEntry(request, bodySize: body.count ?? -1, reply, start: start))
      return reply
    }
  }

  /// Sends a request and records it, with what arrives of its body, or replays its response.
  public func stream(
    _ request: HTTPRequest, body: Data, limits: HTTPLimits
  ) async throws(HTTPError) -> HTTPStream {
    switch mode {
    case .replaying(let replay):
      let reply = try await Self.reply(replay, request, body)
      return HTTPStream(response: reply.response, body: HTTPBody(reply.body))
    case .recording(let recorder):
      let start = Date()
      let stream = try await recorder.transport.stream(request, body: body, limits: limits)
      // At once, because not every body is read to its end.
      let index = await recorder.add(
        CassetteEntry(request, body, HTTPReply(response: stream.response), start: start))
      let pieces = LockedValue(stream.body)
      return HTTPStream(
        response: stream.response,
        body: HTTPBody { () async throws(HTTPError) in
          var body = pieces.withLock(\.self)
          let piece = try await body.next()
          if let piece { await recorder.extend(index, with: piece) }
          return piece
        })
    }
  }

  /// The recorded response, on another thread than the caller's: large ones take their time.
  @concurrent
  private static func reply(
    _ replay: LockedValue<CassetteReplay>, _ request: HTTPRequest, _ body: Data
  ) async throws(HTTPError) -> HTTPReply {
    let entry = CassetteEntry(
      request, body, HTTPReply(response: HTTPResponse(status: .ok)), start: Date())
    guard let reply = replay.withLock({ $0.reply(to: entry) }) else {
      // What a recording must not hold is not for the screen, either.
      var redaction = Redaction()
      throw HTTPError(
        .invalidRequest, host: request.authority ?? "",
        Sentence(
          "The recording has no response to this request: {method} {url}.",
          ["method": request.method.rawValue, "url": redaction.url(entry.url)]))
    }
    return reply
  }

  /// Where the pages led, recorded or replayed.
  fileprivate func authenticate(
    _ request: WebAuthenticationRequest, _ session: any WebAuthenticationSession
  ) async throws(AuthenticationError) -> String {
    let page = HTTPRequest(url: request.startURL)
    switch mode {
    case .recording(let recorder):
      let start = Date()
      let url = try await session.authenticate(request)
      let response = HTTPResponse(status: .found, headerFields: [.location: url])
      await recorder.add(CassetteEntry(page, Data(), HTTPReply(response: response), start: start))
      return url
    case .replaying(let replay):
      let reply: HTTPReply?
      do throws(HTTPError) {
        reply = try await Self.reply(replay, page, Data())
      } catch {
        throw AuthenticationError(.webAuthenticationFailed, error.sentence)
      }
      return reply?.response.headerFields[.location] ?? ""
    }
  }
}

/// The pages of a recording.
private struct CassettePages: WebAuthenticationSession {
  let cassette: Cassette
  let session: any WebAuthenticationSession

  func redirectURI(
    for registered: RedirectURI
  ) async throws(AuthenticationError) -> RedirectURI {
    try await session.redirectURI(for: registered)
  }

  func authenticate(
    _ request: WebAuthenticationRequest
  ) async throws(AuthenticationError) -> String {
    try await cassette.authenticate(request, session)
  }

  func startsWithoutCookies(isEphemeral: Bool) async -> Bool {
    await session.startsWithoutCookies(isEphemeral: isEphemeral)
  }
}

/// Keeps what was exchanged, and writes it without what is secret.
private final class Recorder: Sendable {
  let transport: any HTTPTransport
  private let path: String
  /// The size of all bodies that are kept.
  private let limit: Int
  private let state = LockedValue(State())

  private struct State {
    var entries: [CassetteEntry] = []
    /// The size of the entries' bodies.
    var size = 0
    var redaction = Redaction()
    var lastWrite = ContinuousClock.now
    var writing = Duration.zero
    var failure: GraphError?
    /// Whether nothing is added any more.
    var isClosed = false
  }

  init(_ path: String, _ transport: any HTTPTransport, _ limit: Int) {
    (self.path, self.transport, self.limit) = (path, transport, limit)
  }

  /// Adds an entry, on another thread than the caller's: that can take seconds.
  ///
  /// - Returns: its index.
  @concurrent @discardableResult
  func add(_ entry: CassetteEntry) async -> Int {
    state.withLock { state in
      let index = state.entries.count
      guard !state.isClosed else { return index }
      state.entries.append(entry)
      // What is known by now is replaced in what came before, too; also what is known from bodies
      // that are left out.
      _ = entry.json(&state.redaction)
      keepLimit(index, &state)
      // All is written each time, so that it takes a tenth of the time at most.
      if ContinuousClock.now - state.lastWrite >= state.writing * 10 { write(&state) }
      return index
    }
  }

  /// Notes a piece of a response's body, which is written the next time.
  ///
  /// On another thread than the caller's, because it waits for what is written now.
  @concurrent
  func extend(_ index: Int, with piece: Data) async {
    state.withLock { state in
      guard !state.isClosed else { return }
      state.size -= state.entries[index].keptSize
      state.entries[index].receive(piece)
      keepLimit(index, &state)
    }
  }

  /// Counts the bodies of an entry, and leaves them out if all together are too large.
  private func keepLimit(_ index: Int, _ state: inout State) {
    if state.size + state.entries[index].keptSize > limit { state.entries[index].leaveOutBodies() }
    state.size += state.entries[index].keptSize
  }

  func close() { state.withLock { $0.isClosed = true } }

  func save() throws(GraphError) {
    let failure = state.withLock { state in
      write(&state)
      return state.failure
    }
    if let failure { throw failure }
  }

  private func write(_ state: inout State) {
    let start = ContinuousClock.now
    let json = CassetteEntry.document(state.entries, &state.redaction)
    do throws(StorageFailure) {
      // Its place is taken by the whole file, and never by an empty one.
      _ = try PrivateFile(path: SymbolicLink.target(of: path)).write(
        Array((json.prettyText + "\n").utf8), replacing: true)
      state.failure = nil
    } catch {
      state.failure = GraphError(file: path, error.reason, cause: error)
    }
    state.lastWrite = ContinuousClock.now
    state.writing = state.lastWrite - start
  }
}
