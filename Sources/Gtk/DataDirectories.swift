import CGtk

/// The directories of the program's own files: interface, translations, settings schema.
///
/// They are found relative to the program (`bin/entrance` beside `share/entrance`), so that an
/// installed tree can be moved. For programs that are not installed, an environment variable names
/// the data directory.
public struct DataDirectories: Sendable {
  /// The directory with the program's `.gresource`.
  public let data: String
  /// The directory with translations, for `bindtextdomain`.
  public let locale: String
  /// The directory with `gschemas.compiled`.
  public let schemas: String

  /// Finds the directories of the program called `name`.
  ///
  /// - Parameter variable: the environment variable that names the data directory.
  public init(name: String, variable: String) {
    let override = g_getenv(variable).map { String(cString: $0) }
    data = override ?? "\(Self.executableDirectory)/../share/\(name)"
    // A build tree has translations and schema inside its data directory; an installation has them
    // beside it.
    locale = Self.exists("\(data)/locale") ? "\(data)/locale" : "\(data)/../locale"
    schemas = Self.exists("\(data)/gschemas.compiled") ? data : "\(data)/../glib-2.0/schemas"
  }

  /// The directory of the running program, with the installation's other programs.
  public static var executableDirectory: String {
    guard let path = g_file_read_link("/proc/self/exe", nil) else { return "." }
    defer { g_free(path) }
    guard let directory = g_path_get_dirname(path) else { return "." }
    defer { g_free(directory) }
    return String(cString: directory)
  }

  /// Loads the resource bundle `name` from the data directory.
  public func loadResources(_ name: String) throws(GLibError) {
    let resource = try GLibError.check { g_resource_load("\(data)/\(name)", &$0) }
    g_resources_register(resource)
    g_resource_unref(resource)
  }

  private static func exists(_ path: String) -> Bool {
    g_file_test(path, G_FILE_TEST_EXISTS) != 0
  }
}
