import AuthCore
import Clients
import Connections
import CurlHTTP
import EntranceKit
import Glibc
import Gtk
import MicrosoftGraph
import Sentences
import WebSignIn
import Localization

/// A connection and its window, which shows the account page, or why there is none.
///
/// Both have the same lifetime.
@MainActor
final class WindowController {
  /// The window.
  let window: MainWindow
  private let preferences: Preferences
  /// The connection that it shows, or tries to.
  private(set) var choice: ConnectionChoice
  /// Whether the window shows why there is no account page.
  private var showsNoConnection = false
  private var model: WindowModel?
  private var desktop: DesktopSignInWays?
  private var opened: OpenConnection?
  /// The connections that it showed before.
  private var left = LeftConnections()
  /// The connection that is open.
  var connection: Connection? { opened?.connection }
  private let workspaces: Workspaces
  private var workspaceObserver: Observer?
  private var isWaitingForWork = false
  private var demo: Demo?
  private let opening = OneAtATime()
  private let connections: ConnectionList
  private let forms: ConnectionForms
  private var observers: [Observer] = []
  private let network = NetworkMonitor()
  private let openOther: @MainActor (ConnectionChoice) -> Void
  private let createApp: @MainActor (SearchResultID) -> Void
  private var unsolicited = UnsolicitedRedirects()
  /// What to do when the accounts are read.
  private var pending: [@MainActor (WindowModel) -> Void] = []

  /// Shows what is known immediately; ``start()`` does the rest.
  ///
  /// - Parameters:
  ///   - openOther: opens a window of another connection.
  ///   - createApp: creates an app with an account.
  init(
    _ choice: ConnectionChoice, window: MainWindow, preferences: Preferences,
    connections: ConnectionList, workspaces: Workspaces,
    openOther: @escaping @MainActor (ConnectionChoice) -> Void,
    createApp: @escaping @MainActor (SearchResultID) -> Void
  ) {
    self.choice = choice
    self.window = window
    self.preferences = preferences
    self.connections = connections
    forms = ConnectionForms(
      connections, over: window.root, by: window.presenter, create: createApp,
      showToast: { [weak window] in window?.showToast($0) })
    self.workspaces = workspaces
    (self.openOther, self.createApp) = (openOther, createApp)
    observers = [connections.changes.add { [weak self] _ in self?.followConnections() }]
    window.switchButton.open = { [weak self] in self?.goTo(.named($0)) }
    window.actions.add([
      Action("connections") { [weak self] in self?.showConnections() },
      editConnection,
      Action("leave-demo") { [weak self] in self?.leaveDemo() },
      Action("ask-for-app") { [weak self] in self?.forms.add(at: .ask) },
      Action("correct-connection") { [weak self] in self?.forms.correct() },
      Action("open-connection-file") { [weak self] in self?.forms.openFile() },
      Action("explain-error") { [weak self] in self?.window.present { _ in ExplainDialog() } },
      Action("preferences") { [weak self] in self?.showPreferences() },
    ])
    window.root.onForeground { [weak self] in
      self?.desktop?.lookForOrca()
      _ = self?.model?.activate()
    }
    network.onChange { [weak self] in self?.followNetwork() }
    if choice == .demo || ConnectionFiles.standard.exist {
      window.showPages(of: nil)
    } else {
      showNoConnection()
    }
  }

  /// Opens the connection, after the window is on the screen.
  func start() {
    if !showsNoConnection { open(choice) }
  }

  /// Whether this window matches `choice`.
  func shows(_ choice: ConnectionChoice) -> Bool {
    switch choice {
    case self.choice: true
    // Any window: the user just started the program again.
    case .lastUsed: true
    case .named(let name): name == connection?.name && self.choice != .demo
    case .demo: false
    }
  }

  /// Calls `task` once the connection is open and its accounts are read; never if it cannot be
  /// opened, which the window says.
  func whenReady(_ task: @escaping @MainActor (WindowModel) -> Void) {
    guard !showsNoConnection else { return }
    pending.append(task)
    if let model { performPending(with: model) }
  }

  private func performPending(with model: WindowModel) {
    let reading = model.activate()
    Task { [weak self] in
      await reading?.value
      guard let self, self.model === model else { return }
      // A sign-in is likely next.
      if model.heading.accounts.isEmpty { MainLoop.whenIdle { self.desktop?.prepareSignIn() } }
      let tasks = pending
      pending = []
      for task in tasks { task(model) }
    }
  }

