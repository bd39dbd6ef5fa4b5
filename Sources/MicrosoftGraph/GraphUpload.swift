import AuthCore
import CurlHTTP
import FoundationEssentials
import HTTPTypes
import Sentences

/// What happens when a file with the name exists.
public struct GraphConflictBehavior: Sendable, Hashable, RawRepresentable {
  /// The value of `@microsoft.graph.conflictBehavior`.
  public let rawValue: String

  /// Another behavior.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The upload is refused.
  public static let fail = Self(rawValue: "fail")
  /// The file is replaced.
  public static let replace = Self(rawValue: "replace")
  /// The new file gets another name.
  public static let rename = Self(rawValue: "rename")
}

/// How far an upload is.
struct UploadState {
  let size: Int
  /// Fragments are multiples of this, except for the last one.
  static let unit = 320 << 10
  private let fragmentSize: Int
  /// The first byte that the service does not have.
  private(set) var position = 0
  /// The greatest ``position``.
  private var furthest = 0
  /// Whether the service has more than before its last response.
  private(set) var hasAdvanced = false
  /// How often the service has lost bytes since ``position`` was at its greatest.
  private(set) var setbacks = 0

  init(size: Int, fragmentSize: Int) {
    self.size = size
    // Less than 60 MiB, by Graph's documentation.
    self.fragmentSize = min(max(fragmentSize / Self.unit, 1), 191) * Self.unit
  }

  /// The next fragment.
  var fragment: Range<Int> { position..<min(position + fragmentSize, size) }

  /// Whether the item is complete when the service has the next fragment.
  var isAtLast: Bool { fragment.upperBound == size }

  var contentRange: String { "bytes \(fragment.lowerBound)-\(fragment.upperBound - 1)/\(size)" }

  /// Notes what the service expects next: `["12345-", "77829-99375"]`.
  mutating func receive(_ session: JSON) -> Bool {
    guard
      let first = session["nextExpectedRanges"]?.array?.first?.string?.split(separator: "-").first,
      let next = Int(first), (0..<size).contains(next)
    else { return false }
    hasAdvanced = next > position
    if next < position { setbacks += 1 }
    if next > furthest { (furthest, setbacks) = (next, 0) }
    position = next
    return true
  }
}

extension GraphClient {
  /// Uploads a file of any size, fragment by fragment (upload session).
  ///
  /// When the connection is lost or the service fails for a while, it goes on with what the service
  /// expects. When the service has ended the session, for example because it expired, it begins
  /// again, once; not when the last fragment was sent and its response was lost, because the item
  /// may be complete then. When it fails or is canceled, the session is deleted.
  ///
  /// - Parameters:
  ///   - file: the path of the file.
  ///   - path: the item, such as `/me/drive/root:/Documents/\(name):`.
  ///   - conflictBehavior: what happens when it exists.
  ///   - fragmentSize: the bytes of a fragment, a multiple of 320 KiB below 60 MiB. The file is read
  ///     while it is sent, so a large fragment takes no more memory than a small one.
  ///   - progress: is called after each fragment.
  /// - Returns: the response with the new item.
  /// - Throws: ``GraphError``; with code ``GraphError/Code/fileFailure`` when the file cannot be
  ///   read, or is changed meanwhile.
  @discardableResult
  public func upload(
    _ file: String, to path: GraphPath, conflictBehavior: GraphConflictBehavior = .fail,
    fragmentSize: Int = 32 * 320 << 10, progress: (GraphProgress) -> Void = { _ in }
  ) async throws(GraphError) -> GraphResponse {
    let source: BodyFile
    do throws(FileReader.Failure) {
      source = try BodyFile(file)
    } catch {
      throw GraphError(file: file, error.reason, cause: error)
    }
    var state = UploadState(size: source.size, fragmentSize: fragmentSize)
    guard state.size > 0 else {
      // A session has no fragment without bytes.
      let behavior = FormEncoding.percentEncoded(conflictBehavior.rawValue)
      let content = path.appending("/content?@microsoft.graph.conflictBehavior=\(behavior)")
      return try await send(GraphRequest(.put, content, body: GraphBody(Data())))
    }
    let options: JSON = [
      "item": ["@microsoft.graph.conflictBehavior": .string(conflictBehavior.rawValue)]
    ]
    let begin = GraphRequest(
      .post, path.appending("/createUploadSession"), body: .json(options))
    var isFirst = true
    while true {
      let session = try await send(begin)
      guard let url = (try? session.json())?["uploadUrl"]?.string else {
        throw GraphError(invalid: session)
      }
      do throws(GraphError) {
        return try await send(source, file, to: url, &state, progress)
      } catch {
        if isFirst, error.isGone {
          // What was sent to a session that is gone is gone, too.
          isFirst = false
          state = UploadState(size: state.size, fragmentSize: fragmentSize)
          continue
        }
        // In a task of its own, because this one may be canceled.
        await Task {
          _ = try? await exchange(.delete, url, limits: HTTPLimits(total: .seconds(10)))
        }.value
        throw error
      }
    }
  }

