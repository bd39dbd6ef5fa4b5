import CGtk
import EntranceKit
import Glibc
import Gtk

/// The program on the desktop: options, one instance, one window.
@MainActor
final class Application {
  /// The application ID, which is also the name on the session bus and of the icon.
  static let id = "io.github.entrance.Entrance"
  /// The program's version.
  static let version = "0.1.0"

  private let object: Object
  private let directories: DataDirectories
  private var window: Window?
  private var session: Session?

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

  /// Runs until the window is closed.
  ///
  /// - Returns: the exit status.
  func run() -> Int32 {
    MainLoop.attachMainQueue()
    return g_application_run(object.ptr(), CommandLine.argc, CommandLine.unsafeArgv)
  }

  // MARK: Options

  private func addOptions() {
    g_application_set_option_context_parameter_string(object.ptr(), tr("[URI]"))
    g_application_set_option_context_summary(
      object.ptr(), tr("Sign in with Microsoft and call Microsoft Graph."))
    addOption("demo", tr("Start an identity service on this computer and connect to it"))
    addOption("connection", tr("Use this connection of connections.json"), value: tr("NAME"))
    addOption("version", tr("Show the version"))
  }

  private func addOption(_ name: String, _ description: String, value: String? = nil) {
    // GLib keeps the pointers for as long as the program runs, so the copies are never freed.
    g_application_add_main_option(
      object.ptr(), g_strdup(name), 0, G_OPTION_FLAG_NONE,
      value == nil ? G_OPTION_ARG_NONE : G_OPTION_ARG_STRING, g_strdup(description),
      value.map { g_strdup($0) })
  }

  // MARK: Signals

  private func connectSignals() {
    object.connectReturningInt("handle-local-options") { [directories] arguments in
      if let options = arguments.pointer(0)?.assumingMemoryBound(to: GVariantDict.self),
        g_variant_dict_contains(options, "version") != 0
      {
        print("entrance \(Self.version)")
        return 0
      }
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
      self?.handle(uris: Self.uris(of: arguments))
    }
    object.connectReturningInt("command-line") { [weak self] arguments in
      if let commandLine = arguments.object(0) { self?.handle(commandLine: commandLine) }
      return 0
    }
  }

  private func startUp() {
    object.add([
      Action("quit") { [weak self] in
        guard let self, let window else { return }
        gtk_window_close(window.object.ptr())
      }
    ])
    object.setAccelerators(["<Control>q"], for: "app.quit")
    object.setAccelerators(["<Control>w"], for: "win.close")
    object.setAccelerators(["<Control>question"], for: "win.show-help-overlay")
    object.setAccelerators(["<Control>Return", "<Control>KP_Enter"], for: "win.call-graph")
    object.setAccelerators(["Escape"], for: "win.cancel")
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

    var count: Int32 = 0
    guard let list = g_application_command_line_get_arguments(commandLine.ptr(), &count) else {
      return
    }
    defer { g_strfreev(list) }
    handle(uris: (0..<Int(count)).dropFirst().compactMap { list[$0].map { String(cString: $0) } })
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
    for uri in uris { session?.handleUnsolicited(uri: uri) }
  }

  // MARK: Window

  /// Raises the window, or opens it with the connection that was chosen.
  private func openWindow(_ choice: ConnectionChoice) {
    if let window {
      window.present()
      return
    }
    do {
      let settings = Settings(schemaID: Self.id, directory: directories.schemas)
      let window = try Window(application: object, settings: settings)
      self.window = window
      session = try Session(
        choice, window: window,
        isSharedDevice: settings.bool("shared-device", default: false))
      window.object.connect("destroy") { [weak self] in
        self?.window = nil
        self?.session = nil
      }
      window.present()
      // Nothing that takes time comes before the window is there.
      window.afterFirstFrame { [weak self] in self?.session?.start() }
    } catch {
      printError("\(error)")
      exit(1)
    }
  }
}
