import Localization
import MicrosoftGraph

// Content that Graph has at another address.
extension ExplorerModel {
  /// *Save…* for an answer that leads to its content: writes the content to a file, without the token
  /// at the other address.
  ///
  /// - Returns: the task; nil when the answer does not lead to any.
  @discardableResult
  public func download(to path: String) -> Task<Void, Never>? {
    guard state.work == nil, !state.isWindowBusy, let answer, answer.isElsewhere else { return nil }
    return start { model, _ in await model.download(answer.request, to: path) }
  }

  /// *Pause*: stops the download in progress, until it is resumed or canceled.
  public func pauseDownload() { currentDownload?.pause() }

  /// *Resume*: goes on with a download that is paused.
  public func resumeDownload() { currentDownload?.resume() }

  private func download(_ request: ExplorerRequest, to path: String) async {
    tokens.begin(for: otherSender) { [weak self] in self?.show($0) }
    var client = client
    // What is lost on the way is asked for again, unlike a request that the person is to see fail.
    client.retry = RetryPolicy()
    let download = ExplorerDownload(client.download(request.graphRequest()), to: path) {
      [weak self] in self?.show($0)
    }
    currentDownload = download
    defer { currentDownload = nil }
    do throws(GraphError) {
      try await download.run()
      window.status.toasts.notify(tr("Saved"))
    } catch {
      guard error.code != .cancelled, !Task.isCancelled else { return }
      window.status.toasts.notify(tr(error.sentence))
    }
  }
}
