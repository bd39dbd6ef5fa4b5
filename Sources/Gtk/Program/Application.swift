import CGtk
import Gio

/// A desktop application: one process, even if it is started several times.
@MainActor
public final class Application: Object, ActionMap {
  /// Creates an application, which needs no display yet.
  ///
  /// - Parameter id: the application ID, also the name on the session bus.
  public convenience init(id: String) {
    let flags = GApplicationFlags(
      rawValue: G_APPLICATION_HANDLES_COMMAND_LINE.rawValue | G_APPLICATION_HANDLES_OPEN.rawValue)
    self.init(owning: adw_application_new(id, flags))
    // Before, there is no display.
    onStart { StyleManager.dimTextLess() }
  }

  /// Runs until the last window is closed.
  ///
  /// - Returns: the exit status.
  public func run() -> Int32 {
    g_application_run(ptr(), CommandLine.argc, CommandLine.unsafeArgv)
  }

  /// Makes ``run()`` return, even if there are windows.
  public func quit() { g_application_quit(ptr()) }

  /// Sets the name by which window managers know the windows, including GTK's own.
  public func setProgramName(_ name: String) { g_set_prgname(name) }

  /// Sets the shortcuts of an action, such as `["<Control>q"]` for `app.quit`.
  public func setAccelerators(_ keys: [String], for action: String) {
    CStringArray(keys).withPointer { gtk_application_set_accels_for_action(ptr(), action, $0) }
  }

  /// Keeps the program running until ``release()``, also without a window.
  public func hold() { g_application_hold(ptr()) }

  /// Undoes a ``hold()``.
  public func release() { g_application_release(ptr()) }

  /// Whether it has a window.
  public var hasWindows: Bool { gtk_application_get_windows(ptr()) != nil }

  /// Sets how long the program keeps running after its last window was closed or ``hold()`` has
  /// ended.
  public func setInactivityLimit(seconds: Int) {
    g_application_set_inactivity_timeout(ptr(), guint(clamping: seconds * 1000))
  }

  // MARK: Startup

  /// Calls `handler` with the options of this process, before anything else.
  ///
  /// - Parameter handler: returns the exit status; nil to continue.
  public func onOptions(_ handler: @escaping @MainActor (CommandLineOptions) -> Int32?) {
    connectReturningInt("handle-local-options") { arguments in
      guard let options = arguments.pointer(0) else { return -1 }
      return handler(CommandLineOptions(borrowing: OpaquePointer(options))) ?? -1
    }
  }

  /// Calls `handler` once, in the process that shows the windows.
  public func onStart(_ handler: @escaping @MainActor () -> Void) { connect("startup", handler) }

  /// Calls `handler` when the desktop starts the program without arguments.
  public func onActivate(_ handler: @escaping @MainActor () -> Void) {
    connect("activate", handler)
  }

  /// Calls `handler` with the URLs that the desktop opens with the program.
  public func onOpen(_ handler: @escaping @MainActor ([String]) -> Void) {
    connect("open") { arguments in
      guard let files = arguments.pointer(0)?.assumingMemoryBound(to: OpaquePointer?.self) else {
        return handler([])
      }
      handler(
        (0..<arguments.int(1)).compactMap { String(owning: files[$0].flatMap(g_file_get_uri)) })
    }
  }

  /// Calls `handler` with the options of each process that was started.
  public func onCommandLine(_ handler: @escaping @MainActor (CommandLineOptions) -> Void) {
    connectReturningInt("command-line") { arguments in
      if let commandLine = arguments.object(0),
        let options = g_application_command_line_get_options_dict(commandLine.ptr())
      {
        handler(CommandLineOptions(borrowing: OpaquePointer(options)))
      }
      return 0
    }
  }
}

// The program's command-line options.
extension Application {
  /// Sets the usage and the summary for `--help`.
  public func describe(arguments: String, summary: String) {
    g_application_set_option_context_parameter_string(ptr(), arguments)
    g_application_set_option_context_summary(ptr(), summary)
  }

  /// Adds the option `--name`; it takes a value if `value` names one.
  public func addOption(_ name: String, _ description: String, value: String? = nil) {
    add(name, description, value == nil ? G_OPTION_ARG_NONE : G_OPTION_ARG_STRING, value: value)
  }

  /// Accepts arguments that are not options; `--help` does not list them.
  public func acceptArguments() {
    add(CommandLineOptions.arguments, "", G_OPTION_ARG_STRING_ARRAY, value: nil)
  }

  private func add(_ name: String, _ description: String, _ kind: GOptionArg, value: String?) {
    // GLib keeps the pointers as long as the program runs, so the copies are never freed.
    g_application_add_main_option(
      ptr(), g_strdup(name), 0, G_OPTION_FLAG_NONE, kind, g_strdup(description),
      value.map { g_strdup($0) })
  }
}
