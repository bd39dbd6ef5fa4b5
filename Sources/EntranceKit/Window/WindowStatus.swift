import AuthCore
import Localization

/// What a window is doing, its outcome, and the notices about it; all pages share it.
///
/// Only one piece of work has the window's turn, and it can be canceled. A request to an API goes
/// on beside it, and takes a turn only for a token.
@MainActor
public final class WindowStatus {
  /// All events; the log shows some of them.
  public let activity: Activity
  /// The observers of short messages that need no place on a page.
  public let toasts = Observers<String>()
  /// The observers of work that has ended, which may have taken long.
  public let endedWork = Observers<EndedWork>()
  /// The observers of everything else.
  let changes = Observers<Void>()
  /// The observers of the window's end.
  let closing = Observers<Void>()
  /// Whether the window is closed.
  private(set) var isClosed = false

  /// What the windows of the connection share.
  let workspace: Workspace
  /// The accounts, and which of them is selected.
  let accounts: AccountList

  /// The work that has the window's turn; nil when other work can start.
  private(set) var work: Work? { didSet { if work != oldValue { changes.notify(()) } } }
  /// The account page's request, during which other work can start; nil without one.
  private(set) var request: Work? { didSet { if request != oldValue { changes.notify(()) } } }
  /// What the sign-in in progress waits for; nil without one.
  private(set) var signInStep: SignInStep? {
    didSet { if signInStep != oldValue { changes.notify(()) } }
  }
  /// The outcome of the last work, in a sentence or two; nil at first and while work has none yet.
  private(set) var outcome: String? { didSet { if outcome != oldValue { changes.notify(()) } } }
  private(set) var notices = Notices() {
    didSet { if notices != oldValue { changes.notify(()) } }
  }

  /// What the process waits for before it ends, during work that the user has confirmed.
  private(set) var unfinished: UnfinishedWork?

  /// Repeats what failed, while there is a notice of it.
  private(set) var tryAgain: (@MainActor () -> Void)?
  /// Repeats the work in progress.
  private var repeatWork: (@MainActor () -> Void)?
  /// Whether the work in progress is for a request of the Explorer.
  private var isWorkOfExplorer = false
  /// Whether that has failed last.
  private var isFailureOfExplorer = false

  private let runner: OneAtATime
  private let requests = OneAtATime()
  private let countdown = Countdown()

  /// Creates the status of an idle window of `workspace`.
  ///
  /// - Parameter activity: its events so far; nil for none.
  init(_ workspace: Workspace, _ activity: Activity? = nil) {
    self.workspace = workspace
    self.activity = activity ?? Activity(now: workspace.now, privacy: workspace.privacy)
    accounts = AccountList(workspace)
    runner = workspace.makeWork()
  }

  /// Cancels the work in progress, unless the user has confirmed it, and removes all observers,
  /// because the window is closed.
  func close() {
    isClosed = true
    closing.notify(())
    closing.removeAll()
    changes.removeAll()
    toasts.removeAll()
    endedWork.removeAll()
    accounts.close()
    activity.changes.removeAll()
    countdown.stop()
    tryAgain = nil
    requests.cancel()
    if work?.isConfirmed != true { runner.cancel() }
  }
}

// MARK: - Work

extension WindowStatus {
  /// Whether work can start.
  var canStart: Bool { work == nil }

  /// Whether a request can begin: other work has no turn, or only reads and ends by itself, so that
  /// the request waits for its token.
  var canBegin: Bool { work?.isReading ?? true }

  /// Whether nothing is in progress.
  var isIdle: Bool { work == nil && request == nil }

  /// Starts work, unless other work prevents it.
  ///
  /// - Parameters:
  ///   - work: what it is; nil for reading accounts, which has the lowest priority.
  ///   - tryAgain: repeats the whole task that this work is a part of; nil to repeat this work.
  ///   - isOfExplorer: whether it is for a request of the Explorer, which settles nothing that has failed
  ///     on another page.
  /// - Returns: the task; nil when it was not started.
  func start(
    _ work: Work?, tryAgain: (@MainActor () -> Void)? = nil, isOfExplorer: Bool = false,
    _ body: @escaping @MainActor () async -> Void
  ) -> Task<Void, Never>? {
    let task = runner.start(isUserInitiated: work != nil, body) { self.endWork() }
    if task != nil, let work {
      self.work = work
      isWorkOfExplorer = isOfExplorer
      if isOfExplorer, !isFailureOfExplorer { removeOutcome() } else { forgetOutcome() }
      let startAgain: @MainActor () -> Void = { [weak self] in
        _ = self?.start(work, isOfExplorer: isOfExplorer, body)
      }
      repeatWork = tryAgain ?? startAgain
      keepProcess(work.isConfirmed)
    }
    return task
  }

