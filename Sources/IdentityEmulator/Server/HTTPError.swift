import HTTPTypes

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
