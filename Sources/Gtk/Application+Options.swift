import CGtk

// What the program can be started with.
extension Application {
  /// Says how the program is used, and what for.
  public func describe(arguments: String, summary: String) {
    g_application_set_option_context_parameter_string(ptr(), arguments)
    g_application_set_option_context_summary(ptr(), summary)
  }

  /// Takes the option `--name`; with a value, if there is a word for it.
  public func addOption(_ name: String, _ description: String, value: String? = nil) {
    add(name, description, value == nil ? G_OPTION_ARG_NONE : G_OPTION_ARG_STRING, value: value)
  }

  /// Takes arguments that are no options; they have no place in the help.
  public func acceptArguments() {
    add(CommandLineOptions.arguments, "", G_OPTION_ARG_STRING_ARRAY, value: nil)
  }

  private func add(_ name: String, _ description: String, _ kind: GOptionArg, value: String?) {
    // GLib keeps the pointers for as long as the program runs, so the copies are never freed.
    g_application_add_main_option(
      ptr(), g_strdup(name), 0, G_OPTION_FLAG_NONE, kind, g_strdup(description),
      value.map { g_strdup($0) })
  }
}
