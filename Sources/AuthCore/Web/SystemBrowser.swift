import Dispatch
import Glibc

/// Opens pages in the browser that the person uses.
public enum SystemBrowser {
  /// Opens `url` by the commands in `$BROWSER`, if that is set, and else by `xdg-open`.
  ///
  /// The URL can be seen in the list of processes; an authorization request holds nothing that is of use
  /// without the code verifier.
  /// - Throws: ``AuthenticationError`` with code ``AuthenticationError/Code/webAuthenticationFailed`` when no
  ///   browser could be started.
  public static func open(_ url: String) async throws(AuthenticationError) {
    let commands = commands(for: url, browser: getenv("BROWSER").map { String(cString: $0) })
    for command in commands {
      if await run(command) { return }
    }
    throw AuthenticationError(
      .webAuthenticationFailed,
      "No browser could be opened. Install one and the package 'xdg-utils', or name the browser's"
        + " command in the environment variable BROWSER.", step: .authorization)
  }

  /// The commands to try for `url`, the first one first.
  ///
  /// `$BROWSER` holds commands with colons between them. The URL takes the place of `%s` in one, or comes
  /// last. No shell reads them.
  static func commands(for url: String, browser: String?) -> [[String]] {
    let named = (browser ?? "").split(separator: ":").map { command in
      let words = command.split(separator: " ").map(String.init)
      return words.contains { $0.contains("%s") }
        ? words.map { $0.replacing("%s", with: url) } : words + [url]
    }
    return named.filter { $0.count > 1 } + [["xdg-open", url]]
  }

  /// Runs a command, and waits for its end in a thread of its own.
  ///
  /// A browser that was not running before may end with its last window only.
  private static func run(_ command: [String]) async -> Bool {
    guard let process = start(command) else { return false }
    return await withCheckedContinuation { continuation in
      DispatchQueue(label: "system-browser").async {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        continuation.resume(returning: status == 0)
      }
    }
  }

  /// Starts a command, away from this program's terminal; nil when there is no such program.
  private static func start(_ command: [String]) -> pid_t? {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // In a group of its own: an interrupt from the terminal is for this program, not for the browser.
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    posix_spawnattr_setpgroup(&attributes, 0)

    var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) }
    defer { for argument in arguments { free(argument) } }
    arguments.append(nil)
    var process: pid_t = 0
    return posix_spawnp(&process, command[0], &actions, &attributes, arguments, environ) == 0
      ? process : nil
  }
}
