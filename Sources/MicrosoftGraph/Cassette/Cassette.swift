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
/// an address, an identifier or a secret.
///
/// What is replayed has these stand-ins, except for what the app sends itself, such as its client
/// ID. ID tokens are signed anew, and valid at the time of the replay.
public final class Cassette: HTTPTransport {
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
  ///   - path: the file, which must not exist.
  ///   - transport: sends the requests.
  /// - Throws: ``GraphError`` with code ``GraphError/Code/fileFailure``.
  public init(recordingTo path: String, over transport: any HTTPTransport) throws(GraphError) {
    guard access(path, F_OK) != 0 else {
      throw GraphError(file: path, Sentence("it already exists"))
    }
    mode = .recording(Recorder(path, transport))
  }

  /// Starts to record in a file that may exist: the first write replaces it.
  package init(replacing path: String, over transport: any HTTPTransport) {
    mode = .recording(Recorder(path, transport))
  }

  /// Replays a file.
  ///
  /// Each request gets the response of the first recorded one that is like it and was not replayed
  /// yet.
  ///
  /// - Throws: ``GraphError`` with code ``GraphError/Code/fileFailure``.
  public init(replaying path: String) throws(GraphError) {
    let bytes: [UInt8]
    do throws(FileReader.Failure) {
      bytes = try FileReader(path).read(upTo: FileReader.Limit.input)
    } catch {
      throw GraphError(file: path, error.reason, cause: error)
    }
    guard let json = try? JSON(parsing: bytes), let entries = CassetteEntry.entries(of: json)
    else { throw GraphError(file: path, Sentence("it is not a recording in HAR 1.2")) }
    mode = .replaying(LockedValue(CassetteReplay(entries)))
  }

  /// Writes what was recorded; does nothing for a replay.
  ///
  /// - Throws: ``GraphError`` with code ``GraphError/Code/fileFailure``.
  public func save() throws(GraphError) {
    if case .recording(let recorder) = mode { try recorder.save() }
  }

  /// A request that was recorded.
  package struct Request: Sendable {
    package let method: String
    package let url: String
    package let body: String
    /// The status of its response.
    package let status: Int
  }

  /// The requests to something other than a sign-in service, in a replay.
  package var requests: [Request] {
    guard case .replaying(let replay) = mode else { return [] }
    return replay.withLock(\.requests)
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
      return try Self.reply(replay, request, body)
    case .recording(let recorder):
      let start = Date()
      let reply = try await recorder.transport.execute(request, body: body, limits: limits)
      recorder.add(CassetteEntry(request, body, reply, start: start))
      return reply
    }
  }

  /// Sends a request and records it when its body has ended, or replays its response.
  public func stream(
    _ request: HTTPRequest, body: Data, limits: HTTPLimits
  ) async throws(HTTPError) -> HTTPStream {
    switch mode {
    case .replaying(let replay):
      let reply = try Self.reply(replay, request, body)
      return HTTPStream(response: reply.response, body: HTTPBody(reply.body))
    case .recording(let recorder):
      let start = Date()
      let stream = try await recorder.transport.stream(request, body: body, limits: limits)
      // The contents of files are not recorded.
      let isKept = stream.response.headerFields[.contentType]?.contains("json") == true
      let pieces = LockedValue(stream.body)
      let received = LockedValue((data: Data(), size: 0))
      return HTTPStream(
        response: stream.response,
        body: HTTPBody { () async throws(HTTPError) in
          var body = pieces.withLock(\.self)
          if let piece = try await body.next() {
            received.withLock { received in
              received.size += piece.count
              if isKept { received.data += piece }
            }
            return piece
          }
          let (data, size) = received.withLock(\.self)
          var entry = CassetteEntry(
            request, Data(), HTTPReply(response: stream.response, body: data), start: start)
          entry.responseSize = size
          recorder.add(entry)
          return nil
        })
    }
  }

  private static func reply(
    _ replay: LockedValue<CassetteReplay>, _ request: HTTPRequest, _ body: Data
  ) throws(HTTPError) -> HTTPReply {
    let entry = CassetteEntry(
      request, body, HTTPReply(response: HTTPResponse(status: .ok)), start: Date())
    guard let reply = replay.withLock({ $0.reply(to: entry) }) else {
      throw HTTPError(
        .invalidRequest, host: request.authority ?? "",
        Sentence(
          "The recording has no response to this request: {method} {url}.",
          ["method": request.method.rawValue, "url": entry.url]))
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
      recorder.add(CassetteEntry(page, Data(), HTTPReply(response: response), start: start))
      return url
    case .replaying(let replay):
      let reply: HTTPReply?
      do throws(HTTPError) {
        reply = try Self.reply(replay, page, Data())
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
  private let state = LockedValue(State())

  private struct State {
    var entries: [CassetteEntry] = []
    var redaction = Redaction()
    var lastWrite = ContinuousClock.now
    var writing = Duration.zero
    var failure: GraphError?
  }

  init(_ path: String, _ transport: any HTTPTransport) {
    (self.path, self.transport) = (path, transport)
  }

  func add(_ entry: CassetteEntry) {
    state.withLock { state in
      state.entries.append(entry)
      // What is known by now is replaced in what came before, too.
      _ = entry.json(&state.redaction)
      // All is written each time, so that it takes a tenth of the time at most.
      guard ContinuousClock.now - state.lastWrite >= state.writing * 10 else { return }
      write(&state)
    }
  }

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
      _ = try PrivateFile(path: path).write(
        Array((json.prettyText + "\n").utf8), replacing: true)
      state.failure = nil
    } catch {
      state.failure = GraphError(file: path, error.reason, cause: error)
    }
    state.lastWrite = ContinuousClock.now
    state.writing = state.lastWrite - start
  }
}
