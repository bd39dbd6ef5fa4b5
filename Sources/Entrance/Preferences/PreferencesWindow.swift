import AuthCore
import Clients
import Connections
import EntranceKit
import Gtk
import Localization
import Sentences

/// The preferences: shows ``Preferences``, and what belongs to the window's connection.
@MainActor
final class PreferencesWindow: Presentable {
  let window: Window
  private let preferences: Preferences
  private let connections: ConnectionList
  private let workspaces: Workspaces
  private let permissions: PermissionsView?
  private let model: @MainActor () -> WindowModel?
  private let placeRow: ActionRow
  private let moveButton: Button
  private let keptRow: ActionRow
  private let wayRow: ComboRow
  private let clearRow: ActionRow
  private let clearButton: Button
  private var fields: [@MainActor () -> Void] = []
  private var observer: Observer?
  private let presenter: DialogPresenter
  private var keyringMove = AccountStorage.Location.Move.notPossible

  private lazy var move = Action("move") { [weak self] in self?.moveToKeyring() }
  private lazy var clearData = Action("clear-data") { [weak self] in self?.askToClearData() }
  private lazy var deleteSessions = Action("delete-sessions") { [weak self] in
    self?.deleteKeptSessions()
  }

  /// Creates the window; it is not shown yet.
  ///
  /// - Parameters:
  ///   - workspaces: the open connections.
  ///   - connection: the connection of the window below; nil when it has none.
  ///   - presenter: shows its dialogs.
  ///   - model: returns the current model of that connection.
  init(
    _ preferences: Preferences, _ connections: ConnectionList, _ workspaces: Workspaces,
    connection: Connection?, presenter: DialogPresenter,
    model: @escaping @MainActor () -> WindowModel?
  ) {
    self.preferences = preferences
    self.connections = connections
    self.workspaces = workspaces
    self.presenter = presenter
    self.model = model
    let builder = Builder(interface: "preferences-window")
    window = builder.object("window")
    window.nameOwnParts(search: tr("Search"))
    placeRow = builder.object("place_row")
    moveButton = builder.object("move_button")
    keptRow = builder.object("kept_row")
    wayRow = builder.object("way_row")
    clearRow = builder.object("clear_row")
    clearButton = builder.object("clear_button")
    let group: PreferencesGroup = builder.object("permissions_group")
    group.isVisible = connection != nil
    permissions = connection.map {
      PermissionsView(builder, group, PermissionsModel($0, connections))
    }
    bindSignIn(builder)
    bindPrivacy(builder)
    bindAppearance(builder)
    window.insert(ActionGroup([move, clearData, deleteSessions]), as: "preferences")
    showLocation(nil)
    observer = preferences.changes.add { [weak self] key in
      self?.draw()
      if key == .keepsWebSession { self?.announceKeptSessions() }
    }
  }

  func begin() {
    // GTK's own choice depends on what is drawn first.
    wayRow.grabFocus()
    Task { await refreshLocation() }
  }

  private func draw() {
    for field in fields { field() }
  }

  // MARK: Pages

  private func bindSignIn(_ builder: Builder) {
    bind(wayRow, .signInWay, \.signInWay)
    bind(builder, "session", .keepsWebSession, \.keepsWebSession)
    addField { [weak self] in self?.drawKeptSessions() }
    keptRow.isVisible = KeptData.webSessionCount > 0
    guard preferences.isSharedDevice else { return }
    let row: ActionRow = builder.object("session_row")
    row.isSensitive = false
    row.setSubtitle(tr("This computer is shared, so no session is stored."))
  }

  /// - Parameter failure: why some could not be deleted.
  private func drawKeptSessions(_ failure: String? = nil) {
    let count = KeptData.webSessionCount
    deleteSessions.isEnabled = count > 0
    let text =
      count == 0 ? tr("None") : tr(.plural("For {count} app", "For {count} apps", count: count))
    keptRow.setSubtitle([text, failure].compactMap(\.self).joined(separator: "\n"))
  }

  private func deleteKeptSessions() {
    let failures = KeptData.clearWebSessions()
    model()?.log(notCleared: failures)
    let failure = failures.first.map { tr($0.sentence) }
    drawKeptSessions(failure)
    // The button has lost the focus; the row that gets it is said with its text.
    if !deleteSessions.isEnabled, keptRow.grabFocus() { return }
    window.announce(failure ?? tr("None"))
  }

  /// Says why sessions remain that are no longer to be kept: what the main window says of it is
  /// behind this one.
  private func announceKeptSessions() {
    guard !preferences.keepsWebSession, let failure = KeptData.clearWebSessions().first else {
      return
    }
    drawKeptSessions(tr(failure.sentence))
    window.announce(tr(failure.sentence))
  }

  private func bindPrivacy(_ builder: Builder) {
    bind(builder.object("tokens_row"), .tokenDisplay, \.tokenDisplay)
    bind(
      builder, "clipboard", .clipboardLimit, \.clipboardLimit, Preferences.clipboardLimits,
      step: 10)
    bind(builder, "hiding", .hidesPersonalDetails, \.hidesPersonalDetails)
    bind(builder.object("retention_row"), .requestRetention, \.requestRetention)
    bind(builder, "bodies", .keepsBodies, \.keepsBodies)
    bind(builder.object("level_row"), .logLevel, \.logLevel)
    bind(builder, "personal", .logsPersonalData, \.logsPersonalData)
  }

  private func bindAppearance(_ builder: Builder) {
    bind(builder.object("style_row"), .style, \.style)
    bind(builder, "size", .logTextSize, \.logTextSize, Preferences.logTextSizes, step: 10)
    bind(builder, "wrap", .wrapsLog, \.wrapsLog)
  }

  // MARK: Rows

