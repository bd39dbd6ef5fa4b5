import AuthCore
package import CurlHTTP
public import FoundationEssentials
import HTTPTypes
import Sentences

/// The body of a request that need not be in memory, whatever its size.
public struct GraphContent: Sendable {
  private enum Source: Sendable {
    case file(String)
    case opened(BodyFile, path: String)
    case pieces(BodyPieces)

    /// The path of a file.
    var path: String? {
      switch self {
      case .file(let path), .opened(_, let path): path
      case .pieces: nil
      }
    }
  }

  private let source: Source
  /// The media type.
  public var contentType: String

  /// The content of a file, which is read while it is sent.
  ///
  /// - Parameters:
  ///   - path: the path of a regular file.
  ///   - contentType: the media type.
  public static func file(
    _ path: String, contentType: String = "application/octet-stream"
  ) -> GraphContent {
    GraphContent(source: .file(path), contentType: contentType)
  }

  /// The content of a file that is open, which is read while it is sent.
  ///
  /// - Parameter path: what errors call it.
  package static func file(
    _ file: BodyFile, at path: String, contentType: String
  ) -> GraphContent {
    GraphContent(source: .opened(file, path: path), contentType: contentType)
  }

  /// Pieces that are sent as they come, each when there is room for it.
  ///
  /// They can be sent once: a request that would have to be repeated, for example because it was
  /// throttled after the first piece, fails instead. How long the next piece takes is not limited by itself.
  ///
  /// - Parameters:
  ///   - pieces: the pieces; their error ends the request and is the ``GraphError/cause``.
  ///   - size: the bytes of all of them; nil when that is not known, which some services refuse.
  ///     More or fewer bytes end the request.
  ///   - contentType: the media type.
  public static func pieces<Pieces: AsyncSequence & Sendable>(
    _ pieces: Pieces, size: Int? = nil, contentType: String = "application/octet-stream"
  ) -> GraphContent where Pieces.Element == Data {
    GraphContent(source: .pieces(BodyPieces(pieces, count: size)), contentType: contentType)
  }

  /// What is sent.
  fileprivate func body() throws(GraphError) -> RequestBody {
    switch source {
    case .file(let path):
      do throws(FileReader.Failure) {
        let file = try BodyFile(path)
        return .file(FilePart(file, 0..<file.size))
      } catch {
        throw GraphError(file: path, error.reason, cause: error)
      }
    case .opened(let file, _):
      return .file(FilePart(file, 0..<file.size))
    case .pieces(let pieces):
      guard !pieces.hasBegun else {
        throw GraphError(
          .invalidRequest,
          Sentence("The request was not sent, because its body was read before."))
      }
      return .pieces(pieces)
    }
  }

  /// The error when `body` could not be read to its end; nil for an error of the network or the
  /// service.
  fileprivate func failure(of body: RequestBody) -> GraphError? {
    guard let failure = body.failure else { return nil }
    if let path = source.path, let failure = failure as? FileReader.Failure {
      return GraphError(file: path, failure.reason, cause: failure)
    }
    return failure is CancellationError
      ? GraphError.canceled
      : GraphError(
        .invalidRequest, Sentence("The body of the request could not be read to its end."),
        cause: failure)
  }
}

extension GraphClient {
  /// Sends a request with a body that need not be in memory, again if ``retry`` says so and the body
  /// can be read again.
  ///
  /// It can take a day, as long as no minute passes without a byte, except while the next piece of the
  /// body is waited for. For a large file, `upload` is better: it goes on after a lost connection.
  ///
  /// - Parameters:
  ///   - request: the request; `content` takes the place of its body.
  ///   - content: the body. Only `CurlClient` and a recording by `Cassette` send it as it is read;
  ///     another HTTP client gets it as a whole, up to 256 MiB.
  /// - Returns: the response, when its status is 200…299.
  /// - Throws: ``GraphError``, also for any other status; with code ``GraphError/Code/fileFailure``
  ///   when the file cannot be read, or is cut off meanwhile.
  @discardableResult
  public func send(
    _ request: GraphRequest, content: GraphContent
  ) async throws(GraphError) -> GraphResponse {
    var request = request
    request.body = nil
    request.headerFields[.contentType] = content.contentType
    let body = try content.body()
    let limits = HTTPLimits(
      connect: self.limits.connect, total: max(self.limits.total, .seconds(86_400)),
      bodySize: self.limits.bodySize, idle: self.limits.idle ?? .seconds(60))
    do throws(GraphError) {
      let reply = try await performed(
        request, accepts: { (200...299).contains($0) }, canRepeat: { body.canBeSent }
      ) { client, httpRequest throws(HTTPError) in
        let reply = try await client.transport.send(httpRequest, body: body, limits: limits)
        return (reply, reply)
      }
      return GraphResponse(reply)
    } catch {
      // What the service says is known better than why the rest was not read.
      guard error.status == nil, error.code != .cancelled, let failure = content.failure(of: body)
      else { throw error }
      throw failure
    }
  }
}

extension GraphError {
  /// The error of a request that would be sent again, if its body could be read again.
  var unrepeated: GraphError {
    var error = self
    error.sentence = Sentence([
      sentence, Sentence("The request was not sent again, because its body can be read only once."),
    ])
    return error
  }
}
