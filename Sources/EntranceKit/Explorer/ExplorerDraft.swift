import HTTPFiles
import MicrosoftGraph

/// What is written on the page, which stays there when the window goes to another app, unless a file has
/// it.
public struct ExplorerDraft: Sendable {
  let request: ExplorerRequest
  let origin: ExplorerOrigin?
  /// The whole address of a request of a file, which is that of its API, not of the page's.
  let url: String?
  /// The app that it was written for; nil for the demo, which is another one at each start.
  let app: String?
}

extension ExplorerModel {
  /// What is written; nil when it is what the page begins with.
  public var draft: ExplorerDraft? {
    guard origin != nil || request != firstRequest else { return nil }
    return ExplorerDraft(
      request: request, origin: origin,
      url: origin.map { request.content(in: $0.place.content, window.workspace.graph).url },
      app: window.heading.connectionName)
  }

  func take(_ draft: ExplorerDraft) {
    // A request of a file comes back only to its app, which was edited: the API and the accounts of
    // another one have nothing to do with it.
    let isOfApp = draft.app != nil && draft.app == window.heading.connectionName
    guard draft.origin == nil || isOfApp else { return }
    var request = draft.request
    if var origin = draft.origin, let url = draft.url,
      let saved = ExplorerRequest(origin.place.content, host: graph.host)
    {
      request.address = ExplorerRequest.shown(url, graph.host)
      origin.request = saved
      self.origin = origin
    }
    if draft.origin == nil { carried = request }
    self.request = request
    choiceCount += 1
  }
}