  /// Asks whether to sign all accounts of all connections out.
  func askToSignOutAll() {
    whenReady { [weak self] _ in
      guard let self else { return }
      let all = (try? ConnectionFiles.standard.load()) ?? []
      let others = all.filter { choice == .demo || $0.name != connection?.name }
      window.askToSignOut(of: others.map { (workspaces.client(of: $0) ?? Client($0)).application })
    }
  }

  /// Applies changed settings, unless nothing was opened yet.
  func followSettings() { if let connection { follow(connection) } }

  /// Releases everything, because the window is closed.
  func close() {
    left.clear()
    leave()
  }

  private func leave() {
    opening.cancel()
    model?.close()
    (model, demo, opened, workspaceObserver) = (nil, nil, nil, nil)
  }

  /// Passes in a redirect from the desktop, and returns whether a sign-in in progress waits for it.
  func resumeSignIn(with redirect: String) -> Bool {
    model?.tokens.resumeSignIn(with: redirect) ?? false
  }

  /// Shows what could not be deleted.
  func report(notCleared failures: [AuthenticationError]) {
    model?.report(notCleared: failures)
    if model == nil { for failure in failures { printError(failure.sentence) } }
  }

  /// Logs an unexpected redirect, and ignores it otherwise.
  func handleUnsolicited() {
    if let model {
      model.handleUnsolicited()
    } else {
      unsolicited.note()
      if showsNoConnection { unsolicited.print() }
    }
  }

  // MARK: Connections

  private func open(_ choice: ConnectionChoice) {
    switch choice {
    case .demo: opening.start { [weak self] in await self?.openDemo() }
    case .lastUsed, .named: openConnection()
    }
  }

  private func openConnection() {
    let connections: [Connection]
    do throws(ConnectionFileError) {
      connections = try ConnectionFiles.standard.load()
    } catch {
      return showBadConnection(NoConnectionPage.reason(error), forms.correction(of: error))
    }
    if let found = choice.connection(of: connections, by: preferences) {
      open(found)
    } else if let fault = ConnectionFiles.standard.systemFaults().first {
      // It may be there.
      showBadConnection(NoConnectionPage.reason(fault.error), in: fault.path)
    } else if case .named(let name) = choice {
      showBadConnection(tr("There is no app called “{name}”.", ["name": name]), of: name)
    } else {
      showNoConnection()
    }
  }

  private func openDemo() async {
    do throws(Demo.Failure) {
      let demo = try await Demo.start()
      guard !Task.isCancelled else { return }
      self.demo = demo
      open(demo.connection)
    } catch {
      if !Task.isCancelled { showDemoFailed(error.description) }
    }
  }

  /// Creates the model of `connection` and shows it.
  private func open(_ connection: Connection) {
    window.show(WindowHeading(connection))
    let opened: OpenConnection
    do throws(ConnectionProblem) {
      opened = try workspaces.open(connection)
    } catch {
      return showBadConnection(
        NoConnectionPage.reason(error), of: connection.name,
        forms.correction(of: error, in: connection),
        in: ConnectionFiles.standard.path(of: connection))
    }
    self.opened = opened
    workspaceObserver = opened.workspace.changes.add { [weak self] in self?.followNetwork() }
    let desktop = DesktopSignInWays(window: window, preferences: preferences, opened: opened)
    self.desktop = desktop
    show(WindowModel(opened.workspace, on: desktop, continuing: left.log(of: opened)))
  }

  private func show(_ model: WindowModel) {
    self.model = model
    showPages(of: model)
    if let warning = EmbeddedWebSession.isolationWarning { model.status.log(warning) }
    if choice != .demo { model.warn(about: .standard) }
    followNetwork()
    performPending(with: model)
    unsolicited.log(to: model)
  }

  /// Opens `other` in this window, or in another one while this one works; or ends the demo.
  private func goTo(_ other: ConnectionChoice) {
    if other == .lastUsed { return leaveDemo() }
    guard showsNoConnection || !shows(other) else { return }
    guard model?.isWorking != true else { return openOther(other) }
    leave(for: other, isKept: choice != .demo)
  }

  private func leaveDemo() { if choice == .demo { leave(for: .lastUsed) } }

  /// Opens another connection in the same window, unless the person goes on with what is not saved.
  private func leave(for other: ConnectionChoice, isKept: Bool = false) {
    window.askBeforeLeaving { [weak self] in
      if isKept, let self, let opened, let model { left.leave(opened, model) }
      self?.restart(other)
    }
  }

