/// A prepared reply of the token endpoint, for tests.
public struct CannedReply: Sendable {
  /// The HTTP status.
  public var status: Int
  /// Header fields.
  public var headers: [String: String]
  /// The body.
  public var body: String

  /// Creates a reply.
  public init(
    status: Int, headers: [String: String] = ["Content-Type": "application/json"],
    body: String = ""
  ) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}
