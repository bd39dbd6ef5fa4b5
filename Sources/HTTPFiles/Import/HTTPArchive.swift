import AuthCore
import Sentences

/// Reads an HTTP archive (HAR 1.2).
enum HTTPArchive {
  /// Adds the request of each entry.
  static func read(_ entries: [JSON], _ requests: inout ImportedRequests) {
    for (index, entry) in entries.enumerated() {
      guard let request = entry["request"], let url = request["url"]?.string else {
        requests.remark(
          Sentence("Entry {number} is left out: it has no request.", ["number": index + 1]))
        continue
      }
      let scheme = url.prefix { $0 != ":" }.lowercased()
      guard scheme == "https" || scheme == "http" else {
        requests.remark(
          Sentence(
            "Entry {number} is left out: its address does not begin with “https”.",
            ["number": index + 1]))
        continue
      }
      var content = HTTPFile.Content(method: request["method"]?.string ?? "GET", url: url)
      content.fields = (request["headers"]?.array ?? []).compactMap { field in
        field["name"]?.string.map { HTTPFile.Field($0, field["value"]?.string ?? "") }
      }
      if let data = request["postData"] {
        content.body = data["text"]?.string ?? ""
        if content.body.isEmpty, let parameters = data["params"]?.array {
          content.body = form(parameters)
        }
        if let type = data["mimeType"]?.string, !content.body.isEmpty { content.setType(type) }
      }
      requests.add("", content)
    }
  }

  private static func form(_ parameters: [JSON]) -> String {
    FormEncoding.body(
      parameters.compactMap { parameter in
        parameter["name"]?.string.map { ($0, parameter["value"]?.string ?? "") }
      })
  }
}
