public import AuthCore
public import Connections
public import FoundationEssentials
public import MicrosoftGraph
import Localization

/// The model of the account page: the tutorial's three buttons, the account label and the log.
///
/// Observe ``changes`` for the state, and ``logChanges`` for log lines. Only one piece of work runs
/// at a time, and it can be canceled.
@MainActor
public final class AccountModel {
  /// The current state of the page.
  public internal(set) var state: AccountState {
    didSet { if state != oldValue { changes.tell(state) } }
  }
  /// The observers of the state.
  public let changes = Observers<AccountState>()
  /// The observers of the log: new lines, and replaced lines.
  public let logChanges = Observers<LogChange>()
  /// The observers of short messages that need no place on the page.
  public let toasts = Observers<String>()

  /// Whether the computer's network can be used.
  public var network = NetworkStanding.available {
    didSet { if network != oldValue { showNetwork() } }
  }

  /// What the windows of the connection share.
  let workspace: Workspace
  let desktop: any SignInDesktop
  private var preferencesObserver: Observer?
  /// What happened, of which the log is a view.
  public let activity: Activity
  let work: OneAtATime
  /// The accounts, and which of them is selected.
  let accounts: AccountList
  private var observers: [Observer] = []
  /// The sign-in in progress.
  var signIn: SignIn?
  /// The way that the user has asked for; nil for the preferred one.
  var wayAskedFor: SignInWay?
  private var hasLoadedAccount = false
  /// Why the current account is unknown; nil when it is known.
  var readingFailure: AuthenticationError?
  private var hasToldOfUnsolicited = false
  /// Repeats a call when a service's pause ends.
  var countdown: Task<Void, Never>?
  /// The difference between the clocks, as the last answer of the sign-in service told it.
  var wrongClock: WrongClock?
  /// The last sign-out, if a part of it failed.
  var unfinishedSignOut: UnfinishedSignOut?

  /// Creates the model of a window of `workspace`.
  ///
  /// - Parameter desktop: shows the sign-in pages.
  public init(_ workspace: Workspace, on desktop: any SignInDesktop) {
    self.workspace = workspace
    self.desktop = desktop
    work = workspace.makeWork()
    accounts = AccountList(workspace)
    activity = Activity(now: workspace.now)
    state = AccountState()
    state = AccountState(subtitle: subtitle, notices: connection.isDemo ? [.demo] : [])
    showSharedDevice()
    followPreferences()
    observers = [
      workspace.changes.add { [weak self] in self?.followConnection() },
      workspace.libraryLines.add { [weak self] in
        self?.log($0.text, $0.isProblem ? .failure : .library)
      },
      activity.changes.add { [weak self] in self?.showInLog($0) },
      accounts.changes.add { [weak self] in self?.showAccount() },
      // The log must not keep tokens of an account that is no longer signed in.
      accounts.removals.add { [weak self] in self?.forgetTokens() },
    ]
  }

  // What the windows of the connection share.
  var connection: Connection { workspace.connection }
  var application: PublicClientApplication { workspace.application }
  var graph: GraphClient { workspace.graph }
  var store: ChosenStore? { workspace.store }
  var preferences: Preferences { workspace.preferences }
  var now: () -> Date { workspace.now }

  /// Shows an edited connection: accounts, selection and log stay.
  private func followConnection() {
    dismissFailure()
    showSharedDevice()
    showAccount()
    log(tr("The connection was changed."))
    activate()
  }

  /// Returns when no work is in progress.
  public func finishWork() async { await work.finish() }

  private func showSharedDevice() {
    let isShared = connection.application.isSharedDevice
    var next = state
    next.notices.removeAll { $0.id == AccountState.Notice.sharedDeviceID }
    if isShared { next.notices.append(.sharedDevice) }
    next.canAddAccounts = !isShared
    state = next
  }

  private func followPreferences() {
    applyTokenDisplay()
    preferencesObserver = preferences.changes.add { [weak self] key in
      if key == .tokenDisplay { self?.applyTokenDisplay() }
    }
  }

