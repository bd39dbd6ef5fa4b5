import AuthCore
import Glibc

/// The environment that the program was started in.
enum ProcessEnvironment {
  /// All of it, also what ``clean()`` takes out: for a program that runs in this one's place.
  static let inherited = ChildProcess.environment

  /// The words of the command line, byte for byte: their texts have lost what is not UTF-8.
  static var words: [[UInt8]] {
    UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
      .compactMap { word in word.map { ChildProcess.bytes(of: $0) } }
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

  /// Takes out what makes a library write TLS keys to a file or keep secrets elsewhere, and sets how
  /// wide the parser of arguments makes its help.
  static func clean() {
    _ = inherited
    for name in ["SSLKEYLOGFILE", "SECRET_BACKEND", "SECRET_FILE_TEST_PATH", "CURL_HOME"] {
      unsetenv(name)
    }
    setenv("COLUMNS", "\(columns)", 1)
  }

  /// How wide help is: as the person or the terminal says, but with room for texts beside the labels.
  private static var columns: Int {
    var size = winsize()
    let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    let width = variable("COLUMNS").flatMap { Int($0) }
    return min(max(width ?? (isKnown ? Int(size.ws_col) : 80), 40), 1000)
  }
}
