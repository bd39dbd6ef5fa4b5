import AuthCore
import CurlHTTP
import FoundationEssentials
import HTTPTypes

/// A request and its response.
struct CassetteEntry: Sendable {
  var start: Date
  var milliseconds = 0.0
  var method: String
  var url: String
  var requestFields: [HTTPField]
  /// The body that is kept: not that of a file.
  var requestBody: Data
  var requestSize: Int
  var status: Int
  var responseFields: [HTTPField]
  /// The body that is kept: not that of a file.
  var responseBody: Data
  var responseSize: Int

  init(_ request: HTTPRequest, _ body: Data, _ reply: HTTPReply, start: Date) {
    self.start = start
    milliseconds = Self.milliseconds(since: start)
    method = request.method.rawValue
    url = "\(request.scheme ?? "https")://\(request.authority ?? "")\(request.path ?? "")"
    requestFields = Array(request.headerFields)
    (requestBody, requestSize) = (body, body.count)
    status = reply.response.status.code
    responseFields = Array(reply.response.headerFields)
    (responseBody, responseSize) = (reply.body, reply.body.count)
    leaveOutContent()
  }

  /// A request whose body of so many bytes was not in memory, so that it is not kept.
  init(_ request: HTTPRequest, bodySize: Int, _ reply: HTTPReply, start: Date) {
    self.init(request, Data(), reply, start: start)
    requestSize = bodySize
  }

  /// Leaves out what is of a file that is sent, or asked for.
  mutating func leaveOutContent() {
    guard isContent else { return }
    requestBody = Data()
    if method == HTTPRequest.Method.get.rawValue, (200...299).contains(status) {
      responseBody = Data()
    }
  }

  /// Whether it is about a file: a fragment of an upload, or what Graph's paths call so.
  private var isContent: Bool {
    let path = url.prefix { !"?#".contains($0) }
    return requestFields.contains { $0.name == .contentRange }
      || ["/content", "/$value"].contains { path.hasSuffix($0) }
  }

  private static func milliseconds(since start: Date) -> Double {
    max(0, (Date().timeIntervalSince(start) * 1000).rounded())
  }

  /// How many bytes of bodies are kept.
  var keptSize: Int { requestBody.count + responseBody.count }

  /// Leaves the bodies out, but for their sizes.
  mutating func leaveOutBodies() { (requestBody, responseBody) = (Data(), Data()) }

  /// Notes a piece of a body that is received as a stream: a file, unless it is an error's.
  mutating func receive(_ piece: Data) {
    // Nothing more is kept of one that was left out.
    let isWhole = responseBody.count == responseSize
    responseSize += piece.count
    if isWhole, !(200...299).contains(status) { responseBody += piece }
    milliseconds = Self.milliseconds(since: start)
  }

  static func type(_ fields: [HTTPField]) -> String {
    fields.first { $0.name == .contentType }?.value.lowercased() ?? ""
  }

  // MARK: Written

  /// How long its request and answer took.
  var seconds: Double { milliseconds / 1000 }

  /// The file.
  static func document(_ entries: [CassetteEntry], _ redaction: inout Redaction) -> JSON {
    let list = entries.map { $0.json(&redaction) }
    return [
      "log": [
        "version": "1.2",
        "creator": [
          "name": "Entrance", "version": .string(PublicClientApplication.sdkVersion),
        ],
        "entries": .array(list),
      ]
    ]
  }

  /// The entry, with stand-ins.
  func json(_ redaction: inout Redaction) -> JSON {
    let address = redaction.url(url)
    let isOfSignIn = redaction.isSignIn(url)
    let isOfBatch = Redaction.address(url).hasSuffix("/$batch")
    let type = Self.type(requestFields)
    var request: [JSON.Member] = [
      .init("method", .string(method)), .init("url", .string(address)),
      .init("httpVersion", "unknown"), .init("cookies", []),
      .init("headers", Self.fields(requestFields, &redaction)),
      .init("queryString", Self.query(of: address)), .init("headersSize", -1),
      .init("bodySize", .number("\(requestSize)")),
    ]
    if requestSize > 0 {
      let text = redaction.body(
        requestBody, of: type, isOfSignIn: isOfSignIn, isOfBatch: isOfBatch)
      request.append(
        .init("postData", ["mimeType": .string(type), "text": .string(text ?? "")]))
    }
    let answerType = Self.type(responseFields)
    var content: [JSON.Member] = [
      .init("size", .number("\(responseSize)")), .init("mimeType", .string(answerType)),
    ]
    let isKept = responseBody.count == responseSize
    if isKept,
      let text = redaction.body(
        responseBody, of: answerType, isOfSignIn: isOfSignIn, isOfBatch: isOfBatch)
    {
      content.append(.init("text", .string(text)))
    }
    let fields = Self.fields(responseFields, &redaction)
    let location = responseFields.first { $0.name == .location }?.value
    let time = JSON.number("\(Int(milliseconds))")
    return [
      "startedDateTime": .string(Self.text(start)), "time": time,
      "request": .object(request),
      "response": [
        "status": .number("\(status)"), "statusText": "", "httpVersion": "unknown",
        "cookies": [], "headers": fields, "content": .object(content),
        "redirectURL": .string(location.map { redaction.url($0) } ?? ""), "headersSize": -1,
        "bodySize": -1,
      ],
      "cache": [:], "timings": ["send": 0, "wait": time, "receive": 0],
    ]
  }

  /// A time with milliseconds, as browsers write it: it tells apart what was sent in one second.
  private static func text(_ date: Date) -> String {
    let seconds = date.timeIntervalSince1970.rounded(.down)
    let milliseconds = min(Int(((date.timeIntervalSince1970 - seconds) * 1000).rounded()), 999)
    let digits = String(1000 + milliseconds).dropFirst()
    return "\(Date(timeIntervalSince1970: seconds).formatted(.iso8601).dropLast()).\(digits)Z"
  }

  private static func fields(_ fields: [HTTPField], _ redaction: inout Redaction) -> JSON {
    var list: [JSON] = []
    for field in fields {
      let value = redaction.value(of: field.name, field.value)
      list.append(["name": .string(field.name.rawName), "value": .string(value)])
    }
    return .array(list)
  }

  private static func query(of url: String) -> JSON {
    let parameters = FormEncoding.query(of: url).flatMap { FormEncoding.parse($0) } ?? []
    return .array(parameters.map { ["name": .string($0.name), "value": .string($0.value)] })
  }

  // MARK: Read

  /// The longest time that is read, in milliseconds: a day.
  private static let longest = 24 * 60 * 60 * 1000

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
      json["startedDateTime"]?.string.flatMap { GraphResponse.date($0) } ?? Date()
    (self.method, self.url, self.status) = (method, url, status)
    requestFields = Self.fields(request["headers"])
    responseFields = Self.fields(response["headers"])
    milliseconds = Double(min(max(json["time"]?.integer ?? 0, 0), Self.longest))
    requestBody = Data((request["postData"]?["text"]?.string ?? "").utf8)
    requestSize =
      requestBody.isEmpty ? max(request["bodySize"]?.integer ?? 0, 0) : requestBody.count
    let content = response["content"]
    let text = content?["text"]?.string
    // Browsers encode what is no text, and some of them JSON, too.
    let isEncoded = content?["encoding"]?.string == "base64"
    let decoded = isEncoded ? text.flatMap { Data(base64Encoded: $0) } : nil
    responseBody = decoded ?? Data((text ?? "").utf8)
    responseSize = text == nil ? max(content?["size"]?.integer ?? 0, 0) : responseBody.count
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
