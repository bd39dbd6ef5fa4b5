import Glibc

/// The directories of the user's files.
package enum HomeDirectory {
  /// The absolute path in a variable of the environment; nil for a relative one, which would depend
  /// on the current directory.
  static func path(in variable: String) -> String? {
    getenv(variable).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
  }

  /// The home directory from the environment, or else from the user database.
  package static var path: String {
    if let home = path(in: "HOME") { return home }
    var (entry, found) = (passwd(), UnsafeMutablePointer<passwd>?.none)
    // Entries are short; the system's own limit is often unknown.
    var text = [CChar](repeating: 0, count: 1 << 16)
    guard getpwuid_r(geteuid(), &entry, &text, text.count, &found) == 0, found != nil,
      let home = entry.pw_dir.map({ String(cString: $0) }), home.hasPrefix("/")
    else { return "/" }
    return home
  }

  /// A directory of the XDG Base Directory Specification: from the environment if that is an
  /// absolute path, else in the home directory.
  package static func base(_ variable: String, orHome fallback: String) -> String {
    if let path = path(in: variable) { return path }
    return path == "/" ? "/\(fallback)" : "\(path)/\(fallback)"
  }
}
