package import FoundationEssentials
package import HTTPTypes
import Sentences

/// What a request sends after its head.
package enum RequestBody: Sendable {
  /// Bytes in memory.
  case data(Data)
  /// A part of a file, which is read while it is sent.
  case file(FilePart)
  /// Pieces that come while they are sent, once.
  case pieces(BodyPieces)

  /// Its bytes; nil when that is not known before its end.
  package var count: Int? {
    switch self {
    case .data(let data): data.count
    case .file(let part): part.count
    case .pieces(let pieces): pieces.count
    }
  }

  /// Whether it can be sent a second time, from its beginning.
  var isRepeatable: Bool { if case .pieces = self { false } else { true } }

  /// Whether it can be sent: for the first time, or, if it can be read again, once more.
  package var canBeSent: Bool {
    switch self {
    case .data: true
    case .file(let part): part.failure == nil
    case .pieces(let pieces): !pieces.hasBegun
    }
  }

  /// Why it was not sent to its end, when that was not for the network.
  package var failure: (any Error)? {
    switch self {
    case .data: nil
    case .file(let part): part.failure
    case .pieces(let pieces): pieces.failure
    }
  }

  /// All of it, in memory.
  ///
  /// - Throws: when it cannot be read, or is larger than ``FileReader/Limit/input``.
  fileprivate func whole(for host: String) async throws(HTTPError) -> Data {
    guard count ?? 0 <= FileReader.Limit.input else { throw .tooLargeToGather(host) }
    switch self {
    case .data(let data):
      return data
    case .file(let part):
      var data = Data(count: part.count)
      guard data.withUnsafeMutableBytes({ part.read(into: $0, at: 0) }) != nil else {
        throw HTTPError(.invalidRequest, host: host)
      }
      return data
    case .pieces(let pieces):
      return try await pieces.whole(for: host)
    }
  }
}

/// A transport that sends a body without having all of it in memory.
package protocol StreamingTransport: HTTPTransport {
  /// Sends `request` with `body`, and waits for the whole response.
  ///
  /// - Throws: ``HTTPError``, also after the body's ``RequestBody/failure``.
  func execute(
    _ request: HTTPRequest, body: RequestBody, limits: HTTPLimits
  ) async throws(HTTPError) -> HTTPReply
}

extension HTTPTransport {
  /// Sends `request` with `body`, and waits for the whole response.
  ///
  /// A transport that is no ``StreamingTransport`` gets the body as a whole.
  /// - Throws: ``HTTPError``, also after the body's ``RequestBody/failure``.
  package func send(
    _ request: HTTPRequest, body: RequestBody, limits: HTTPLimits
  ) async throws(HTTPError) -> HTTPReply {
    if let streaming = self as? any StreamingTransport {
      return try await streaming.execute(request, body: body, limits: limits)
    }
    let data = try await body.whole(for: request.authority ?? "")
    return try await execute(request, body: data, limits: limits)
  }
}

extension HTTPError {
  /// The body is too large for a transport that needs it as a whole.
  static func tooLargeToGather(_ host: String) -> HTTPError {
    HTTPError(
      .invalidRequest, host: host,
      Sentence(
        "The body of the request to {host} is too large to be kept in memory.", ["host": host]))
  }
}
