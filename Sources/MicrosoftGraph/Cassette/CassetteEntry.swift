package import AuthCore
package import CurlHTTP
package import FoundationEssentials
package import HTTPTypes

/// A request and its response.
struct CassetteEntry: Sendable {
  var start: Date
  var milliseconds = 0.0
  var method: String
  var url: String
  var requestFields: [HTTPField]
  var requestBody: Data
  var status: Int
  var responseFields: [HTTPField]
  var responseBody: Data
  /// The size of the response's body, which may not be kept.
  var responseSize: Int

  init(_ request: HTTPRequest, _ body: Data, _ reply: HTTPReply, start: Date) {
    self.start = start
    milliseconds = max(0, (Date().timeIntervalSince(start) * 1000).rounded())
    method = request.method.rawValue
    url = "\(request.scheme ?? "https")://\(request.authority ?? "")\(request.path ?? "")"
    requestFields = Array(request.headerFields)
    requestBody = body
    status = reply.response.status.code
    responseFields = Array(reply.response.headerFields)
    responseBody = reply.body
    responseSize = reply.body.count
  }

  static func type(_ fields: [HTTPField]) -> String {
    fields.first { $0.name == .contentType }?.value.lowercased() ?? ""
  }

  // MARK: Written

  /// The file.
  static func document(_ entries: [CassetteEntry], _ redaction: inout Redaction) -> JSON {
    let list = entries.map { $0.json(&redaction) }
    return object([
      (
        "log",
        object([
          ("version", .string("1.2")),
          (
            "creator",
            object([
              ("name", .string("Entrance")),
              ("version", .string(PublicClientApplication.sdkVersion)),
            ])
          ),
          ("entries", .array(list)),
        ])
      )
    ])
  }

  /// The entry, with stand-ins.
  func json(_ redaction: inout Redaction) -> JSON {
    let address = redaction.url(url)
    let type = Self.type(requestFields)
    var request: [(String, JSON)] = [
      ("method", .string(method)), ("url", .string(address)), ("httpVersion", .string("unknown")),
      ("cookies", .array([])), ("headers", Self.fields(requestFields, &redaction)),
      ("queryString", Self.query(of: address)), ("headersSize", .number("-1")),
      ("bodySize", .number("\(requestBody.count)")),
    ]
    if !requestBody.isEmpty {
      request.append(
        (
          "postData",
          Self.object([
            ("mimeType", .string(type)),
            ("text", .string(redaction.body(requestBody, of: type) ?? "")),
          ])
        ))
    }
    let answerType = Self.type(responseFields)
    var content: [(String, JSON)] = [
      ("size", .number("\(responseSize)")), ("mimeType", .string(answerType)),
    ]
    if let text = redaction.body(responseBody, of: answerType) {
      content.append(("text", .string(text)))
    }
    let fields = Self.fields(responseFields, &redaction)
    let location = responseFields.first { $0.name == .location }?.value
    let response: [(String, JSON)] = [
      ("status", .number("\(status)")), ("statusText", .string("")),
      ("httpVersion", .string("unknown")), ("cookies", .array([])), ("headers", fields),
      ("content", Self.object(content)),
      ("redirectURL", .string(location.map { redaction.url($0) } ?? "")),
      ("headersSize", .number("-1")), ("bodySize", .number("-1")),
    ]
    let time = JSON.number("\(Int(milliseconds))")
    return Self.object([
      ("startedDateTime", .string(start.formatted(.iso8601))), ("time", time),
      ("request", Self.object(request)), ("response", Self.object(response)),
      ("cache", Self.object([])),
      (
        "timings",
        Self.object([("send", .number("0")), ("wait", time), ("receive", .number("0"))])
      ),
    ])
  }

  private static func fields(_ fields: [HTTPField], _ redaction: inout Redaction) -> JSON {
    var list: [JSON] = []
    for field in fields {
      list.append(
        object([
          ("name", .string(field.name.rawName)),
          ("value", .string(redaction.value(of: field.name, field.value))),
        ]))
    }
    return .array(list)
  }

  private static func query(of url: String) -> JSON {
    let parameters = FormEncoding.query(of: url).flatMap { FormEncoding.parse($0) } ?? []
    return .array(
      parameters.map { object([("name", .string($0.name)), ("value", .string($0.value))]) })
  }

  static func object(_ members: [(String, JSON)]) -> JSON {
    .object(members.map { JSON.Member($0.0, $0.1) })
  }

  // MARK: Read

  /// The entries of a file; nil when it is no recording.
  static func entries(of json: JSON) -> [CassetteEntry]? {
    guard let list = json["log"]?["entries"]?.array else { return nil }
    return list.compactMap(CassetteEntry.init(har:))
  }

  private init?(har json: JSON) {
    guard let request = json["request"], let response = json["response"],
      let method = request["method"]?.string, let url = request["url"]?.string,
      let status = response["status"]?.integer, (100...599).contains(status)
    else { return nil }
    start =
      json["startedDateTime"]?.string.flatMap { try? Date($0, strategy: .iso8601) } ?? Date()
    (self.method, self.url, self.status) = (method, url, status)
    requestFields = Self.fields(request["headers"])
    responseFields = Self.fields(response["headers"])
    requestBody = Data((request["postData"]?["text"]?.string ?? "").utf8)
    let text = response["content"]?["text"]?.string
    responseBody = Data((text ?? "").utf8)
    responseSize = text == nil ? max(response["content"]?["size"]?.integer ?? 0, 0) : 0
  }

  private static func fields(_ json: JSON?) -> [HTTPField] {
    (json?.array ?? []).prefix(HTTPFields.limit).compactMap { field in
      guard let name = field["name"]?.string.flatMap({ HTTPField.Name($0) }),
        let value = field["value"]?.string, HTTPField.isValidValue(value)
      else { return nil }
      return HTTPField(name: name, value: value)
    }
  }
}

extension Cassette {
  /// A request and its answer as a recording, with the same stand-ins.
  ///
  /// - Parameters:
  ///   - start: when it was sent.
  ///   - duration: how long the answer took.
  package static func recording(
    of request: HTTPRequest, body: Data, _ reply: HTTPReply, start: Date, duration: Duration
  ) -> JSON {
    var entry = CassetteEntry(request, body, reply, start: start)
    let (seconds, rest) = duration.components
    entry.milliseconds = max(0, (Double(seconds) * 1000 + Double(rest) / 1e15).rounded())
    var redaction = Redaction()
    // What is known by the end is replaced in what comes before, too.
    _ = entry.json(&redaction)
    return CassetteEntry.document([entry], &redaction)
  }
}
