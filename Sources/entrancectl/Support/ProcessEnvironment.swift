import Glibc

/// The environment that the program was started in.
enum ProcessEnvironment {
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
