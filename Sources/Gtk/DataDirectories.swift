import CGtk

/// Where the program's own files are: interface, translations, settings schema.
///
/// They are found from where the program itself is (`bin/entrance` beside `share/entrance`), so that an
/// installed tree can be moved. Programs that were not installed say where by an environment variable.
public struct DataDirectories: Sendable {
  /// The directory with the program's `.gresource`.
  public let data: String
  /// The directory with translations, as `bindtextdomain` wants it.
  public let locale: String
  /// The directory with `gschemas.compiled`.
  public let schemas: String

  /// Finds the directories of the program called `name`.
  ///
  /// - Parameter variable: the environment variable that names the data directory.
  public init(name: String, variable: String) {
    let override = g_getenv(variable).map { String(cString: $0) }
    data = override ?? "\(Self.executableDirectory)/../share/\(name)"
    // A build tree keeps its translations and schema within; an installation keeps them beside.
    locale = Self.exists("\(data)/locale") ? "\(data)/locale" : "\(data)/../locale"
    schemas = Self.exists("\(data)/gschemas.compiled") ? data : "\(data)/../glib-2.0/schemas"
  }

  /// The directory of the running program, where the other programs of the installation are, too.
  public static var executableDirectory: String {
    guard let path = g_file_read_link("/proc/self/exe", nil) else { return "." }
    defer { g_free(path) }
    guard let directory = g_path_get_dirname(path) else { return "." }
    defer { g_free(directory) }
    return String(cString: directory)
  }

  /// Loads the bundle `name` of the data directory, for all that asks for resources.
  public func loadResources(_ name: String) throws(GLibError) {
    let resource = try GLibError.check { g_resource_load("\(data)/\(name)", &$0) }
    g_resources_register(resource)
    g_resource_unref(resource)
  }

  private static func exists(_ path: String) -> Bool {
    g_file_test(path, G_FILE_TEST_EXISTS) != 0
  }
}
