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

  /// Method, path and status.
  public var description: String { "\(method) \(path) \(status)" }
}
