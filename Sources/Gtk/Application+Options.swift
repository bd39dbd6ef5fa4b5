import CGtk

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
