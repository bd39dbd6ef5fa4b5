import Glibc
import Sentences

/// Opens pages in the browser that the person uses.
public enum SystemBrowser {
  /// Opens `url` by the commands in `$BROWSER`, if that is set, and else by `xdg-open`.
  ///
  /// Everyone on this machine can see the URL in the list of processes: it may hold no secret. That of
  /// ``SystemBrowserSession`` is good once, for this person.
  /// - Throws: ``AuthenticationError`` with code ``AuthenticationError/Code/webAuthenticationFailed`` when no
  ///   browser could be started.
  public static func open(_ url: String) async throws(AuthenticationError) {
    let commands = commands(for: url, browser: getenv("BROWSER").map { String(cString: $0) })
    for command in commands {
      if await ChildProcess.run(command) { return }
    }
    throw AuthenticationError(
      .webAuthenticationFailed,
      Sentence(
        "No browser could be opened. Install one and the package 'xdg-utils', or"
          + " name the browser's command in the environment variable BROWSER."),
      step: .authorization)
  }

  /// The commands to try for `url`, the first one first.
  ///
  /// `$BROWSER` holds commands with colons between them. The URL takes the place of `%s` in one, or comes
  /// last. No shell reads them. A browser that was not running before may end with its last window only.
  static func commands(for url: String, browser: String?) -> [[String]] {
    let named = (browser ?? "").split(separator: ":").map { command in
      let words = command.split(separator: " ").map(String.init)
      return words.contains { $0.contains("%s") }
        ? words.map { $0.replacing("%s", with: url) } : words + [url]
    }
    return named.filter { $0.count > 1 } + [["xdg-open", url]]
  }
}
