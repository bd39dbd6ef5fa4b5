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

  let application: PublicClientApplication
  let graph: GraphClient
  let connection: Connection
  let store: ChosenStore?
  let makeSession: @MainActor () -> any WebAuthenticationSession
  private let now: () -> Date
  private var book = LogBook()
  let work = OneAtATime()
  var account: Account?
  private var hasLoadedAccount = false
  /// Why the current account is unknown; nil when it is known.
  var readingFailure: AuthenticationError?
  private var hasToldOfUnsolicited = false

  /// Creates the model.
  ///
  /// - Parameters:
  ///   - application: signs people in.
  ///   - graph: calls the connection's API.
  ///   - connection: the app registration.
  ///   - store: the application's store, if it is chosen at run time.
  ///   - makeSession: creates the session that shows the sign-in pages, when they are needed.
  ///   - now: the clock for the log.
  public init(
    application: PublicClientApplication, graph: GraphClient, connection: Connection,
    store: ChosenStore? = nil,
    makeSession: @escaping @MainActor () -> any WebAuthenticationSession,
    now: @escaping () -> Date = { Date() }
  ) {
    self.application = application
    self.graph = graph
    self.connection = connection
    self.store = store
    self.makeSession = makeSession
    self.now = now
    state = AccountState()
    let notices: [AccountState.Notice?] = [
      connection.isDemo ? .demo : nil,
      connection.application.isSharedDevice ? .sharedDevice : nil,
    ]
    state = AccountState(subtitle: subtitle, notices: notices.compactMap(\.self))
  }

  // MARK: - Actions of the page

  /// Loads the current account: at startup, and whenever the window comes to the foreground.
  ///
  /// - Returns: the task; nil when other work is in progress.
  @discardableResult
  public func activate() -> Task<Void, Never>? {
    start(nil) {
      let waiting = self.announceWaiting()
      await self.loadCurrentAccount()
      waiting.cancel()
    }
  }

  /// *Call Microsoft Graph API*: acquires a token, silently if possible, and calls the API.
  @discardableResult
  public func callGraph() -> Task<Void, Never>? {
    start(.callingGraph) {
      guard let result = await self.acquireToken() else { return }
      await self.callGraph(with: result)
    }
  }

  /// *Get device info*.
  @discardableResult
  public func getDeviceInformation() -> Task<Void, Never>? {
    start(.gettingDeviceInformation) {
      let report = await DeviceReport(self.application, self.graph, self.connection)
      // Facts that are in the first line, or part of the system's name.
      let told = ["mode", "operatingSystemID", "operatingSystemVersion"]
      let lines = report.facts.filter { !told.contains($0.name) }.map { "\($0.label): \($0.text)" }
      let storage = await self.store?.choice.kind
      guard !Task.isCancelled else {
        return self.conclude(
          tr("Device info not returned. Error: {error}", ["error": tr("It was canceled.")]))
      }
      self.log(
        tr("Received device info. Device is in the {mode} mode.", ["mode": report.mode.rawValue]),
        lines + (storage.map { [Self.text($0)] } ?? []))
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
    cancel()
  }

  /// Sets whether the log shows tokens in full or shortened.
  public func setShowsFullTokens(_ shows: Bool) {
    guard shows != state.showsFullTokens else { return }
    state.showsFullTokens = shows
    logChanges.tell(.replaced(book.entries(showingTokens: shows)))
  }

  /// Empties the log.
  public func clearLog() {
    book.clear()
    logChanges.tell(.replaced([]))
  }

  /// Logs that another program opened a redirect URI, only once: a web page can do so any number of
  /// times.
  ///
  /// The sign-in window takes its redirect from its own page, so a redirect from outside never
  /// belongs to a request.
  public func handleUnsolicited() {
    guard !hasToldOfUnsolicited else { return }
    hasToldOfUnsolicited = true
    conclude(tr("Ignored a sign-in response from outside this window"))
  }

  /// Logs a line without a user action, such as a warning at startup.
  public func log(_ text: String) {
    append(LogMessage(text))
  }

  // MARK: - Account

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
        readingFailure.details.map { tr($0) })
    }
    tell(
      state.username.map { tr("Signed in as {username}.", ["username": $0]) } ?? tr("Signed out"))
    if let previous {
      conclude(
        tr(
          "The account with username {username} has been signed out.",
          ["username": previous.username]))
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
  /// - Returns: the previous account, when it was a different one.
  @discardableResult
  func updateAccount() async -> Account? {
    let found = await application.currentAccount()
    account = found.current
    await updateStorageNotice()
    return found.previous
  }

  /// Shows the current account, as far as it is known.
  func showAccount() {
    // The log must not keep tokens of an account that is no longer signed in.
    if account == nil, readingFailure == nil, book.forgetTokens(), state.showsFullTokens {
      logChanges.tell(.replaced(book.entries(showingTokens: true)))
    }
    var next = state
    next.standing = readingFailure == nil ? .known : .unavailable
    next.username = account?.username.plain
    next.displayName = account?.name?.plain
    next.subtitle = subtitle
    state = next
  }

  private var subtitle: String {
    guard account != nil || readingFailure == nil else {
      return tr("Your accounts could not be read")
    }
    return AccountState.subtitle(
      of: account, account.flatMap(application.tenantProfile), at: connection
    ).plain
  }

  /// Starts work, unless other work prevents it; loading the account, which has no activity, has
  /// the lowest priority.
  func start(
    _ activity: AccountState.Activity?, _ body: @escaping @MainActor () async -> Void
  ) -> Task<Void, Never>? {
    let task = work.start(isAskedFor: activity != nil, body) { self.state.activity = nil }
    if task != nil, activity != nil {
      var next = state
      next.activity = activity
      next.outcome = nil
      state = next
    }
    return task
  }

  // MARK: - Log

  var isExternalID: Bool { connection.application.authority.kind == .externalID }

  /// Logs a line that Microsoft's tutorial has for External ID only.
  func logStep(_ text: String) {
    if isExternalID { log(text) }
  }

  /// Logs an error with details, and shows it in the status line with what to do next.
  func log(_ text: String, _ error: AuthenticationError, signIn: String? = nil) {
    let advice = [error.advice(signIn: signIn)].compactMap(\.self)
    log(text, advice + error.details.map { tr($0) })
    advice.forEach(tell)
  }

  /// Logs what came of the work, with details below it, and shows it in the status line.
  func log(_ text: String, _ details: [String]) {
    append(LogMessage(lines: [text] + details.map { "    \($0)" }))
    tell(text)
  }

  /// Logs what came of the work, and shows it in the status line.
  func conclude(_ text: String) { log(text, []) }

  /// Shows what came of the work in the status line, after what else came of the same work.
  func tell(_ outcome: String) {
    let before = state.activity == nil ? nil : state.outcome
    state.outcome = [before, outcome.plain].compactMap(\.self).joined(separator: " ")
  }

  func append(_ message: LogMessage) {
    let date = now()
    book.append(message, at: date)
    let text = message.text(showingTokens: state.showsFullTokens)
    logChanges.tell(.added(LogEntry(date: date, text: text)))
  }
}
