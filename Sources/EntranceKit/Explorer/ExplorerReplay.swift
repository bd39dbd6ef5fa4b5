import AuthCore
import MicrosoftGraph

/// A recording that answers the page's requests in place of the API.
struct ExplorerReplay: Sendable {
  /// The file.
  let path: String
  /// The name of the file.
  var name: String { RequestFile(path: path).name.plain }
  /// The API that was recorded.
  let graph: GraphClient
  let requests: [Cassette.Request]

  /// Reads the file at `path`.
  @concurrent
  static func read(_ path: String) async throws(GraphError) -> ExplorerReplay {
    let (graph, requests) = try Cassette.open(path)
    return ExplorerReplay(path: path, graph: graph, requests: requests)
  }

  /// The requests of the recording, as lines of the list.
  @MainActor var rows: [ExplorerListModel.Row] {
    requests.compactMap { recorded in
      guard let method = ExplorerRequest.Method(rawValue: recorded.method) else { return nil }
      let request = ExplorerRequest(
        method, ExplorerRequest.shown(recorded.url, graph.host), body: recorded.body)
      return ExplorerListModel.Row(
        title: "\(recorded.method) \(request.address)".plain,
        details: HTTPStatusText.text(recorded.status), date: nil, request: request)
    }
  }
}