  /// Starts work that the user has confirmed, such as a sign-out, and cancels work that only reads.
  ///
  /// - Returns: the task; nil when other work prevents it, and the user was told.
  func startConfirmed(
    _ work: Work, _ body: @escaping @MainActor () async -> Void
  ) -> Task<Void, Never>? {
    if self.work?.isReading == true {
      runner.letOthersStart()
      runner.cancel()
    }
    let task = start(work) {
      // After the outcome of a request.
      if self.request?.isReading == true { self.requests.cancel() }
      await self.requests.finish()
      await body()
    }
    if task == nil { showObstacle() }
    return task
  }

  /// Sets whether the process waits for the work before it ends: not while a page is shown for it.
  func keepProcess(_ isKept: Bool) { unfinished = isKept ? UnfinishedWork() : nil }

  /// Shows what the user has to do before the requested work can start.
  func showObstacle() { if let obstacle { toasts.notify(obstacle) } }

  /// What to do before other work can start; nil when it can.
  public var obstacle: String? { canStart ? nil : work?.obstacle }

  private func endWork() {
    work = nil
    isWorkOfExplorer = false
    keepProcess(false)
    // Its closure may retain secrets of the work.
    repeatWork = nil
  }

  /// Shows what is done now, for a part of the work.
  ///
  /// - Returns: what was shown before.
  @discardableResult
  func show(_ work: Work?) -> Work? {
    defer { self.work = work }
    return self.work
  }

  /// Shows what the sign-in waits for; nil when it has ended.
  func show(_ step: SignInStep?) { signInStep = step }

  /// Cancels the work in progress; if there is none, the request.
  public func cancel() {
    if work != nil || request == nil { runner.cancel() }
    // The turn may be the request's own.
    if work == nil || work == request { requests.cancel() }
  }

  /// Returns when no work is in progress, other than a request.
  public func finishWork() async { await runner.finish() }
}

// MARK: - Requests

extension WindowStatus {
  /// Whether the account page's next request can start.
  var canRequest: Bool { canStart && !requests.isBusy }

  /// Starts a request of the account page, during which other work can start.
  ///
  /// - Parameter turn: the work that it begins with, to get a token; nil for none.
  /// - Returns: the task; nil when another request prevents it.
  func startRequest(
    _ request: Work, after turn: Task<Void, Never>? = nil,
    _ body: @escaping @MainActor () async -> Void
  ) -> Task<Void, Never>? {
    let task = requests.start {
      if let turn { await self.end(of: turn) }
      await body()
    } whenIdle: {
      self.request = nil
    }
    guard task != nil else { return nil }
    if turn == nil { forgetOutcome() }
    self.request = request
    return task
  }

  /// Shows what the request does from now on, during which another one can start.
  func letOthersStart(during request: Work) {
    requests.letOthersStart()
    self.request = request
  }

  /// Gets a token for a request in progress, of this page or another one, in the window's turn.
  ///
  /// - Parameters:
  ///   - tryAgain: repeats the request.
  ///   - isOfExplorer: whether it is one of the Explorer.
  /// - Returns: the token; nil when there is none, or the request was canceled.
  func inTurn(
    tryAgain: (@MainActor () -> Void)?, isOfExplorer: Bool = false,
    _ getToken: @escaping @MainActor () async -> AuthenticationResult?
  ) async -> AuthenticationResult? {
    while !Task.isCancelled {
      var result: AuthenticationResult?
      // Sign Out cancels it.
      let turn = start(.callingGraph, tryAgain: tryAgain, isOfExplorer: isOfExplorer) {
        result = await getToken()
      }
      if let turn {
        await end(of: turn)
        return result
      }
      await waitForTurn()
    }
    return nil
  }

  /// Returns when a turn has ended, which is canceled with the request.
  private func end(of turn: Task<Void, Never>) async {
    await withTaskCancellationHandler {
      await turn.value
    } onCancel: {
      turn.cancel()
    }
  }

  /// Returns when no work is in progress, or when the request is canceled: then work that has been
  /// confirmed waits for its end.
  private func waitForTurn() async {
    let (turns, next) = AsyncStream<Void>.makeStream()
    Task {
      await runner.finish()
      next.finish()
    }
    for await _ in turns {}
  }
}

// MARK: - Notices

