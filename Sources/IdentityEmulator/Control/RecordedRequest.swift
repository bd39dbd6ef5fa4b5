public import HTTPTypes

/// A request the emulator has answered.
///
/// ``query``, ``headers`` and ``body`` hold secrets, for tests to look at; the description does not.
public struct RecordedRequest: Sendable, CustomStringConvertible {
  /// The method.
  public let method: String
  /// The path without its query.
  public let path: String
  /// The route that answered, with `{tenant}` in place of the tenant.
  public let route: String
  /// The status of the answer.
  public let status: Int
  /// The query as it came.
  public let query: String
  /// The header fields as they came.
  public let headers: HTTPFields
  /// The body as it came.
  public let body: String

  /// Method, path and status.
  public var description: String { "\(method) \(path) \(status)" }
}
