import Glibc

/// Where the programs' own files are: interface, translations, settings schema.
///
/// They are found from where the program itself is (`bin/entrance` beside `share/entrance`), so that an
/// installed tree can be moved. Programs that were not installed say where by an environment variable.
package struct DataDirectories: Sendable {
  /// The directory with the app's `.gresource`.
  package let data: String
  /// The directory with translations, as `bindtextdomain` wants it.
  package let locale: String
  /// The directory with `gschemas.compiled`.
  package let schemas: String

  /// Finds the directories, by `ENTRANCE_DATADIR` or from the program.
  package init() {
    let override = getenv("ENTRANCE_DATADIR").map { String(cString: $0) }
    data = override ?? "\(Self.executableDirectory)/../share/entrance"
    // A build tree keeps its translations and schema within; an installation keeps them beside.
    locale = Self.exists("\(data)/locale") ? "\(data)/locale" : "\(data)/../locale"
    schemas = Self.exists("\(data)/gschemas.compiled") ? data : "\(data)/../glib-2.0/schemas"
  }

  /// The directory of the running program, where the other programs of the installation are, too.
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
