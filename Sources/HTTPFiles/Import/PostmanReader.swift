import AuthCore
import CurlHTTP
import Sentences

/// Reads a collection of Postman, in version 2.1 or 2.0.
struct PostmanReader {
  private var hasScripts = false

  /// Adds the requests of a collection, with those of its folders.
  mutating func read(_ collection: JSON, _ requests: inout ImportedRequests) {
    define(collection["variable"], &requests)
    hasScripts = Self.hasScripts(collection)
    let kind = Self.kind(of: collection["auth"], or: nil)
    for item in collection["item"]?.array ?? [] { read(item, in: "", kind, &requests) }
    if hasScripts { requests.remark(Sentence("Scripts are left out.")) }
  }

  private func define(_ list: JSON?, _ requests: inout ImportedRequests) {
    for variable in list?.array ?? [] where variable["disabled"]?.bool != true {
      guard let name = variable["key"]?.string ?? variable["id"]?.string else { continue }
      requests.define(
        name, Self.text(variable["value"]), isSecret: variable["type"]?.string == "secret")
    }
  }

  /// - Parameter kind: the kind of authorization of the folder, or the collection.
  private mutating func read(
    _ item: JSON, in folder: String, _ kind: String?, _ requests: inout ImportedRequests
  ) {
    if Self.hasScripts(item) { hasScripts = true }
    let name = folder + (item["name"]?.string ?? "")
    if let items = item["item"]?.array {
      define(item["variable"], &requests)
      let kind = Self.kind(of: item["auth"], or: kind)
      let folder = name.isEmpty ? "" : ImportedRequests.start(of: name) + " / "
      for item in items { read(item, in: folder, kind, &requests) }
      return
    }
    guard let request = item["request"] else { return }
    // A request can be its address alone.
    if let url = request.string {
      return requests.add(name, HTTPFile.Content(url: url, fields: token(kind, name, &requests)))
    }
    var content = HTTPFile.Content(
      method: request["method"]?.string ?? "GET", url: Self.url(request["url"]))
    content.fields = Self.fields(request["header"])
    if !content.has("authorization") {
      let kind = Self.kind(of: request["auth"], or: kind)
      content.fields.insert(contentsOf: token(kind, name, &requests), at: 0)
    }
    var hasFile = false
    if let body = request["body"], body["disabled"]?.bool != true {
      take(body, &content, name, &requests)
      hasFile = body["mode"]?.string == "file" && !content.body.isEmpty
    }
    requests.add(name, content, hasFile: hasFile)
  }

  private static func hasScripts(_ item: JSON) -> Bool {
    (item["event"]?.array ?? []).contains { event in
      let script = event["script"]?["exec"]
      return script?.string?.isEmpty == false
        || script?.array?.contains { $0.string?.isEmpty == false } == true
    }
  }

  /// The kind of authorization: the inherited one, unless there is an own one.
  private static func kind(of auth: JSON?, or inherited: String?) -> String? {
    guard let auth, auth.object != nil else { return inherited }
    return auth["type"]?.string.map { ImportedRequests.start(of: $0) }
  }

  /// The header field for the kind of authorization.
  private func token(
    _ kind: String?, _ name: String, _ requests: inout ImportedRequests
  ) -> [HTTPFile.Field] {
    switch kind {
    case nil, "noauth": return []
    case "bearer", "oauth2": return [ImportedRequests.token]
    case let kind?:
      requests.remark(
        Sentence(
          "{request}: the authorization “{name}” is left out.",
          [
            "request": ImportedRequests.short(name), "name": ImportedRequests.short(kind),
          ]))
      return []
    }
  }

  // MARK: Parts

  private static func url(_ url: JSON?) -> String {
    guard let url, url.object != nil else { return url?.string ?? "" }
    var text = url["raw"]?.string ?? composed(url)
    if let query = url["query"]?.array {
      let shown = query.filter { $0["disabled"]?.bool != true }.map { option in
        let name = option["key"]?.string ?? ""
        return option["value"]?.string.map { "\(name)=\($0)" } ?? name
      }
      text = text.prefix { $0 != "?" } + (shown.isEmpty ? "" : "?" + shown.joined(separator: "&"))
    }
    let values = (url["variable"]?.array ?? []).prefix(100).compactMap { variable in
      variable["key"]?.string.map { ($0, Self.text(variable["value"])) }
    }
    guard !values.isEmpty else { return text }
    let named = Dictionary(values) { first, _ in first }
    let path = text.prefix { $0 != "?" }
    var size = 0
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).map { part in
      // A longer address is refused.
      guard size <= HTTPFile.largest, part.first == ":",
        let value = named[String(part.dropFirst())]
      else { return String(part) }
      size += value.utf8.count
      return value.isEmpty ? "{{\(part.dropFirst())}}" : value
    }
    return parts.joined(separator: "/") + text[path.endIndex...]
  }

  /// An address of its parts.
  private static func composed(_ url: JSON) -> String {
    func parts(_ json: JSON?, _ separator: String) -> String {
      json?.string
        ?? (json?.array ?? []).map { $0.string ?? $0["value"]?.string ?? "" }
        .joined(separator: separator)
    }
    let scheme = url["protocol"]?.string.map { $0 + "://" } ?? ""
    let port = url["port"]?.string.map { ":" + $0 } ?? ""
    let path = parts(url["path"], "/")
    return scheme + parts(url["host"], ".") + port
      + (path.isEmpty || path.hasPrefix("/") ? path : "/" + path)
  }

  private static func fields(_ header: JSON?) -> [HTTPFile.Field] {
    if let text = header?.string {
      return text.split(whereSeparator: \.isNewline).compactMap { line in
        let name = line.prefix { $0 != ":" }
        guard name.count < line.count, !name.isEmpty else { return nil }
        return HTTPFile.Field(
          String(name.trimmed), String(line.dropFirst(name.count + 1).trimmed))
      }
    }
    return (header?.array ?? []).compactMap { field in
      guard field["disabled"]?.bool != true, let name = field["key"]?.string, !name.isEmpty else {
        return nil
      }
      return HTTPFile.Field(name, Self.text(field["value"]))
    }
  }

  private func take(
    _ body: JSON, _ content: inout HTTPFile.Content, _ name: String,
    _ requests: inout ImportedRequests
  ) {
    switch body["mode"]?.string {
    case nil: break
    case "raw":
      content.body = body["raw"]?.string ?? ""
      let language = body["options"]?["raw"]?["language"]?.string
      let types = ["json": "application/json", "xml": "application/xml", "text": "text/plain"]
      if let type = language.flatMap({ types[$0] }), !content.body.isEmpty {
        content.setType(type)
      }
    case "urlencoded":
      let pairs = (body["urlencoded"]?.array ?? []).filter { $0["disabled"]?.bool != true }
      content.body = pairs.compactMap { pair in
        pair["key"]?.string.map {
          "\(ImportedRequests.encodedKeepingVariables($0))=\(ImportedRequests.encodedKeepingVariables(Self.text(pair["value"])))"
        }
      }.joined(separator: "&")
      if !content.body.isEmpty { content.setType("application/x-www-form-urlencoded") }
    case "file":
      if let path = body["file"]?["src"]?.string, !path.isEmpty { content.body = "< \(path)" }
    case let mode?:
      requests.remark(
        Sentence(
          "{request}: a body of the kind “{name}” is left out.",
          ["request": ImportedRequests.short(name), "name": ImportedRequests.short(mode)]))
    }
  }

  private static func text(_ value: JSON?) -> String {
    switch value {
    case nil, .null: ""
    case .string(let text)?: text
    case let other?: other.compactText
    }
  }
}
