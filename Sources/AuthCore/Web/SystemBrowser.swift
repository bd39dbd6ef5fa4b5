import Glibc
import Sentences

/// Opens pages in the user's browser.
public enum SystemBrowser {
  /// Opens `url` with the commands in `$BROWSER`, if set, else with `xdg-open`.
  ///
  /// When the task is canceled, no other command is tried: a browser that runs in the foreground
  /// may end long after it has shown the page.
  ///
  /// Other users of this computer can see the URL in the process list, so it must contain no
  /// secret. The URL of ``SystemBrowserSession`` can be used only once, by this user.
  /// - Throws: ``AuthenticationError`` with code
  ///   ``AuthenticationError/Code/webAuthenticationFailed`` when no browser could be started.
  public static func open(_ url: String) async throws(AuthenticationError) {
    let commands = commands(for: url, browser: getenv("BROWSER").map { String(cString: $0) })
    for command in commands {
      guard !Task.isCancelled else { return }
      if await ChildProcess.run(command) { return }
    }
    throw AuthenticationError(
      .webAuthenticationFailed,
      Sentence(
        "No browser could be opened. Install one and the package “xdg-utils”, or"
          + " name the browser’s command in the environment variable BROWSER."),
      step: .authorization)
  }

  /// The commands to try for `url`, in order.
  ///
  /// `$BROWSER` contains commands separated by colons. The URL replaces `%s` in a command, or is
  /// appended. No shell is involved. A browser that was not running may exit only when its last
  /// window closes.
  static func commands(for url: String, browser: String?) -> [[String]] {
    let named = (browser ?? "").split(separator: ":").map { command in
      let words = command.split(separator: " ").map(String.init)
      return words.contains { $0.contains("%s") }
        ? words.map { $0.replacing("%s", with: url) } : words + [url]
    }
    return named.filter { $0.count > 1 } + [["xdg-open", url]]
  }
}
