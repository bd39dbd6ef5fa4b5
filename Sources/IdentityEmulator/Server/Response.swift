import HTTPTypes

/// The response to a request.
struct Response: Sendable {
  /// The status.
  let status: HTTPResponse.Status
  /// The header fields, except for those that the server adds: length and date.
  var headers = HTTPFields()
  /// The body.
  var body: [UInt8] = []

  /// A text response.
  static func text(
    _ text: String, type: String = "application/json", status: HTTPResponse.Status = .ok
  ) -> Response {
    Response(status: status, headers: [.contentType: type], body: Array(text.utf8))
  }

  /// A JSON response.
  static func json(_ json: JSON, status: HTTPResponse.Status = .ok) -> Response {
    var response = text(json.text, type: "application/json; charset=utf-8", status: status)
    response.headers[.cacheControl] = "no-store"
    return response
  }

  /// A `302` to `location`.
  static func found(_ location: String) -> Response {
    Response(status: .found, headers: [.location: location, .cacheControl: "no-store"])
  }

  /// A `303` to `location`, which the browser requests with GET.
  static func seeOther(_ location: String) -> Response {
    Response(status: .seeOther, headers: [.location: location, .cacheControl: "no-store"])
  }
}

/// An error that is not one of the platform's.
struct HTTPError: Error {
  /// The status of the response.
  let status: HTTPResponse.Status
  /// The message, on one line.
  let message: String?

  init(_ status: HTTPResponse.Status, message: String? = nil) {
    self.status = status
    self.message = message
  }

  /// The response.
  var response: Response {
    guard let message else { return Response(status: status) }
    let json: JSON = ["error": ["message": .string(message)]]
    return .text(json.text, type: "application/json; charset=utf-8", status: status)
  }
}
