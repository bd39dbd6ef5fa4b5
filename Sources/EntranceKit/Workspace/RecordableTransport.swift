public import CurlHTTP
public import FoundationEssentials
public import HTTPTypes
import MicrosoftGraph

/// Sends the requests of an open connection, and records them while the person wants that.
public final class RecordableTransport: HTTPTransport, StreamingTransport {
  private let network: any HTTPTransport
  private let cassette = LockedValue<Cassette?>(nil)

  /// Creates a transport that records nothing yet.
  ///
  /// - Parameter network: sends the requests.
  public init(over network: any HTTPTransport) {
    self.network = network
  }

  private var current: any HTTPTransport {
    if let cassette = cassette.withLock(\.self) { cassette } else { network }
  }

  /// Sends a request.
  public func execute(
    _ request: HTTPRequest, body: Data, limits: HTTPLimits
  ) async throws(HTTPError) -> HTTPReply {
    try await current.execute(request, body: body, limits: limits)
  }

  /// Sends a request, whose body need not be in memory.
  package func execute(
    _ request: HTTPRequest, body: RequestBody, limits: HTTPLimits
  ) async throws(HTTPError) -> HTTPReply {
    try await current.send(request, body: body, limits: limits)
  }

  /// Sends a request, whose response's body follows.
  public func stream(
    _ request: HTTPRequest, body: Data, limits: HTTPLimits
  ) async throws(HTTPError) -> HTTPStream {
    try await current.stream(request, body: body, limits: limits)
  }

  /// Starts to record in the file at `path`, which is replaced.
  func start(_ path: String) throws(GraphError) {
    let cassette = Cassette(replacing: path, over: network)
    // Whether it can be written is known before anything is lost.
    try cassette.save()
    self.cassette.withLock { $0 = cassette }
  }

  /// Writes what is recorded so far.
  func save() throws(GraphError) { try cassette.withLock(\.self)?.save() }

  /// Writes what was recorded, and ends the recording, unless it cannot be written.
  func stop() throws(GraphError) {
    try cassette.withLock(\.self)?.save()
    discard()
  }

  /// Ends the recording without writing it.
  func discard() { cassette.withLock { $0.take()?.close() } }
}
