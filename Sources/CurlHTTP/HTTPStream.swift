public import FoundationEssentials
public import HTTPTypes

/// A response whose body arrives in pieces.
public struct HTTPStream: Sendable {
  /// Status and header fields.
  public var response: HTTPResponse
  /// The body, after any content coding was decoded.
  public var body: HTTPBody

  /// Creates a stream.
  public init(response: HTTPResponse, body: HTTPBody) {
    self.response = response
    self.body = body
  }
}

/// The pieces of a response's body, which can be read once.
///
/// A piece is received only when there is room for it, so a body takes little memory, whatever its
/// size. To end early, release it.
public struct HTTPBody: AsyncSequence, AsyncIteratorProtocol, Sendable {
  private let nextPiece: @Sendable () async throws(HTTPError) -> Data?

  /// Creates a body.
  ///
  /// - Parameter next: returns the next piece; nil at the end.
  public init(_ next: @escaping @Sendable () async throws(HTTPError) -> Data?) {
    nextPiece = next
  }

  /// A body that is complete.
  public init(_ data: Data) {
    let rest = LockedValue<Data?>(data.isEmpty ? nil : data)
    self.init { () throws(HTTPError) in rest.withLock { $0.take() } }
  }

  /// The next piece; nil at the end.
  public mutating func next(
    isolation actor: isolated (any Actor)? = #isolation
  ) async throws(HTTPError) -> Data? {
    try await nextPiece()
  }

  /// The body itself.
  public func makeAsyncIterator() -> HTTPBody { self }
}
