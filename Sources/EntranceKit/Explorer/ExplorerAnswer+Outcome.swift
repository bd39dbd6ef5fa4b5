import HTTPTypes
import MicrosoftGraph

// Whether an answer is what was asked for.
extension ExplorerAnswer {
  /// Whether the content is at another address, to which the answer leads.
  public var isElsewhere: Bool {
    request.method == .get && [301, 302, 307, 308].contains(status)
  }

  /// Whether it is a success.
  public var isSuccess: Bool { failure == nil }

  /// Whether something went wrong: not when it was canceled, or leads to the content.
  public var isFailure: Bool { failure?.isCanceled == false && !isElsewhere }

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
