import AuthCore
import Localization

/// What a window is doing, what came of it, and the notices about it; all pages share it.
///
/// Only one piece of work runs at a time, and it can be canceled.
@MainActor
public final class WindowStatus {
  /// What happened, of which the log is a view.
  public let activity: Activity
  /// The observers of short messages that need no place on a page.
  public let toasts = Observers<String>()
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

  /// The work in progress; nil when idle.
  private(set) var work: Work? { didSet { if work != oldValue { changes.notify(()) } } }
  /// What the sign-in in progress waits for; nil without one.
  private(set) var signInStep: SignInStep? {
    didSet { if signInStep != oldValue { changes.notify(()) } }
  }
  /// What came of the last work, in a sentence or two; nil at first and while work has none yet.
  private(set) var outcome: String? { didSet { if outcome != oldValue { changes.notify(()) } } }
  private(set) var notices = NoticeBoard() {
    didSet { if notices != oldValue { changes.notify(()) } }
  }

  /// What the process waits for before it ends, during work that the user has confirmed.
  private(set) var unfinished: UnfinishedWork?

  /// Repeats the work in progress, or the one that failed while there is a notice of it.
  private(set) var tryAgain: (@MainActor () -> Void)?

  private let runner: OneAtATime
  private let countdown = Countdown()

  /// Creates the status of an idle window of `workspace`.
  init(_ workspace: Workspace) {
    self.workspace = workspace
    activity = Activity(now: workspace.now, privacy: workspace.privacy)
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
    accounts.close()
    activity.changes.removeAll()
    countdown.stop()
    forgetWork()
    if work?.isConfirmed != true { cancel() }
  }
}

// MARK: - Work

extension WindowStatus {
  /// Whether work can start.
  var canStart: Bool { work == nil || work == .preparingResponse }

  /// Starts work, unless other work prevents it.
  ///
  /// - Parameters:
  ///   - work: what it is; nil for reading accounts, which has the lowest priority.
  ///   - tryAgain: does more than this work again, which is a part of it; nil when it is not.
  /// - Returns: the task; nil when it was not started.
  func start(
    _ work: Work?, tryAgain: (@MainActor () -> Void)? = nil,
    _ body: @escaping @MainActor () async -> Void
  ) -> Task<Void, Never>? {
    let task = runner.start(isAskedFor: work != nil, body) { self.endWork() }
    if task != nil, let work {
      self.work = work
      outcome = nil
      dismissFailure()
      let startAgain: @MainActor () -> Void = { [weak self] in _ = self?.start(work, body) }
      self.tryAgain = tryAgain ?? startAgain
      keepProcess(work.isConfirmed)
    }
    return task
  }

  /// Starts work that the user has confirmed, such as a sign-out: what only reads is canceled for
  /// it.
  ///
  /// - Returns: the task; nil when other work prevents it, which is said.
  func startConfirmed(
    _ work: Work, _ body: @escaping @MainActor () async -> Void
  ) -> Task<Void, Never>? {
    if self.work?.isReading == true {
      runner.letOthersStart()
      cancel()
    }
    let task = start(work, body)
    if task == nil { tellObstacle() }
    return task
  }

  /// Has the process wait for the work, or not, as while a page is shown for it.
  func keepProcess(_ isKept: Bool) { unfinished = isKept ? UnfinishedWork() : nil }

  /// Says what to do before what the user asked for can start.
  func tellObstacle() { if let obstacle { toasts.notify(obstacle) } }

  /// What to do before other work can start; nil when it can.
  public var obstacle: String? { canStart ? nil : work?.obstacle }

  private func endWork() {
    work = nil
    keepProcess(false)
    if !countdown.isRunning, notices[Notice.failureID] == nil { forgetWork() }
  }

  /// What the work knew, such as a passphrase, is not kept longer than it is needed.
  private func forgetWork() { tryAgain = nil }

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

  /// Shows what is done from now on, which other work need not wait for.
  func letOthersStart(during work: Work) {
    runner.letOthersStart()
    self.work = work
  }

  /// Cancels the work in progress.
  public func cancel() { runner.cancel() }

  /// Returns when no work is in progress.
  public func finishWork() async { await runner.finish() }
}

// MARK: - Notices

extension WindowStatus {
  func put(_ notice: Notice) { notices.put(notice) }

  func remove(_ id: Notice.ID) { notices.remove(id) }

  /// Removes the notice of the last failure, and stops its countdown.
  public func dismissFailure() {
    countdown.stop()
    remove(Notice.failureID)
    forgetWork()
  }

  /// Removes a notice that the user has read.
  public func dismiss(_ id: Notice.ID) {
    guard notices[id]?.canBeDismissed == true else { return }
    if id == Notice.failureID { dismissFailure() } else { remove(id) }
  }

  /// Counts down in a notice, then repeats what was stopped: all that *Try Again* would.
  func countDown(_ seconds: Int64, in notice: @escaping @MainActor (Int) -> Notice) {
    countdown.start(seconds) { [weak self] in
      self?.put(notice($0))
    } end: { [weak self] in
      let tryAgain = self?.tryAgain
      self?.dismissFailure()
      tryAgain?()
    }
  }
}

// MARK: - What is said

extension WindowStatus {
  /// Logs a line without a user action, such as a warning at startup.
  public func log(_ text: String) { log(text, .information) }

  func log(_ text: String, _ kind: ActivityEvent.Kind) {
    activity.add(kind, LogMessage(text))
  }

  /// Adds a step to the activity; Microsoft's tutorial logs it for External ID only.
  func logStep(
    _ text: String, _ kind: ActivityEvent.Kind = .signIn, title: String? = nil
  ) {
    activity.add(
      kind, LogMessage(text), account: accounts.selected?.username, title: title,
      isInLog: workspace.connection.isExternalID)
  }

  /// Logs what came of the work, with details below it, and shows it in the status line.
  func log(_ text: String, _ details: [String], _ kind: ActivityEvent.Kind = .information) {
    activity.add(
      kind, LogMessage(lines: [text] + details.map { "    \($0)" }),
      account: accounts.selected?.username)
    show(outcome: text)
  }

  /// Logs what came of the work, and shows it in the status line.
  func conclude(_ text: String) { log(text, []) }

  /// Shows what came of the work in the status line, after what else came of the same work.
  func show(outcome: String) {
    let before = work == nil ? nil : self.outcome
    self.outcome = join([before, outcome.plain].compactMap(\.self))
  }
}
