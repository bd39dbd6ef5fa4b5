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

/// A reply with what it replaces.
struct PreparedReply: Sendable {
  /// What replies come from.
  enum Service: Sendable {
    case token, graph
    /// The addresses that files are downloaded from and uploaded to.
    case transfer
  }

  let reply: CannedReply
  let service: Service
  /// The path below the version; nil for any.
  private let path: String?

  init(_ reply: CannedReply, of service: Service, path: String? = nil) {
    self.reply = reply
    self.service = service
    self.path = path
  }

  /// Whether it replaces the reply to a path with its version.
  func isFor(_ other: String) -> Bool {
    path.map { other == $0 || other.hasSuffix("0\($0)") || other.hasSuffix("beta\($0)") } ?? true
  }
}