  private func bind<Choice: PreferenceChoice>(
    _ row: ComboRow, _ key: Preferences.Key,
    _ path: ReferenceWritableKeyPath<Preferences, Choice>
  ) {
    let choices = Array(Choice.allCases)
    row.setChoices(choices.map(\.label))
    addField { [preferences] in
      row.selected = choices.firstIndex(of: preferences[keyPath: path]) ?? 0
    }
    lock(row, key)
    row.onChange { [weak self, weak row] in
      guard let self, let row, choices.indices ~= row.selected else { return }
      preferences[keyPath: path] = choices[row.selected]
    }
  }

  private func bind(
    _ builder: Builder, _ name: String, _ key: Preferences.Key,
    _ path: ReferenceWritableKeyPath<Preferences, Bool>
  ) {
    let toggle: Switch = builder.object("\(name)_switch")
    addField { [preferences] in toggle.isOn = preferences[keyPath: path] }
    lock(builder.object("\(name)_row"), key)
    toggle.onChange { [weak self, weak toggle] in
      guard let self, let toggle else { return }
      preferences[keyPath: path] = toggle.isOn
    }
  }

  private func bind(
    _ builder: Builder, _ name: String, _ key: Preferences.Key,
    _ path: ReferenceWritableKeyPath<Preferences, Int>, _ range: ClosedRange<Int>, step: Int
  ) {
    let spin: SpinButton = builder.object("\(name)_spin")
    spin.setRange(range, step: step)
    addField { [preferences] in spin.number = preferences[keyPath: path] }
    lock(builder.object("\(name)_row"), key)
    spin.onChange { [weak self, weak spin] in
      guard let self, let spin else { return }
      preferences[keyPath: path] = spin.number
    }
  }

  private func addField(_ draw: @escaping @MainActor () -> Void) {
    fields.append(draw)
    draw()
  }

  private func lock(_ row: ActionRow, _ key: Preferences.Key) {
    if preferences.isLocked(key) { row.lock(tr("Set by your administrator")) }
  }

  // MARK: Storage and data

  private func refreshLocation() async { showLocation(await model()?.storage.location()) }

  /// - Parameter failure: why the accounts could not be moved.
  private func showLocation(_ location: AccountStorage.Location?, _ failure: String? = nil) {
    placeRow.setSubtitle(
      [location?.text ?? tr("No app is open."), failure].compactMap(\.self)
        .joined(separator: "\n"))
    keyringMove = location?.keyringMove ?? .notPossible
    moveButton.isVisible = keyringMove != .notPossible
  }

  private func moveToKeyring() {
    guard let model = model() else { return }
    guard keyringMove == .needsPassphrase else {
      move.isEnabled = false
      Task {
        let failure = await model.storage.moveToKeyring(connections)
        move.isEnabled = true
        await announceLocation(failure)
      }
      return
    }
    guard let passphrase = model.storage.makeMovePassphraseModel(connections) else { return }
    presenter.present(PassphraseDialog(passphrase), over: window) { [weak self] in
      Task { await self?.announceLocation(nil) }
    }
  }

  /// Shows and announces the outcome of a move: this window covers the main window's message.
  private func announceLocation(_ failure: String?) async {
    guard let location = await model()?.storage.location() else { return }
    showLocation(location, failure)
    let isMoved = location.keyringMove == .notPossible
    announceResult(failure ?? (isMoved ? location.text : nil), moveButton, placeRow)
  }

  /// Announces the outcome of a button that was disabled meanwhile.
  ///
  /// The button has lost the focus, but the person may have moved the focus, also to another page.
  ///
  /// - Parameter row: gets the focus if the button is gone. It is then said with its text.
  private func announceResult(_ text: String?, _ button: Button, _ row: ActionRow) {
    if row.isMapped, window.focusedWidget?.isMapped != true, !button.grabFocus(), row.grabFocus() {
      return
    }
    if let text { window.announce(text) }
  }

  private func askToClearData() {
    let dialog = MessageDialog(
      title: tr("Clear All Data?"),
      text: tr(
        "This removes all accounts that Entrance stores, the sessions of sign-in pages, the history"
          + " of the Explorer, your decisions about programs, and the log. Programs that share a token"
          + " cache with an open app are signed out, too. This cannot be undone."))
    dialog.addAnswer("cancel", tr("_Cancel"))
    dialog.addAnswer("clear", tr("Clear _All Data"), .destructive)
    dialog.setAnswers(forEnter: "cancel", forEscape: "cancel")
    dialog.onAnswer { [weak self] answer in
      if answer == "clear" { Task { [weak self] in await self?.clearAllData() } }
    }
    dialog.setTransient(for: window)
    dialog.present()
  }

  private func clearAllData() async {
    clearData.isEnabled = false
    var failure: String?
    if let model = model() {
      let work = model.storage.clearAllData(
        of: workspaces.all, kept: Client.ownStore(connections.storage)
      ) { KeptData.clear() }
      if let work {
        await work.value
        if model.storage.hasRemainingData { failure = tr("Some data was not cleared") }
      } else {
        failure = model.status.obstacle
      }
    } else {
      failure = await clearWithoutWindow().map { tr($0.sentence) }
    }
    clearData.isEnabled = true
    let result = failure ?? tr("All data was cleared.")
    clearRow.setSubtitle(result)
    drawKeptSessions()
    announceResult(result, clearButton, clearRow)
  }

  /// Without an app, the accounts of others may still be kept.
  private func clearWithoutWindow() async -> AuthenticationError? {
    let others = KeptData.clear()
    do throws(AuthenticationError) {
      try await AccountStorage.removeAllAccounts(
        of: workspaces.all, kept: Client.ownStore(connections.storage))
      return others.first
    } catch {
      return error
    }
  }
}
