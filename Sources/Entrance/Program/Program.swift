import Gio
import AuthCore
import Clients
import Connections
import EntranceKit
import Glibc
import Gtk
import Localization
import Sentences

/// The program: options, single instance, a window for each connection.
@MainActor
final class Program {
  /// The application ID, also the name on the session bus and of the icon.
  static let id = EntranceIdentity.applicationID
  /// The path of its objects on the session bus, and of its resources.
  static let path = "/\(id.replacing(".", with: "/"))"
  /// The program's version.
  static let version = PublicClientApplication.sdkVersion

  private let application = Application(id: id)
  private let directories: DataDirectories
  private lazy var settings = Settings(schemaID: Self.id, directory: directories.schemas)
  private lazy var preferences = Preferences(settings)
  private var preferencesObserver: Observer?
  private lazy var secrets = SecretClipboard(preferences)
  /// The controllers, one for each window; the last used one is at the end.
  private var controllers: [WindowController] = []
  private lazy var connections = ConnectionList(
    files: .standard, preferences: preferences, check: Self.checkRegistration,
    onRename: { [unowned self] in workspaces.rename($0, to: $1) },
    application: { [unowned self] in
      workspaces.client(of: $0)?.application ?? Client($0).application
    },
    reader: { [unowned self] in
      // Whoever has opened its window was asked already.
      if let client = workspaces.client(of: $0) { return client.application }
      return await Client.reader(of: $0)
    },
    store: { [unowned self] in workspaces.client(of: $0)?.ownStore ?? Client.ownStore(for: $0) })
  private lazy var workspaces = Workspaces(preferences: preferences)
  private var connectionsMonitor: FileMonitor?
  private var areOptionsKnown = false
  /// The desktop's search for accounts and connections.
  private lazy var search = SearchService(preferences: preferences) { [weak self] found, time in
    let controller = self?.open(
      found.map { ConnectionChoice(name: $0.connection) } ?? .lastUsed, at: time)
    if let account = found?.account { controller?.whenReady { _ = $0.accounts.select(account) } }
  }

  private lazy var programs = ProgramsService(
    preferences: preferences, workspaces: workspaces, application: application,
    window: { [weak self] in self?.controllers.last?.window.root },
    showWindow: { [weak self] in
      guard let self else { return }
      if let window = controllers.last?.window.root { window.present() } else { open(.lastUsed) }
    })

  /// Creates the program, which needs no display yet.
  init(directories: DataDirectories) {
    self.directories = directories
    addOptions()
    connectSignals()
  }

  /// Runs until the last window is closed and unfinished work is done, and ends the process.
  func run() -> Never {
    MainLoop.attachMainQueue()
    // When the computer shuts down or the user logs out. The windows, and what they wait for, end with the
    // process: GTK warns when it destroys a window before its dialogs, and gnome-keyring aborts when a program
    // dismisses its question and ends before it is gone.
    MainLoop.onEndSignal { [application] in
      Task {
        // What a window does goes on only while the main loop runs.
        await PublicClientApplication.finishTokenRequests()
        application.quit()
      }
    }
    let status = application.run()
    // GLib has reported the unknown option, and returns 1.
    exit(areOptionsKnown || status == 0 ? status : Self.usageError)
  }

  /// Keeps the program running, even without a window, until token requests and what was confirmed
  /// are done: each has its own time limit.
  private func finishWork() {
    guard UnfinishedWork.isInProgress else { return }
    application.hold()
    Task { [application] in
      await UnfinishedWork.finish()
      application.release()
    }
  }

  /// The exit status for invalid arguments.
  private static let usageError: Int32 = 2

  // MARK: Startup

  private func addOptions() {
    application.describe(
      arguments: tr("[URI]"), summary: tr("Sign in with Microsoft and call Microsoft Graph."))
    application.addOption(
      "demo", tr("Try Entrance with an emulator of Microsoft’s services"))
    application.addOption(
      "app", tr("Use this app"), value: tr("NAME"))
    for action in DesktopAction.allCases { application.addOption(action.rawValue, action.summary) }
    application.addOption("version", tr("Show the version"))
    application.acceptArguments()
  }

