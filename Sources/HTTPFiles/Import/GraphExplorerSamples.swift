import AuthCore
import Sentences

/// Reads the samples of Microsoft's Graph Explorer: the file `sample-queries.json` of
/// `microsoftgraph/microsoft-graph-devx-content`, or the same from its API.
enum GraphExplorerSamples {
  /// The samples in a document; nil when it has none.
  static func list(in document: JSON) -> [JSON]? {
    // The API begins its names with a lower-case letter.
    document["SampleQueries"]?.array ?? document["sampleQueries"]?.array
  }

  /// Adds the request of each sample.
  static func read(_ samples: [JSON], _ requests: inout ImportedRequests) {
    for (index, sample) in samples.enumerated() {
      guard let text = sample["requestUrl"]?.string, !text.isEmpty else {
        requests.remark(
          Sentence("Entry {number} is left out: it has no request.", ["number": index + 1]))
        continue
      }
      guard let url = address(text) else {
        requests.remark(
          Sentence(
            "Entry {number} is left out: its address does not begin with “https”.",
            ["number": index + 1]))
        continue
      }
      var content = HTTPFile.Content(
        method: sample["method"]?.string ?? "GET", url: url, fields: [ImportedRequests.token])
      for field in sample["headers"]?.array ?? [] {
        guard let name = field["name"]?.string, !name.isEmpty else { continue }
        content.fields.append(HTTPFile.Field(name, field["value"]?.string ?? ""))
      }
      content.body = sample["postBody"]?.string ?? ""
      if !content.body.isEmpty { content.setType("application/json") }
      let names = [sample["category"]?.string, sample["humanName"]?.string].compactMap(\.self)
      requests.add(names.filter { !$0.isEmpty }.joined(separator: " / "), content)
    }
  }

  /// The whole address, because most samples have the path in Microsoft Graph only; nil when it is
  /// one that cannot be requested.
  private static func address(_ text: String) -> String? {
    let scheme = text.prefix { $0.isASCII && $0.isLetter }
    guard text[scheme.endIndex...].hasPrefix("://") else {
      let path = text.drop { $0 == "/" }
      return "https://graph.microsoft.com/\(path)"
    }
    return ["https", "http"].contains(scheme.lowercased()) ? text : nil
  }
}
