public import HTTPTypes

/// A request to the emulator.
///
/// ``query``, ``headers`` and ``body`` contain secrets; the description does not.
public struct RecordedRequest: Sendable, CustomStringConvertible {
  /// The method.
  public let method: String
  /// The path without its query.
  public let path: String
  /// The matching route, with `{tenant}` instead of the tenant.
  public let route: String
  /// The status of the response.
  public let status: Int
  /// The query as received.
  public let query: String
  /// The header fields as received.
  public let headers: HTTPFields
  /// The body as received; empty for the content of a large file.
  public let body: String

  /// The largest body that is kept, in bytes.
  static let maximumBody = 1 << 20
  /// The largest number of requests that are kept, and their size in bytes.
  static let (maximumCount, maximumSize) = (10_000, 16 << 20)

  /// The number of bytes of path, query, header fields and body.
  var size: Int {
    headers.reduce(path.utf8.count + query.utf8.count + body.utf8.count) {
      $0 + $1.name.rawName.utf8.count + $1.value.utf8.count
    }
  }

  /// Method, path and status.
  public var description: String { "\(method) \(path) \(status)" }
}