  private func applyTokenDisplay() {
    state.canShowFullTokens =
      preferences.tokenDisplay == .full || !preferences.isLocked(.tokenDisplay)
    state.showsFullTokens = preferences.tokenDisplay == .full
    logChanges.tell(.replaced(logEntries))
  }

  // MARK: - Actions of the page

  /// Loads the current account: at startup, and whenever the window comes to the foreground.
  ///
  /// - Returns: the task; nil when other work is in progress.
  @discardableResult
  public func activate() -> Task<Void, Never>? {
    checkClockAgain()
    return start(nil) {
      let waiting = self.announceWaiting()
      await self.loadCurrentAccount()
      waiting.cancel()
      self.accounts.readBrokerAccounts()
    }
  }

  /// *Call Microsoft Graph API*: acquires a token, silently if possible, and calls the API.
  ///
  /// - Parameter way: the way to sign in if necessary; nil for the preferred one.
  @discardableResult
  public func callGraph(signingInBy way: SignInWay? = nil) -> Task<Void, Never>? {
    start(.callingGraph) {
      self.wayAskedFor = way
      defer { self.wayAskedFor = nil }
      guard let result = await self.acquireToken() else { return }
      await self.callGraph(with: result)
    }
  }

  /// *Use Another Account*: lets the user select an account, and calls the API.
  @discardableResult
  public func useAnotherAccount() -> Task<Void, Never>? {
    start(.callingGraph) {
      guard let result = await self.acquireTokenInteractively(for: nil) else { return }
      await self.callGraph(with: result)
    }
  }

  /// Cancels the work in progress.
  public func cancel() {
    work.cancel()
  }

  /// Cancels the work in progress and removes all observers, because the window is closed.
  public func close() {
    changes.removeAll()
    logChanges.removeAll()
    countdown?.cancel()
    toasts.removeAll()
    accounts.close()
    preferencesObserver = nil
    observers = []
    cancel()
  }

  /// Sets whether this window's log shows tokens in full, or as the preference says.
  public func setShowsFullTokens(_ shows: Bool) {
    guard shows != state.showsFullTokens, state.canShowFullTokens else { return }
    state.showsFullTokens = shows
    logChanges.tell(.replaced(logEntries))
  }

  /// How the log shows tokens now.
  private var tokenDisplay: TokenDisplay {
    guard !state.showsFullTokens else { return .full }
    return preferences.tokenDisplay == .hidden ? .hidden : .shortened
  }

  /// The entries of the log, as it shows tokens now.
  public var logEntries: [ActivityEvent] {
    activity.events(showing: tokenDisplay).filter(\.isInLog)
  }

  /// Empties the log.
  public func clearLog() {
    activity.clear()
  }

  /// Logs that another program opened a redirect URI, only once: a web page can do so any number of
  /// times.
  ///
  /// Only ``resumeSignIn(with:)`` accepts one: the one that a sign-in in the browser waits for.
  public func handleUnsolicited() {
    guard !hasToldOfUnsolicited else { return }
    hasToldOfUnsolicited = true
    conclude(tr("Ignored a sign-in response from outside this window"))
  }

  /// Logs a line without a user action, such as a warning at startup.
  public func log(_ text: String) { log(text, .information) }

  func log(_ text: String, _ kind: ActivityEvent.Kind) {
    activity.add(kind, LogMessage(text))
  }

  // MARK: - Account

  /// The selected account; nil when there is none, or it is unknown.
  var account: Account? { accounts.selected }

  func loadCurrentAccount() async {
    let (before, failureBefore) = (account, readingFailure)
    let previous = await updateAccount()
    let isFirst = !hasLoadedAccount
    hasLoadedAccount = true
    guard isFirst || account != before || readingFailure != failureBefore else { return }
    if let readingFailure {
      return log(
        tr(
          "Couldn't query current account with error: {error}", ["error": readingFailure.sentence]),
        readingFailure.details.map { tr($0) }, .failure)
    }
    tell(
      state.username.map { tr("Signed in as {username}.", ["username": $0]) } ?? tr("Signed out"))
    if let previous {
      conclude(
        tr(
          "The account with username {username} has been signed out.",
          ["username": previous]))
    }
    if let account {
      log(
        tr(
          "Found a signed in account {username}. Updating data for that account...",
          ["username": account.username]))
    } else {
      log(tr("Account signed out. Updating UX"))
    }
  }

