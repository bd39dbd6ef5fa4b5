import AuthCore
import Localization
import MicrosoftGraph

/// Content that is written to a file: it goes on after a lost connection, and can be paused.
///
/// What was received is beside the file while the download is paused or repeated, and is gone when it
/// has ended.
@MainActor
final class ExplorerDownload {
  /// The account that it is for; nil when a recording answers.
  let sender: AccountRow.ID?
  private let content: GraphDownload
  /// The file that it is written to.
  let path: String
  private let show: @MainActor (ExplorerState.Work) -> Void
  /// How much was received.
  private var size = 0
  /// The size of the whole; nil while it is not known.
  private var total: Int?
  /// What is received now; nil while the download is paused.
  private var attempt: Task<Result<Void, GraphError>, Never>?
  /// Counts the pause down that the service asks for.
  private let countdown = Countdown()
  /// Whether the person has paused it.
  private var isPaused = false
  /// Ends a pause; nil while there is none.
  private var pauseEnd: AsyncStream<Void>.Continuation?
  /// What the process waits for before it ends, once the download is canceled.
  private var unfinished: UnfinishedWork?

  /// Prepares a download.
  ///
  /// - Parameters:
  ///   - content: the content.
  ///   - path: the file, which appears when it is complete.
  ///   - sender: the account that it is for; nil when a recording answers.
  ///   - show: shows what is done.
  init(
    _ content: GraphDownload, to path: String, for sender: AccountRow.ID?,
    show: @escaping @MainActor (ExplorerState.Work) -> Void
  ) {
    (self.content, self.path, self.sender, self.show) = (content, path, sender, show)
  }

  /// Writes the content, with all pauses; canceling the task ends it.
  func run() async throws(GraphError) {
    var outcome = await receive()
    while !Task.isCancelled, case .failure(let error) = outcome, pauses(after: error) {
      await pause(after: isPaused ? nil : error)
      if !Task.isCancelled { outcome = await receive() }
    }
    await Self.discardKept(of: path)
    unfinished = nil
    try outcome.get()
  }

  /// Shows the pause that the service asks for, until it is over or something arrives.
  func wait(for pause: Duration) {
    // What comes late is shown no more.
    guard attempt != nil, !isPaused else { return }
    let seconds = Int64((pause / Duration.seconds(1)).rounded(.up))
    show(.waiting(size, of: total, left: Int(seconds)))
    countdown.start(seconds) { [weak self] in
      guard let self else { return }
      show(.waiting(size, of: total, left: $0))
    } end: { [weak self] in
      guard let self else { return }
      show(.saving(size, of: total))
    }
  }

  /// Has the process not end before what was received is gone, because the download is canceled.
  func keepProcess() { unfinished = UnfinishedWork() }

  /// *Pause*: stops receiving, until ``resume()``.
  func pause() {
    guard let attempt else { return }
    isPaused = true
    countdown.stop()
    attempt.cancel()
  }

  /// *Resume*: goes on where it stopped.
  func resume() { pauseEnd?.finish() }

  /// Whether the person is to say when it goes on: they have paused it, the service or the network
  /// fails for longer than requests are repeated, or there is no token at the moment.
  private func pauses(after error: GraphError) -> Bool {
    let passing: Set<GraphError.Code> = [
      .networkUnavailable, .serverUnavailable, .throttled, .noToken, .interactionRequired,
    ]
    return isPaused || size > 0 && passing.contains(error.code)
  }

  /// Waits until the person goes on.
  ///
  /// - Parameter error: what has stopped it; nil for the person.
  private func pause(after error: GraphError?) async {
    let (pause, end) = AsyncStream<Void>.makeStream()
    pauseEnd = end
    let reason = error.map { tr($0.sentence) }
    if let seconds = error?.retryAfter?.components.seconds {
      showPause(reason, .left(Int(seconds)))
      countdown.start(seconds) { [weak self] in
        self?.showPause(reason, .left($0))
      } end: { [weak self] in
        self?.showPause(reason, .over)
      }
    } else {
      showPause(reason, nil)
    }
    for await _ in pause {}
    countdown.stop()
    (pauseEnd, isPaused) = (nil, false)
    if !Task.isCancelled { show(.saving(size, of: total)) }
  }

  private func showPause(_ reason: String?, _ wait: ExplorerState.Wait?) {
    show(.paused(size, of: total, because: reason, wait: wait))
  }

  private func receive() async -> Result<Void, GraphError> {
    let task = Task { [content, path] in
      await Self.write(content, to: path) { [weak self] in self?.take($0) }
    }
    attempt = task
    defer {
      attempt = nil
      countdown.stop()
    }
    return await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
  }

  private func take(_ progress: GraphProgress) {
    // What comes late is shown no more.
    guard attempt != nil, !isPaused else { return }
    countdown.stop()
    (size, total) = (progress.completed, progress.total)
    show(.saving(size, of: total))
  }

  /// Writes the content, or what is missing of it, on another thread than the caller's.
  @concurrent
  private static func write(
    _ content: GraphDownload, to path: String, show: @escaping @MainActor (GraphProgress) -> Void
  ) async -> Result<Void, GraphError> {
    var shown = ""
    do throws(GraphError) {
      try await content.write(to: path, resuming: true) { progress in
        // Most pieces are too small to be seen.
        let size = ByteSize.text(progress.completed)
        guard size != shown else { return }
        shown = size
        Task { @MainActor in show(progress) }
      }
      return .success(())
    } catch {
      return .failure(error)
    }
  }

  @concurrent
  private static func discardKept(of path: String) async {
    GraphDownload.discardKept(of: path)
  }
}
