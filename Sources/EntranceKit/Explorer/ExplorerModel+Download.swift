import AuthCore
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
    // Another answer can take its place meanwhile.
    return start { [answerSender] model, _ in
      await model.download(answer.sentRequest, to: path, for: answerSender)
    }
  }

  /// What is said of a file that was written.
  public func textOfSaved(_ path: String) -> String {
    tr("Saved as {file}", ["file": privacy.shown(RequestFile(path: path).name.plain)])
  }

  /// What a question says before a download in progress, or one that is paused, is lost; nil without one.
  public var downloadText: String? {
    guard let path = currentDownload?.path else { return nil }
    return tr(
      "{file} is not complete yet. What was received will be deleted.",
      ["file": privacy.shown(RequestFile(path: path).name.plain)])
  }

  /// *Pause*: stops the download in progress, until it is resumed or canceled.
  public func pauseDownload() { currentDownload?.pause() }

  /// *Resume*: goes on with a download that is paused.
  public func resumeDownload() {
    guard canSend(for: currentDownload?.sender) else { return }
    beginDownload()
    currentDownload?.resume()
  }

  /// Gets the tokens of the account that the download is for, whichever is selected by now.
  private func beginDownload() {
    guard let sender = currentDownload?.sender else { return }
    let isOwn = sender == tokens.sender && sender == window.status.accounts.selectedID
    tokens.begin(for: isOwn ? nil : row(of: sender)) { [weak self] in
      // How much is written stays in sight.
      if self?.state.work?.progressText == nil { self?.show($0) }
    }
  }

  /// The pauses that the API has asked the account of a download for; nil when a recording answers.
  private func pauses(of sender: AccountRow.ID?) -> GraphPauses? {
    guard replay == nil,
      let account = sender.flatMap({ window.status.accounts.account($0.account) })
    else { return nil }
    return GraphPauses(app: window.workspace.application, account: account)
  }

  private func download(
    _ request: GraphRequest, to path: String, for sender: AccountRow.ID?
  ) async {
    guard canSend(for: sender) else { return }
    var client = client
    // What is lost on the way is asked for again, unlike a request that the person is to see fail.
    client.retry = RetryPolicy()
    client.pauses = pauses(of: sender)
    let wait: @MainActor (Duration) -> Void = { [weak self] in
      self?.currentDownload?.wait(for: $0)
    }
    client.willPause = { pause, error in
      if error.retryAfter != nil { Task { @MainActor in wait(pause) } }
    }
    let name = RequestFile(path: path).name
    let download = ExplorerDownload(
      client.download(request), to: path, for: sender
    ) { [weak self] work in
      let wasPaused = self?.state.work?.isPaused == true
      self?.show(work)
      // The person has not paused it.
      if !wasPaused, case .paused(_, of: _, because: .some, wait: _) = work {
        self?.reportEnd(of: EndedWork(.download(name), .paused))
      }
    }
    currentDownload = download
    defer { currentDownload = nil }
    beginDownload()
    do throws(GraphError) {
      try await download.run()
      window.status.toasts.notify(textOfSaved(path))
      reportEnd(of: EndedWork(.download(name), .done))
    } catch {
      guard error.code != .cancelled, !Task.isCancelled else { return }
      let isInNotice = error.code == .noToken && tokens.isRefusalInNotice
      if !isInNotice { window.status.toasts.notify(tr(error.sentence)) }
      reportEnd(of: EndedWork(.download(name), .failed))
    }
  }
}