  private func connectSignals() {
    application.onOptions { [weak self] in self?.check($0) }
    application.onStart { [weak self] in self?.start() }
    application.onActivate { [weak self] in self?.open(.lastUsed, []) }
    application.onOpen { [weak self] in self?.open(.lastUsed, $0.filter(Self.isRedirect)) }
    application.onCommandLine { [weak self] options in
      let choice = ConnectionChoice(options)
      let action = DesktopAction.allCases.first { options.contains($0.rawValue) }
      if let action, options.arguments.isEmpty {
        self?.perform(action, with: choice)
      } else {
        self?.open(choice, options.arguments)
      }
    }
  }

  /// Handles options that need no window, and locates the program's files.
  ///
  /// - Returns: the exit status when the program should end.
  private func check(_ options: CommandLineOptions) -> Int32? {
    areOptionsKnown = true
    if options.contains("version") {
      print("entrance \(Self.version)")
      return 0
    }
    if let other = options.arguments.first(where: { !Self.isRedirect($0) }) {
      printError(
        Sentence(
          "“{argument}” is neither an option nor a redirect URI. See entrance --help.",
          ["argument": other]))
      return Self.usageError
    }
    application.setProgramName(Self.id)
    // The application looks for style sheets and icons there at startup.
    do throws(GLibError) {
      try Resources.load("\(directories.data)/entrance.gresource")
      // What they export is described there, too.
      search.export(by: application)
      programs.export()
      return nil
    } catch {
      printError(Sentence(verbatim: error.message))
      return 1
    }
  }

  private func start() {
    application.add(
      DesktopAction.allCases.map { action in
        Action(action.rawValue) { [weak self] in self?.perform(action, with: .lastUsed) }
      })
    application.add([
      Action("quit") { [weak self] in
        // Not while a window handles the keys for it, which would be gone then.
        MainLoop.whenIdle {
          for controller in self?.controllers ?? [] { controller.window.root.close() }
        }
      },
      Action(WorkNotification.action, parameter: String.self) { [weak self] id in
        self?.showEndedWork(id)
      },
    ])
    preferencesObserver = preferences.changes.add { [weak self] key in
      switch key {
      case .isSharedDevice:
        for controller in self?.controllers ?? [] { controller.followSettings() }
      case .style: self?.applyStyle()
      case .keepsWebSession: self?.forgetWebSessions()
      case .keepsBodies, .requestRetention: self?.forgetRequests()
      default: break
      }
    }
    applyStyle()
    // A sign-in ends with its window, as with Ctrl+Q.
    ApplicationWindow.closeWithModalWindows()
    // Also those of apps that are not opened again.
    if preferences.requestRetention != .forever { forgetRequests() }
    application.onShutdown { [weak self] in
      self?.secrets.clear()
      for controller in self?.controllers ?? [] { controller.window.news.end() }
    }
    connectionsMonitor = FileMonitor(connections.path) { [weak self] in
      self?.connections.reload()
    }
    for shortcut in Shortcut.all {
      guard let action = shortcut.action, !shortcut.isOfExplorer else { continue }
      application.setAccelerators(shortcut.keys + shortcut.otherKeys, for: action)
    }
  }

  /// Deletes kept web sessions when they are no longer to be kept.
  private func forgetWebSessions() {
    guard !preferences.keepsWebSession else { return }
    let failures = KeptData.clearWebSessions()
    for controller in controllers { controller.report(notCleared: failures) }
  }

  /// Forgets the requests, and the bodies of others, that are no longer to be kept.
  private func forgetRequests() { KeptData.forgetRequests(by: preferences.requestRule) }

  private func applyStyle() {
    switch preferences.style {
    case .system: StyleManager.followDesktop()
    case .light: StyleManager.useLight()
    case .dark: StyleManager.useDark()
    }
  }