  /// Reads the current account, and shows it with the notices about the store.
  ///
  /// - Returns: the user name of the previous account, when it was a different one.
  @discardableResult
  func updateAccount() async -> String? {
    let found = await application.currentAccount()
    await accounts.read(current: found.current)
    if account != nil, account == unfinishedSignOut?.account { dismissSignOut() }
    await updateStorageNotice()
    let previous = readingFailure == nil ? accounts.takeAccountOfLastRun() : nil
    if readingFailure == nil { await accounts.remember() }
    showAccount()
    // An account that is still there was not signed out, but is no longer the last to sign in.
    let gone = found.previous.flatMap { accounts.all.contains($0) ? nil : $0 }
    return gone?.username ?? previous
  }

  /// Removes tokens from the log, where they are shortened from now on.
  func forgetTokens() { activity.forgetTokens() }

  /// Shows the current account, as far as it is known.
  func showAccount() {
    // The log must not keep tokens of an account that is no longer signed in.
    if account == nil, readingFailure == nil { forgetTokens() }
    var next = state
    next.standing = readingFailure == nil ? .known : .unavailable
    next.username = account?.username.plain
    next.displayName = account?.name?.plain
    next.subtitle = subtitle
    next.rows = accounts.rows
    state = next
  }

  private var subtitle: String {
    guard account != nil || readingFailure == nil else {
      return tr("Your accounts could not be read")
    }
    return accounts.selectedRow?.subtitle ?? AccountState.hint(at: connection)
  }

  /// Starts work, unless other work prevents it; loading the account, which has no activity, has
  /// the lowest priority.
  func start(
    _ activity: AccountState.Activity?, _ body: @escaping @MainActor () async -> Void
  ) -> Task<Void, Never>? {
    let task = work.start(isAskedFor: activity != nil, body) { self.state.activity = nil }
    if task != nil, activity != nil {
      dismissFailure()
      var next = state
      next.activity = activity
      next.outcome = nil
      state = next
    }
    return task
  }

  // MARK: - Log

  var isExternalID: Bool { connection.application.authority.kind == .externalID }

  /// Adds a step to the activity; Microsoft's tutorial logs it for External ID only.
  func logStep(
    _ text: String, _ kind: ActivityEvent.Kind = .signIn, title: String? = nil
  ) {
    activity.add(
      kind, LogMessage(text), account: account?.username, title: title, isInLog: isExternalID)
  }

  /// Logs an error with details, and shows it in the status line, and in a notice with the ways on.
  func log(_ text: String, _ error: AuthenticationError, signIn: String? = nil) {
    show(error)
    let advice = [error.advice(signIn: signIn)].compactMap(\.self)
    log(text, advice + error.details.map { tr($0) }, .failure)
    advice.forEach(tell)
  }

  /// Logs what came of the work, with details below it, and shows it in the status line.
  func log(_ text: String, _ details: [String], _ kind: ActivityEvent.Kind = .information) {
    activity.add(
      kind, LogMessage(lines: [text] + details.map { "    \($0)" }), account: account?.username)
    tell(text)
  }

  /// Logs what came of the work, and shows it in the status line.
  func conclude(_ text: String) { log(text, []) }

  /// Shows what came of the work in the status line, after what else came of the same work.
  func tell(_ outcome: String) {
    let before = state.activity == nil ? nil : state.outcome
    state.outcome = join([before, outcome.plain].compactMap(\.self))
  }

  /// Shows a change of the activity in the log.
  private func showInLog(_ change: Activity.Change) {
    switch change {
    case .added(let entry) where entry.isInLog:
      logChanges.tell(.added(entry.event(showing: tokenDisplay)))
    case .added: break
    case .tokensForgotten where !state.showsFullTokens: break
    case .removed, .tokensForgotten: logChanges.tell(.replaced(logEntries))
    }
  }
}