  /// Opens another connection in the same window.
  private func restart(_ choice: ConnectionChoice) {
    leave()
    self.choice = choice
    showPages(of: nil)
    open(choice)
  }

  private func followNetwork() {
    editConnection.isEnabled = connection?.isDemo == false
    model?.network = network.needsSignIn ? .needsSignIn : network.isAvailable ? .available : .absent
  }

  // MARK: Changes of apps.json

  /// Follows a change of the file.
  private func followConnections() {
    guard choice != .demo else { return }
    if showsNoConnection { return window.presenter.whenFree { [weak self] in self?.tryAgain() } }
    guard let connection, let model else { return }
    // A connection that was removed or cannot be read stays open until its window is closed.
    let changed = model.find(connection, in: ConnectionFiles.standard.load)
    // Its accounts may have been signed out before it was removed.
    guard let changed else { return model.followAccounts() }
    if changed != connection { follow(changed) }
  }

  /// Uses the connection after a change; accounts and log stay if they are the same accounts.
  private func follow(_ changed: Connection) {
    guard let model, let opened else { return }
    guard !opened.workspace.isBusy else { return followWhenIdle(model, opened.workspace) }
    do throws(ConnectionProblem) {
      if try opened.follow(changed) {
        if case .named = choice { choice = .named(changed.name) }
        return connections.reload()
      }
      guard window.presenter.hasChanges else {
        return restart(choice == .demo ? .demo : .named(changed.name))
      }
      window.presenter.whenFree { [weak self] in self?.followAgain() }
    } catch {
      model.warn(unused: error.sentence, in: error.field)
    }
  }

  private func followWhenIdle(_ model: WindowModel, _ workspace: Workspace) {
    guard !isWaitingForWork else { return }
    isWaitingForWork = true
    model.status.log(
      tr("The app was changed. The change takes effect after the current operation."))
    Task { [weak self] in
      await workspace.finishWork()
      guard let self else { return }
      isWaitingForWork = false
      if self.model === model { followAgain() }
    }
  }

  private func followAgain() {
    // In this order: the settings are those of a connection by its present name.
    followConnections()
    followSettings()
  }

  private func showConnections() {
    window.present {
      ConnectionsWindow(
        connections,
        current: { [weak self] in self?.choice == .demo ? nil : self?.connection?.name },
        isDemo: choice == .demo && !showsNoConnection, presenter: $0
      ) { [weak self] in
        self?.goTo($0)
      } openInNewWindow: { [weak self] in
        self?.openOther($0)
      } create: { [weak self] in
        self?.createApp($0)
      }
    } whenClosed: { [weak self] in
      // It may have signed accounts out.
      self?.whenReady { [weak self] in if $0.isAbandoned { self?.leave(for: .lastUsed) } }
    }
  }

  private lazy var editConnection = Action("edit-connection", parameter: String.self) {
    [weak self] field in
    if let self, let name = connection?.name { forms.edit(name, at: field) }
  }

  private func showPreferences() {
    window.present {
      PreferencesWindow(
        preferences, connections, workspaces, connection: connection, presenter: $0
      ) { [weak self] in self?.model }
    }
  }

  /// Opens the connection that could not be opened, if the window still says so.
  private func tryAgain() { if showsNoConnection { restart(choice) } }

  // MARK: Pages

  private func showPages(of model: WindowModel?) {
    showsNoConnection = false
    window.showPages(of: model)
  }

  private func showNoConnection() {
    show(.noConnection(forms) { [weak self] in self?.restart(.demo) })
  }

  private func showBadConnection(
    _ reason: String, of app: String? = nil, _ edit: (@MainActor () -> Void)? = nil,
    in path: String = EntranceIdentity.connectionsPath
  ) {
    show(
      .badConnection(reason, of: app, path: path, edit: edit) { [weak self] in
        self?.tryAgain()
      } openFile: { [weak self] in
        self?.forms.openFile(path)
      } tryDemo: { [weak self] in
        self?.restart(.demo)
      })
  }

  private func showDemoFailed(_ reason: String) {
    show(
      .demoFailed(reason) { [weak self] in
        self?.restart(.demo)
      } leave: { [weak self] in
        self?.leaveDemo()
      })
  }

  private func show(_ page: NoConnectionPage) {
    showsNoConnection = true
    pending = []
    window.show(page)
    unsolicited.print()
  }
}