extension WindowStatus {
  func put(_ notice: Notice) { notices.put(notice) }

  /// Puts the notice of a failure after all others.
  ///
  /// - Parameter tryAgain: repeats what failed; nil for the work in progress.
  func put(failure notice: Notice, tryAgain: (@MainActor () -> Void)?) {
    // The countdown of an earlier failure would put its own notice there again.
    countdown.stop()
    remove(notice.id)
    put(notice)
    setTryAgain(tryAgain)
  }

  /// - Parameter action: repeats what failed; nil for the work in progress.
  private func setTryAgain(_ action: (@MainActor () -> Void)?) {
    isFailureOfExplorer = action == nil && isWorkOfExplorer
    tryAgain = action ?? repeatWork
  }

  func remove(_ id: Notice.ID) { notices.remove(id) }

  /// Removes the notice of the last failure, and stops its countdown.
  public func dismissFailure() {
    countdown.stop()
    remove(Notice.failureID)
    tryAgain = nil
  }

  /// Removes a notice that the user has read.
  public func dismiss(_ id: Notice.ID) {
    guard notices[id]?.canBeDismissed == true else { return }
    if id == Notice.failureID { dismissFailure() } else { remove(id) }
  }

  /// Counts down in a notice, then repeats the stopped work, once no other work is in progress.
  ///
  /// - Parameters:
  ///   - tryAgain: repeats it; nil for the work in progress.
  ///   - last: the notice at the end, where the person repeats it; nil when it is repeated by itself.
  func countDown(
    _ seconds: Int64, tryAgain: (@MainActor () -> Void)?, last: Notice? = nil,
    in notice: @escaping @MainActor (Int) -> Notice
  ) {
    setTryAgain(tryAgain)
    countdown.start(seconds) { [weak self] in
      self?.put(notice($0))
    } end: { [weak self] in
      if let last { self?.put(last) } else { self?.repeatStopped() }
    }
  }

  /// Whether the pause that the API asks for is counted down, and a call before its end is sent.
  var isCountingDownForAPI: Bool {
    notices[Notice.failureID]?.buttons.contains { $0.action == .callGraph } ?? false
  }

  private func repeatStopped() {
    guard canStart else {
      let notice = notices[Notice.failureID]
      Task { [weak self] in
        await self?.finishWork()
        // The work may have another failure, or the user has canceled.
        if let self, notice != nil, notices[Notice.failureID] == notice { repeatStopped() }
      }
      return
    }
    let tryAgain = tryAgain
    dismissFailure()
    Repetition.$isByItself.withValue(true) { tryAgain?() }
  }
}

// MARK: - Log and status line

extension WindowStatus {
  /// Logs a line without a user action, such as a warning at startup.
  public func log(_ text: String) { log(text, .information) }

  func log(_ text: String, _ kind: ActivityEvent.Kind) {
    activity.add(kind, LogMessage(text))
  }

  /// Adds a step to the activity; Microsoft's tutorial logs it for External ID only.
  ///
  /// - Parameter account: whose it is; nil for the selected account.
  func logStep(
    _ text: String, _ kind: ActivityEvent.Kind = .signIn, title: String? = nil,
    of account: Account? = nil
  ) {
    activity.add(
      kind, LogMessage(text), account: (account ?? accounts.selected)?.username, title: title,
      isInLog: workspace.connection.isExternalID)
  }

  /// Logs the outcome of the work, with details below it, and shows it in the status line, unless a
  /// notice says it already.
  ///
  /// - Parameter account: whose it is; nil for the selected account.
  func log(
    _ text: String, _ details: [String], _ kind: ActivityEvent.Kind = .information,
    of account: Account? = nil, isInNotice: Bool = false
  ) {
    activity.add(
      kind, LogMessage(lines: [text] + details.map { "    \($0)" }),
      account: (account ?? accounts.selected)?.username)
    if !isInNotice { show(outcome: text) }
  }

  /// Logs the outcome of the work, and shows it in the status line.
  func conclude(_ text: String) { log(text, []) }

  /// Forgets the outcome of the last work, because there is something new.
  func forgetOutcome() {
    outcome = nil
    dismissFailure()
  }

  /// Removes the outcome from the status line, because a page shows it in a place of its own.
  func removeOutcome() { outcome = nil }

  /// Shows the outcome of the work in the status line, after earlier outcomes of the same work.
  func show(outcome: String) {
    let before = isIdle ? nil : self.outcome
    self.outcome = join([before, outcome.plain].compactMap(\.self))
  }
}
