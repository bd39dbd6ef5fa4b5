/// Answers the requests that come to a ``LoopbackListener``.
package protocol LoopbackService: Sendable {
  /// The response to `request`. It is called on the listener's own thread, which may wait for it.
  ///
  /// - Parameter isOwn: whether this person sent it; to ask the system takes a moment.
  func response(to request: LoopbackRequest, isOwn: () -> Bool) -> LoopbackResponse

  /// The response to what cannot be read as a request.
  func refusal(status: Int) -> LoopbackResponse
}

/// What a ``LoopbackListener`` sends.
package struct LoopbackResponse: Sendable {
  /// The whole HTTP response.
  let bytes: [UInt8]
  /// What ends the listening; nil when it goes on.
  let result: String?

  /// Creates a response with these header fields, besides those that each response has.
  init(status: Int, fields: [String], body: String = "", result: String? = nil) {
    let head =
      ["HTTP/1.1 \(status) \(Self.reason(status))"] + fields + [
        "Content-Length: \(body.utf8.count)", "Cache-Control: no-store", "Connection: close",
      ]
    bytes = Array("\(head.joined(separator: "\r\n"))\r\n\r\n\(body)".utf8)
    self.result = result
  }

  /// A response with a JSON object as its body.
  package init(status: Int, json: JSON) {
    self.init(
      status: status, fields: ["Content-Type: application/json; charset=utf-8"],
      body: json.compactText)
  }

  /// The phrase for a status that listeners here answer with.
  private static func reason(_ status: Int) -> String {
    switch status {
    case 200: "OK"
    case 302: "Found"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 408: "Request Timeout"
    case 410: "Gone"
    case 411: "Length Required"
    case 413: "Content Too Large"
    case 415: "Unsupported Media Type"
    case 431: "Request Header Fields Too Large"
    case 503: "Service Unavailable"
    default: "Bad Request"
    }
  }
}
