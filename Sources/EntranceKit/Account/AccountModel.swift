import AuthCore
import Connections
import Localization

/// The model of the account page: the tutorial's three buttons, the account label and the log.
@MainActor
public final class AccountModel {
  /// The current state of the page.
  public private(set) var state = AccountState() {
    didSet { if state != oldValue { changes.notify(state) } }
  }
  /// The observers of the state.
  public let changes = Observers<AccountState>()
  /// The observers of requests to the page, such as to show a dialog.
  public let requests = Observers<AccountRequest>()
  /// The log.
  public let log: LogModel
  /// Signs accounts out.
  public let signOut: SignOutModel
  /// The window that the page belongs to.
  public let window: WindowModel

  private let status: WindowStatus
  private var workspace: Workspace { status.workspace }
  private var connection: Connection { workspace.connection }
  private var observers: [Observer] = []

  /// Creates the model of the account page of `window`.
  public init(_ window: WindowModel) {
    self.window = window
    status = window.status
    log = LogModel(status.activity, window.workspace.preferences)
    signOut = SignOutModel(window, requests)
    draw()
    observers = [
      status.changes.add { [weak self] in self?.draw() },
      status.accounts.changes.add { [weak self] in self?.draw() },
      window.storage.changes.add { [weak self] in self?.draw() },
      log.changes.add { [weak self] in self?.follow($0) },
    ]
  }

  /// Removes all observers, because the window is closed.
  public func close() {
    changes.removeAll()
    requests.removeAll()
    log.close()
    observers = []
  }

  // MARK: - Actions

  /// *Call Microsoft Graph API*: acquires a token, silently if possible, and calls the API; other
  /// work can start during the call.
  ///
  /// Nothing is sent during a pause that the API has asked for, unless the person sees it counted down.
  ///
  /// - Returns: the task; nil when other work prevents it.
  @discardableResult
  public func callGraph() -> Task<Void, Never>? {
    guard status.canRequest else { return nil }
    let tryAgain: @MainActor () -> Void = { [weak self] in _ = self?.callGraph() }
    // Before there is a token, which no other address may get.
    guard !connection.api.isEmpty else {
      status.logMissingAPI(tryAgain: tryAgain)
      return nil
    }
    // Before the notice is removed.
    let obeysPauses = !status.isCountingDownForAPI
    var call: GraphCall?
    let turn = status.start(.callingGraph, tryAgain: tryAgain) {
      guard let token = await self.window.tokens.token() else { return }
      call = GraphCall(self.window, with: token, obeysPauses: obeysPauses, tryAgain: tryAgain)
    }
    guard let turn else { return nil }
    var task: Task<Void, Never>?
    task = status.startRequest(.callingGraph, after: turn) { await call?.send { task?.cancel() } }
    return task
  }

  /// *Use a Browser*, *Use a Code*, *Sign In Here*: changes the way of the sign-in in progress, or
  /// signs in by that way.
  @discardableResult
  public func signIn(by way: SignInWay) -> Task<Void, Never>? {
    window.tokens.use(way) ? nil : window.accounts.signIn(by: way)
  }

  /// The ways to sign in that the connection can be used with.
  public var ways: [SignInWay] { connection.signInWays }

  /// *Get device info*: also asks the selected account's organization, if that needs no sign-in; is
  /// canceled when the account is signed out.
  ///
  /// - Returns: the task; nil when other work prevents it.
  @discardableResult
  public func getDeviceInformation() -> Task<Void, Never>? {
    guard status.canRequest else { return nil }
    let (accounts, account) = (status.accounts, status.accounts.selected)
    let (application, graph, connection) = (workspace.application, workspace.graph, connection)
    let hasLeft: @MainActor () -> Bool = {
      account.map { !accounts.has(AccountKey($0)) } ?? false
    }
    var task: Task<Void, Never>?
    let observer = accounts.removals.add { if hasLeft() { task?.cancel() } }
    task = status.startRequest(.gettingDeviceInformation) {
      defer { withExtendedLifetime(observer) {} }
      let report = await DeviceReport(application, graph, connection, account: account)
      // Facts that are in the first line, or part of the system's name.
      let shown = ["mode", "operatingSystemID", "operatingSystemVersion"]
      let lines = report.facts.filter { !shown.contains($0.name) }.map { "\($0.label): \($0.text)" }
      let storage = await self.workspace.store?.choice.kind
      let (outcome, details): (String, [String]) =
        Task.isCancelled
        ? (tr("Device info not returned. Error: {error}", ["error": tr("Canceled.")]), [])
        : (
          tr("Received device info. Device is in the {mode} mode.", ["mode": report.mode.rawValue]),
          lines + (storage.map { [AccountStorage.text($0)] } ?? [])
        )
      // Another account may be selected now.
      self.status.activity.add(
        .information, LogMessage(lines: [outcome] + details.map { "    \($0)" }),
        account: hasLeft() ? nil : account?.username)
      self.status.show(outcome: outcome)
    }
    return task
  }

  // MARK: - Drawing

  private func follow(_ change: LogChange) {
    // The state depends only on whether the log has lines.
    if case .added = change, state.hasLog { return }
    draw()
  }

  private func draw() {
    let (accounts, loadState) = (status.accounts, window.storage.loadState)
    let privacy = workspace.privacy
    let rows = accounts.rows.map { privacy.shown($0) }
    let selected = rows.first(where: \.isSelected)
    var next = AccountState(
      loadState: loadState, username: privacy.shown(ifAny: accounts.selected?.username.shownName),
      displayName: selected?.displayName,
      subtitle: selected?.subtitle
        ?? (loadState == .locked
          ? tr("The keyring is locked")
          : loadState == .unavailable
            ? tr("Your accounts could not be read") : connection.signInHint),
      work: status.work ?? status.request, outcome: privacy.shown(ifAny: status.outcome),
      notices: status.notices.all.map { privacy.shown($0) },
      showsFullTokens: log.showsFullTokens)
    next.isRequest = status.work == nil && status.request != nil
    next.rows = rows
    next.hasLog = !log.isEmpty
    next.canAddAccounts = window.accounts.canAdd
    next.signIn = status.signInStep
    next.canShowFullTokens = log.canShowFullTokens
    state = next
  }
}
