import AuthCore
import HTTPTypes
import Localization
import MicrosoftGraph

// Whether an answer is what was asked for.
extension ExplorerAnswer {
  /// Whether the content is at another address, to which the answer leads.
  public var isElsewhere: Bool {
    request.method == .get && [301, 302, 307, 308].contains(status)
  }

  /// Whether it is a success, also of each request of a batch.
  public var isSuccess: Bool { failure == nil && !failsInPart }

  /// Whether something went wrong: not when it was canceled, or leads to the content.
  public var isFailure: Bool { failure?.isCanceled == false && !isElsewhere }

  /// How many items there are, when more pages follow; nil when none does.
  public var pagesText: String? {
    guard nextLink != nil else { return nil }
    if isFailure { return tr("The next page was not received.") }
    return tr(
      .plural(
        "{count} item, more available", "{count} items, more available",
        count: table?.count ?? 0))
  }

  /// How many requests of a batch failed, in words; nil when none did, and for no batch (Microsoft
  /// Graph, “Combine multiple HTTP requests using JSON batching”).
  static func batchText(_ json: JSON, request: ExplorerRequest) -> String? {
    let path = request.address.prefix { $0 != "?" }.lowercased().replacing("%24", with: "$")
    guard path.split(separator: "/").last == "$batch", let parts = json["responses"]?.array else {
      return nil
    }
    let failed = parts.count { ($0["status"]?.integer ?? 0) >= 400 }
    guard failed > 0 else { return nil }
    return tr("Failed requests: {count} of {total}", ["count": failed, "total": parts.count])
  }

  /// That a web page in place of Graph's answer is not from Graph; empty for its own pages, which are
  /// the content of a OneNote page or of a file.
  var pageHints: [String] {
    guard isSuccess, let url, NetworkPage.isPage(contentType, original) else { return [] }
    let isGraphs = GraphCloud.all.contains { url.hasPrefix("https://\($0.host)/") }
    let path = url.prefix { $0 != "?" }.lowercased()
    let isContent = ["/content", "/$value", "/%24value"].contains { path.hasSuffix($0) }
    return isGraphs && !isContent ? [NetworkPage.sentence(about: "Microsoft Graph")] : []
  }
}
