import Glibc

/// Where a person's files are.
package enum HomeDirectory {
  /// The home directory: that of the environment, else that of the system's list of users.
  ///
  /// A relative path is none: it would be another place in each directory.
  package static var path: String {
    if let home = getenv("HOME").map({ String(cString: $0) }), home.hasPrefix("/") { return home }
    var (entry, found) = (passwd(), UnsafeMutablePointer<passwd>?.none)
    // Entries are short, and the system's own limit for one is often not known.
    var text = [CChar](repeating: 0, count: 1 << 16)
    guard getpwuid_r(geteuid(), &entry, &text, text.count, &found) == 0, found != nil,
      let home = entry.pw_dir.map({ String(cString: $0) }), home.hasPrefix("/")
    else { return "/" }
    return home
  }

  /// A directory of the XDG Base Directory Specification: what the environment says, by which a relative
  /// path is none, else one in the home directory.
  package static func base(_ variable: String, orHome fallback: String) -> String {
    if let path = getenv(variable).map({ String(cString: $0) }), path.hasPrefix("/") { return path }
    return path == "/" ? "/\(fallback)" : "\(path)/\(fallback)"
  }
}
