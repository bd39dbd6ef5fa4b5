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

  private func download(_ request: ExplorerRequest, to path: String) async {
    tokens.begin(for: otherSender) { [weak self] in self?.show($0) }
    do throws(GraphError) {
      try await Self.write(client.download(request.graphRequest()), to: path) { [weak self] size in
        self?.show(.saving(size))
      }
      window.status.toasts.notify(tr("Saved"))
    } catch {
      guard error.code != .cancelled else { return }
      window.status.toasts.notify(tr(error.sentence))
    }
  }

  /// Writes the content, on another thread than the caller's.
  @concurrent
  private static func write(
    _ download: GraphDownload, to path: String, show: @escaping @MainActor (Int) -> Void
  ) async throws(GraphError) {
    var shown = 0
    try await download.write(to: path) { progress in
      // A number that changes with each piece cannot be read.
      guard progress.completed - shown > 1 << 20 else { return }
      shown = progress.completed
      let size = shown
      Task { @MainActor in show(size) }
    }
  }
}
