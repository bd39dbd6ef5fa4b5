import AuthCore
import Localization
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

// Recordings of what is exchanged, and recordings in place of the API.
extension ExplorerModel {
  /// *Record…*: records what the windows of the app exchange, in the file at `path`.
  @discardableResult
  public func record(to path: String) -> Task<Void, Never>? {
    window.recording.start(path, in: window)
  }

  /// *Open Recording…*: requests are answered from the file at `path` from now on, and not sent.
  @discardableResult
  public func openRecording(_ path: String) -> Task<Void, Never> {
    Task { [weak self] in
      do throws(GraphError) {
        let replay = try await ExplorerReplay.read(path)
        self?.use(replay)
      } catch {
        self?.showMessage(tr("Recording Not Opened"), tr(error.sentence))
      }
    }
  }

  /// *Stop Replaying*: requests are sent again.
  public func stopReplaying() { if replay != nil { use(nil) } }

  /// What is said while a recording answers; nil when none does.
  var replayText: String? {
    replay.map { replay in
      tr(
        "Responses are from the recording {file}. Nothing is sent.",
        ["file": window.workspace.privacy.shown(replay.name)])
    }
  }
}
