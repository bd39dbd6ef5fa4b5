import HTTPTypes

/// A complete request.
struct Request: Sendable {
  /// The method.
  var method = HTTPRequest.Method.get
  /// The path as received, percent-encoded.
  let path: String
  /// The part after the first question mark.
  let query: String
  /// The header fields as received.
  var headers = HTTPFields()
  /// The body.
  var body: [UInt8] = []

  /// The largest accepted body: the largest file that Graph takes in one request, and otherwise the
  /// largest fragment of an upload to Graph.
  var maximumBody: Int { method == .put && path.hasSuffix("/content") ? 250 << 20 : 60 << 20 }

  /// The largest body that is parsed as a form.
  static let maximumForm = 1 << 16

  /// Creates a request from the request target of its first line.
  init(target: String) {
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    path = String(parts[0])
    query = parts.count > 1 ? String(parts[1]) : ""
  }

  /// The fields of the query.
  var queryForm: Form { Form(encoded: query) }

  /// The fields of a form body.
  func bodyForm() throws(HTTPError) -> Form {
    guard body.count <= Self.maximumForm else { throw HTTPError(.contentTooLarge) }
    return Form(encoded: String(decoding: body, as: UTF8.self))
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

extension HTTPFields {
  /// The text of a field.
  subscript(named name: String) -> String? {
    get { HTTPField.Name(name).flatMap { self[$0] } }
    set {
      if let name = HTTPField.Name(name) { self[name] = newValue }
    }
  }
}
