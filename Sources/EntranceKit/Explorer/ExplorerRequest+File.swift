import CurlHTTP
import FoundationEssentials
import HTTPFiles
import Localization
import MicrosoftGraph

// A request as a file of requests has it.
extension ExplorerRequest {
  /// The header fields that a file has, and the person does not see: they are sent, or not, whatever
  /// they say.
  private static let hidden: Set<String> = ["authorization", "host", "content-length"]

  /// The place that the account's token is put into, as other programs know it.
  static let tokenField = HTTPFile.Field("Authorization", "Bearer {{$aadV2Token}}")

  /// The request that a file has; nil when Graph has no such method.
  ///
  /// - Parameter host: the host whose addresses are shown without it.
  init?(_ content: HTTPFile.Content, host: String) {
    guard let method = Method(rawValue: content.method) else { return nil }
    let fields = content.fields.filter { !Self.hidden.contains($0.name.lowercased()) }
      .map { "\($0.name): \($0.value)" }
    self.init(
      method, Self.shown(content.url, host), fields: fields.joined(separator: "\n"),
      body: content.body)
  }

  /// An address without the host that it is shown for.
  static func shown(_ url: String, _ host: String) -> String {
    let origin = "https://\(host)/"
    return url.hasPrefix(origin) ? String(url.dropFirst(origin.count - 1)) : url
  }

  /// The request for a file, without what is wrong in its header fields.
  ///
  /// - Parameters:
  ///   - old: what is in the file now, of which everything that is the same is kept.
  ///   - graph: the API that an address without a host belongs to.
  func content(in old: HTTPFile.Content?, _ graph: GraphClient) -> HTTPFile.Content {
    let text = String(address.trimmed)
    var url = text
    if let old, Self.shown(old.url, graph.host) == text {
      url = old.url
    } else if !text.contains("://"), !text.hasPrefix("{{") {
      url = Self.whole(text, graph)
    }
    return HTTPFile.Content(
      method: method.rawValue, url: url, fields: fileFields(old), body: fileBody)
  }

  /// An address with a host and a version, but as it was typed.
  private static func whole(_ address: String, _ graph: GraphClient) -> String {
    let path = address.drop { $0 == "/" }
    let first = path.prefix { !"/?#".contains($0) }
    let isVersioned = [GraphClient.Version.v1, .beta].contains { $0.rawValue == first }
    let version = isVersioned ? "" : graph.version.map { "\($0.rawValue)/" } ?? ""
    return "https://\(graph.host)/\(version)\(path)"
  }

  private func fileFields(_ old: HTTPFile.Content?) -> [HTTPFile.Field] {
    var result = fields.split(whereSeparator: \.isNewline).compactMap { line -> HTTPFile.Field? in
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { return nil }
      let field = HTTPFile.Field(
        String(parts[0].trimmed),
        String(parts[1].trimmed))
      return Self.hidden.contains(field.name.lowercased()) ? nil : field
    }
    guard let old else { return [Self.tokenField] + result }
    for (index, field) in old.fields.enumerated()
    where Self.hidden.contains(field.name.lowercased()) {
      result.insert(field, at: min(index, result.count))
    }
    return result
  }

  /// The body as a file has it: without empty lines at its end.
  private var fileBody: String {
    // U+2028 and the like are text, also in a JSON string.
    var lines = body.split(omittingEmptySubsequences: false) { ["\n", "\r\n", "\r"].contains($0) }
    while let last = lines.last, last.allSatisfy(\.isWhitespace) { lines.removeLast() }
    return lines.joined(separator: "\n")
  }

  /// The header fields without those that are secret or have a secret in them.
  var fieldsWithoutSecrets: String {
    fields.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).filter { line in
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      // What is no header field may become one.
      let value = parts.last ?? line
      return !HTTPFile.Field(String(parts[0].trimmed), String(value.trimmed)).isSecret
    }.joined(separator: "\n")
  }

  /// What a new request in a file is called.
  var nameInFile: String {
    let text = String(address.trimmed)
    return "\(method.rawValue) \(text.prefix { $0 != "?" })"
  }
}

extension HTTPFile.Content {
  /// Why its body must not be sent from a file, nor written to one: less would be sent than is
  /// written here.
  ///
  /// - Parameter old: what the file has; nil when the request is in none.
  func bodyProblem(in old: HTTPFile.Content? = nil) -> String? {
    var new = self
    if let old {
      // What is a comment in the file stays one, and "< name" is typed for what is in that file.
      let kept = Set(old.body.split(separator: "\n"))
      new.body = body.split(separator: "\n").filter { line in
        !kept.contains(line) && (!line.hasPrefix("<") || line.hasPrefix("<> "))
      }.joined(separator: "\n")
    }
    guard !new.isBodySentWhole else { return nil }
    return tr(
      "The body cannot be written to a file: lines that begin with “#”, “//”, “<”, or “>” would not"
        + " be sent from it.")
  }

  /// Why it must not be written: a token in it would be kept where everybody can read it.
  var secret: String? {
    let values = fields.filter { $0.name.lowercased() == "authorization" }.map(\.value)
    guard values.contains(where: { !$0.contains("{{") }) else { return nil }
    return tr(
      "A token does not belong in a file. In the file, write “{field}” in its place.",
      ["field": "Authorization: Bearer {{$aadV2Token}}"])
  }
}