  private nonisolated static func checkRegistration(
    of connection: Connection
  ) async throws(AuthenticationError) -> RegistrationCheck {
    try await Client(connection).application.checkRegistration()
  }

  /// Whether `argument` is a redirect to this program, passed by the desktop.
  private static func isRedirect(_ argument: String) -> Bool {
    let scheme = EntranceIdentity.redirectURI.prefix { $0 != "/" }
    return argument.lowercased().hasPrefix(scheme)
  }

  // MARK: Windows

  /// Does what the desktop's menu of the program offers.
  private func perform(_ action: DesktopAction, with choice: ConnectionChoice) {
    switch action {
    case .newWindow:
      // Another window of the connection that was used last.
      let choice = choice == .lastUsed ? controllers.last?.choice ?? .lastUsed : choice
      _ = makeController(choice)
    case .addAccount: open(choice)?.whenReady { $0.accounts.add() }
    case .signOutAll: open(choice)?.askToSignOutAll()
    }
  }

  /// Brings the window to the foreground that the notification `id` is about, or any if that is gone.
  private func showEndedWork(_ id: String) {
    if let controller = controllers.first(where: { $0.window.news.id == id }) {
      controller.window.showEndedWork()
    } else {
      open(.lastUsed)
    }
  }

  /// Raises or opens the window for `choice`, and passes redirects to it.
  ///
  /// - Parameter time: when the user asked for it, for the window manager; 0 if it is unknown.
  /// - Returns: the window's controller; nil when a redirect belongs to another one, or none could be
  ///   opened.
  @discardableResult
  private func open(
    _ choice: ConnectionChoice, _ redirects: [String] = [], at time: UInt32 = 0
  ) -> WindowController? {
    if resumeSignIn(with: redirects) { return nil }
    var controller = controllers.last { $0.shows(choice) }
    if let controller { controller.window.root.present(at: time) }
    if controller == nil { controller = makeController(choice) }
    if !redirects.isEmpty { controller?.handleUnsolicited() }
    return controller
  }

  /// Passes redirects to the sign-in that waits for one of them, and raises its window.
  ///
  /// - Returns: whether there is one.
  private func resumeSignIn(with redirects: [String]) -> Bool {
    guard
      let controller = controllers.first(where: { redirects.contains(where: $0.resumeSignIn) })
    else { return false }
    controller.window.root.present()
    return true
  }

  /// Creates an app with an account, in a window of the app that the account is signed in to, and
  /// opens it.
  private func createApp(with account: SearchResultID) {
    open(.named(account.connection))?.whenReady { [weak self] model in
      guard let self, let id = account.account else { return }
      AppCreationModel(model, list: connections) { [weak self] name in
        self?.open(.named(name))?.whenReady { AppCreationModel.showAdded(name, in: $0) }
      }.create(with: id)
    }
  }

  /// Creates a controller with its window for `choice`.
  private func makeController(_ choice: ConnectionChoice) -> WindowController {
    let controller = WindowController(
      choice,
      window: MainWindow(
        application: application, settings: settings, preferences: preferences,
        secrets: secrets, connections: connections),
      preferences: preferences, connections: connections, workspaces: workspaces
    ) { [weak self] in
      self?.open($0)
    } createApp: { [weak self] in
      self?.createApp(with: $0)
    }
    controllers.append(controller)
    // A search may have set one.
    application.setInactivityLimit(seconds: 0)
    let window = controller.window.root
    window.onForeground { [weak self, weak controller] in
      guard let self, let controller else { return }
      controllers.removeAll { $0 === controller }
      controllers.append(controller)
      if let connection = controller.connection { workspaces.noteUse(of: connection) }
      programs.windowCameToFront()
    }
    window.onClosed { [weak self, weak controller] in
      controller?.close()
      self?.controllers.removeAll { $0 === controller }
      self?.finishWork()
    }
    window.present()
    // Show the window before anything that takes time.
    window.afterNextFrame { [weak controller] in controller?.start() }
    return controller
  }
}
