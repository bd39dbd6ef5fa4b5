import HTTPTypes

/// A prepared reply of the token endpoint or of Microsoft Graph, for tests.
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

  /// It as a response.
  var response: Response {
    var fields = HTTPFields()
    for (name, value) in headers { fields[named: name] = value }
    return Response(
      status: HTTPResponse.Status(code: status), headers: fields, body: Array(body.utf8))
  }
}
