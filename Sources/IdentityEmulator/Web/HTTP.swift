import HTTPTypes
import Hummingbird
import NIOCore

extension HTTPFields {
  /// A field by its name as text.
  subscript(named name: String) -> String? {
    get { HTTPField.Name(name).flatMap { self[$0] } }
    set {
      if let name = HTTPField.Name(name) { self[name] = newValue }
    }
  }
}

extension Request {
  /// The fields of the query.
  var queryForm: Form { Form(encoded: uri.query ?? "") }

  /// The fields of a form body, of at most 64 KiB.
  func bodyForm() async throws -> Form {
    Form(encoded: String(buffer: try await body.collect(upTo: 1 << 16)))
  }

  /// The value of a cookie.
  func cookie(_ name: String) -> String? {
    for pair in headers[values: .cookie].flatMap({ $0.split(separator: ";") }) {
      let parts = pair.drop(while: { $0 == " " }).split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2, parts[0] == name { return String(parts[1]) }
    }
    return nil
  }
}

extension Response {
  /// A JSON response.
  static func json(_ json: JSON, status: HTTPResponse.Status = .ok) -> Response {
    Response(
      status: status,
      headers: [.contentType: "application/json; charset=utf-8", .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: json.text)))
  }

  /// A `302` to `location`.
  static func found(_ location: String) -> Response {
    Response(status: .found, headers: [.location: location, .cacheControl: "no-store"])
  }

  /// A `303` to `location`: look there with GET.
  static func seeOther(_ location: String) -> Response {
    Response(status: .seeOther, headers: [.location: location, .cacheControl: "no-store"])
  }
}
