import Glibc

/// The environment that the program was started in.
enum Surroundings {
  /// The directory of this program.
  static var executableDirectory: String {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = readlink("/proc/self/exe", &path, Int(PATH_MAX))
    guard count > 0, let slash = path[..<count].lastIndex(of: CChar(UInt8(ascii: "/"))) else {
      return "."
    }
    return String(decoding: path[..<slash].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Whether a browser could show a page.
  static var hasDisplay: Bool {
    ["DISPLAY", "WAYLAND_DISPLAY", "BROWSER"].contains { variable($0) != nil }
  }

  /// An environment variable; nil when it is empty, too.
  static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The path of a program that would be found by its name; nil when there is none.
  static func program(_ name: String) -> String? {
    (variable("PATH") ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":").lazy
      .map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
  }

  /// Takes out what makes a library write TLS keys to a file or keep secrets elsewhere.
  ///
  /// Child processes inherit the rest.
  static func clean() {
    for name in ["SSLKEYLOGFILE", "SECRET_BACKEND", "SECRET_FILE_TEST_PATH", "CURL_HOME"] {
      unsetenv(name)
    }
  }
}
