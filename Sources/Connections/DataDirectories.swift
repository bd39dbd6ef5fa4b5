import Glibc

/// The directories of the programs' own files: interface, translations, settings schema.
///
/// They are found relative to the program (`bin/entrance` beside `share/entrance`), so that an
/// installed tree can be moved. For programs that are not installed, an environment variable names
/// the data directory.
package struct DataDirectories: Sendable {
  /// The directory with the app's `.gresource`.
  package let data: String
  /// The directory with translations, for `bindtextdomain`.
  package let locale: String
  /// The directory with `gschemas.compiled`.
  package let schemas: String

  /// Finds the directories, by `ENTRANCE_DATADIR` or relative to the program.
  package init() {
    let override = getenv("ENTRANCE_DATADIR").map { String(cString: $0) }
    data = override ?? "\(Self.executableDirectory)/../share/entrance"
    // A build tree has the schema inside its data directory, and translations inside or beside it;
    // an installation has them beside it.
    let places = ["\(data)/locale", "\(data)/../po"]
    locale = places.first(where: Self.exists) ?? "\(data)/../locale"
    schemas = Self.exists("\(data)/gschemas.compiled") ? data : "\(data)/../glib-2.0/schemas"
  }

  /// The directory of the running program, with the installation's other programs.
  package static var executableDirectory: String {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = readlink("/proc/self/exe", &path, Int(PATH_MAX))
    guard count > 0, let slash = path[..<count].lastIndex(of: CChar(UInt8(ascii: "/"))) else {
      return "."
    }
    return String(decoding: path[..<slash].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static func exists(_ path: String) -> Bool {
    access(path, F_OK) == 0
  }
}
