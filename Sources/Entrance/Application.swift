import AuthCore
import CGtk
import Connections
import Glibc
import Gtk

/// The program on the desktop: options, one instance, a window for each connection.
@MainActor
final class Application {
  /// The application ID, which is also the name on the session bus and of the icon.
  static let id = EntranceIdentity.applicationID
  /// The program's version.
  static let version = PublicClientApplication.sdkVersion

  private let object: Object
  private let directories: DataDirectories
  /// One for each window, the newest last.
  private var sessions: [Session] = []
  private var areOptionsKnown = false

  /// Creates the application, which needs no display yet.
  init(directories: DataDirectories) {
    self.directories = directories
    object = Object(
      owning: UnsafeMutableRawPointer(
        adw_application_new(
          Self.id,
          GApplicationFlags(
            rawValue: G_APPLICATION_HANDLES_COMMAND_LINE.rawValue
              | G_APPLICATION_HANDLES_OPEN.rawValue))))
    addOptions()
    connectSignals()
  }

  /// Runs until the last window is closed.
  ///
  /// - Returns: the exit status.
  func run() -> Int32 {
    MainLoop.attachMainQueue()
    let status = g_application_run(object.ptr(), CommandLine.argc, CommandLine.unsafeArgv)
    // GLib has said what it did not know, and calls it 1.
    return areOptionsKnown || status == 0 ? status : Self.usageError
  }

  /// The exit status for arguments that cannot be used.
  private static let usageError: Int32 = 2

  // MARK: Options

  private func addOptions() {
    g_application_set_option_context_parameter_string(object.ptr(), tr("[URI]"))
    g_application_set_option_context_summary(
      object.ptr(), tr("Sign in with Microsoft and call Microsoft Graph."))
    addOption("demo", tr("Start an identity service on this computer and connect to it"))
    addOption(
      "connection", tr("Use this connection of connections.json"), G_OPTION_ARG_STRING,
      value: tr("NAME"))
    addOption("version", tr("Show the version"))
    // It has no place in the help.
    addOption(Self.rest, "", G_OPTION_ARG_STRING_ARRAY)
  }

  /// The name of what is no option, as GLib has it.
  private static let rest = ""

  private func addOption(
    _ name: String, _ description: String, _ kind: GOptionArg = G_OPTION_ARG_NONE,
    value: String? = nil
  ) {
    // GLib keeps the pointers for as long as the program runs, so the copies are never freed.
    g_application_add_main_option(
      object.ptr(), g_strdup(name), 0, G_OPTION_FLAG_NONE, kind, g_strdup(description),
      value.map { g_strdup($0) })
  }

  /// The arguments that are no options.
  private static func rest(of options: UnsafeMutablePointer<GVariantDict>?) -> [String] {
    guard let list = g_variant_dict_lookup_value(options, rest, nil) else { return [] }
    defer { g_variant_unref(list) }
    var count: gsize = 0
    guard let strings = g_variant_get_strv(list, &count) else { return [] }
    defer { g_free(strings) }
    return (0..<Int(count)).compactMap { strings[$0].map { String(cString: $0) } }
  }

  /// Whether `argument` is what the desktop passes on: a redirect to this program.
  private static func isRedirect(_ argument: String) -> Bool {
    let scheme = EntranceIdentity.redirectURI.prefix { $0 != "/" }
    return argument.lowercased().hasPrefix(scheme)
  }

  // MARK: Signals

  private func connectSignals() {
    object.connectReturningInt("handle-local-options") { [weak self, directories] arguments in
      self?.areOptionsKnown = true
      let options = arguments.pointer(0)?.assumingMemoryBound(to: GVariantDict.self)
      if g_variant_dict_contains(options, "version") != 0 {
        print("entrance \(Self.version)")
        return 0
      }
      if let other = Self.rest(of: options).first(where: { !Self.isRedirect($0) }) {
        printError(
          tr(
            "“{argument}” is neither an option nor a redirect URI. See entrance --help.",
            ["argument": other]))
        return Self.usageError
      }
      // Window managers know windows by it, those of GTK's own making, too.
      g_set_prgname(Self.id)
      // Style sheets and icons are looked for in here as soon as the application starts up.
      do throws(GLibError) {
        try directories.loadResources("entrance.gresource")
        return -1
      } catch {
        printError("\(error)")
        return 1
      }
    }
    object.connect("startup") { [weak self] in self?.startUp() }
    object.connect("activate") { [weak self] in self?.openWindow(.first) }
    object.connect("open") { [weak self] arguments in
      self?.openWindow(.first)
      self?.handle(uris: Self.uris(of: arguments).filter(Self.isRedirect))
    }
    object.connectReturningInt("command-line") { [weak self] arguments in
      if let commandLine = arguments.object(0) { self?.handle(commandLine: commandLine) }
      return 0
    }
  }

  private func startUp() {
    object.add([
      Action("quit") { [weak self] in
        for session in self?.sessions ?? [] { gtk_window_close(session.window.object.ptr()) }
      }
    ])
    object.setAccelerators(["<Control>q"], for: "app.quit")
    object.setAccelerators(["<Control>w"], for: "window.close")
    object.setAccelerators(["<Control>question"], for: "win.show-help-overlay")
    object.setAccelerators(["<Control>Return", "<Control>KP_Enter"], for: "win.call-graph")
  }

  private func handle(commandLine: Object) {
    let options = g_application_command_line_get_options_dict(commandLine.ptr())
    var choice = ConnectionChoice.first
    if g_variant_dict_contains(options, "demo") != 0 {
      choice = .demo
    } else if let value = g_variant_dict_lookup_value(options, "connection", nil) {
      choice = .named(g_variant_get_string(value, nil).map { String(cString: $0) } ?? "")
      g_variant_unref(value)
    }
    openWindow(choice)
    handle(uris: Self.rest(of: options))
  }

  private static func uris(of arguments: SignalArguments) -> [String] {
    guard let files = arguments.pointer(0)?.assumingMemoryBound(to: OpaquePointer?.self) else {
      return []
    }
    return (0..<arguments.int(1)).compactMap { index in
      guard let uri = files[index].flatMap({ g_file_get_uri($0) }) else { return nil }
      defer { g_free(uri) }
      return String(cString: uri)
    }
  }

  private func handle(uris: [String]) {
    if !uris.isEmpty { sessions.last?.handleUnsolicited() }
  }

  // MARK: Window

  /// Raises the window that shows what was chosen, or opens one for it.
  private func openWindow(_ choice: ConnectionChoice) {
    if let session = sessions.last(where: { $0.shows(choice) }) {
      session.window.present()
      return
    }
    do {
      let settings = Settings(schemaID: Self.id, directory: directories.schemas)
      let window = try Window(application: object, settings: settings)
      let session = try Session(
        choice, window: window,
        isSharedDevice: settings.bool("shared-device", default: false))
      sessions.append(session)
      window.object.whenGone { [weak self, weak session] in
        session?.close()
        self?.sessions.removeAll { $0 === session }
      }
      window.present()
      // Nothing that takes time comes before the window is there.
      window.afterFirstFrame { [weak session] in session?.start() }
    } catch {
      printError("\(error)")
      exit(1)
    }
  }
}
