import AuthCore
import CurlHTTP
import HTTPTypes
import Localization
import MicrosoftGraph

// What of an answer leads to another request. Nothing here sends one.
extension ExplorerModel {
  /// The request for the URL in a line of the answer's JSON; nil when it has none, or one of
  /// another host.
  public func linkedRequest(inLine line: String) -> ExplorerRequest? {
    guard answer != nil, let (name, text) = Self.member(of: line), text.contains("://"),
      !name.hasSuffix("@odata.context"), !text.contains("#"), !isHidden(text),
      let url = try? graph.url(of: GraphRequest(.get, GraphPath(url: text)))
    else { return nil }
    let origin = "https://\(graph.host)/"
    let address = url.hasPrefix(origin) ? String(url.dropFirst(origin.utf8.count - 1)) : url
    // Another page of the same list needs the same header fields.
    let isSameList = name.hasSuffix("@odata.nextLink") || name.hasSuffix("@odata.deltaLink")
    return ExplorerRequest(.get, address, fields: isSameList ? answer?.request.fields ?? "" : "")
  }

  /// The request for an item of the answer's list; nil when it has no ID, or the list cannot be
  /// asked for a single item.
  public func linkedRequest(row: Int) -> ExplorerRequest? {
    guard let answer, let table = answer.table, answer.request.method == .get,
      let column = table.columns.firstIndex(of: "id")
    else { return nil }
    let id = table.text(row: row, column: column)
    guard !id.isEmpty, id != ".", id != "..", !isHidden(id),
      let list = Self.address(ofListIn: answer.request.address)
    else { return nil }
    let request = ExplorerRequest(.get, "\(list)/\(FormEncoding.percentEncoded(id))")
    let isAllowed = (try? graph.url(of: request.graphRequest())) != nil
    return request.addressProblem == nil && isAllowed ? request : nil
  }

  /// Whether a part of the text is hidden, so that a request with it would fail: what stands for it
  /// has characters that are in no ID or URL.
  private func isHidden(_ text: String) -> Bool {
    window.workspace.privacy.isOn && !text.utf8.allSatisfy { 0x21...0x7E ~= $0 }
  }

  /// The name and the text of a line of JSON; an element of a list has no name.
  private static func member(of line: String) -> (name: String, text: String)? {
    var text = line.trimmed
    if text.hasSuffix(",") { text = text.dropLast() }
    if let element = (try? JSON(parsing: text.utf8))?.string { return ("", element) }
    guard let member = (try? JSON(parsing: "{\(text)}".utf8))?.object?.first,
      let value = member.value.string
    else { return nil }
    return (member.name, value)
  }

  /// Where the items of the list at `address` are; nil when they are not there, as for a function.
  private static func address(ofListIn address: String) -> String? {
    var path = address.trimmed.prefix { $0 != "?" }
    while path.hasSuffix("/") { path = path.dropLast() }
    guard let slash = path.unicodeScalars.lastIndex(of: "/") else {
      return path.isEmpty ? nil : String(path)
    }
    let last = path[path.index(after: slash)...]
    // The changes of a list are about its items.
    if ["delta", "delta()", "microsoft.graph.delta()"].contains(last) {
      return String(path[..<slash])
    }
    guard !last.hasPrefix("$"), !last.contains("(") else { return nil }
    return String(path)
  }
}