  /// Sends the fragments, until the service returns the item.
  private func send(
    _ source: BodyFile, _ file: String, to url: String, _ state: inout UploadState,
    _ progress: (GraphProgress) -> Void
  ) async throws(GraphError) -> GraphResponse {
    var failures = 0
    while true {
      let fragment = FilePart(source, state.fragment)
      do throws(GraphError) {
        let response = try await exchange(
          .put, url, fields: [.contentRange: state.contentRange], body: fragment,
          // Long enough for the slowest connection: one that stands still ends sooner.
          limits: HTTPLimits(total: .seconds(3600), idle: .seconds(60)))
        if response.status != 202 {
          progress(GraphProgress(completed: state.size, total: state.size))
          return response
        }
        guard let json = try? response.json(), state.receive(json) else {
          throw GraphError(invalid: response)
        }
        // The same fragments are not sent forever.
        guard state.hasAdvanced || failures < retry.limit, state.setbacks <= retry.limit else {
          throw GraphError(invalid: response)
        }
        failures = state.hasAdvanced ? 0 : failures + 1
        progress(GraphProgress(completed: state.position, total: state.size))
      } catch {
        if let failure = fragment.failure {
          throw GraphError(file: file, failure.reason, cause: failure)
        }
        try await resume(url, after: error, &state, &failures)
      }
    }
  }

  /// Asks what the service expects, after a pause if `error` can pass; throws it otherwise.
  ///
  /// Graph's documentation of `createUploadSession` says to go on after server errors.
  private func resume(
    _ url: String, after error: GraphError, _ state: inout UploadState, _ failures: inout Int
  ) async throws(GraphError) {
    // Sending a fragment twice is harmless: one that the service has is 416.
    let fragment = GraphRequest(.put, "")
    if state.isAtLast, failures > 0, error.isGone { throw .unknownEnd(ofUpload: error) }
    if error.status == 416, failures < retry.limit {
      failures += 1
    } else {
      let pause = retry.pause(
        after: error, of: fragment, count: failures, random: random, also: [500, 502])
      guard let pause else { throw error }
      failures += 1
      try await wait(pause, after: error)
    }
    do throws(GraphError) {
      let response = try await exchange(.get, url)
      guard let json = try? response.json(), state.receive(json) else { throw error }
      // The failures were those of a fragment that the service has.
      if state.hasAdvanced { failures = 0 }
    } catch let failure {
      if failure.isGone { throw state.isAtLast ? .unknownEnd(ofUpload: error) : failure }
      // The fragment is sent again, and may tell the same.
      let pause = retry.pause(
        after: failure, of: fragment, count: failures, random: random, also: [500, 502])
      guard pause != nil else { throw error }
    }
    guard state.setbacks <= retry.limit else { throw error }
  }
}

extension GraphError {
  /// Whether the session has ended.
  fileprivate var isGone: Bool { status == 404 || status == 410 }

  /// All of the file was sent, and the session has ended without a response: the service ends it
  /// when the item is complete, too.
  fileprivate static func unknownEnd(ofUpload cause: GraphError) -> GraphError {
    GraphError(
      .networkUnavailable,
      Sentence(
        "The connection was lost at the end of the upload. The file may be complete: look for it"
          + " before you upload it again."), cause: cause)
  }
}
