import Localization
import MicrosoftGraph

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
