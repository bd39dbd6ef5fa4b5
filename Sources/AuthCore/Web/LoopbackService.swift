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
  package var bytes: [UInt8]
  /// What ends the listening; nil when it goes on.
  package var result: String?

  /// Creates a response from its bytes.
  package init(_ bytes: [UInt8], result: String? = nil) {
    self.bytes = bytes
    self.result = result
  }

  /// A response with a JSON object as its body.
  package init(status: Int, json: JSON) {
    let body = json.compactText
    let head = """
      HTTP/1.1 \(status) \(Self.reason(status))\r
      Content-Type: application/json; charset=utf-8\r
      Content-Length: \(body.utf8.count)\r
      Cache-Control: no-store\r
      Connection: close\r
      \r

      """
    self.init(Array((head + body).utf8))
  }

  /// The phrase for a status that listeners here answer with.
  static func reason(_ status: Int) -> String {
    switch status {
    case 200: "OK"
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
