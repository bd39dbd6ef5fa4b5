import AuthCore
import Glibc

/// Writes a line to standard error, for messages without a window; it may contain text from the
/// command line.
func printError(_ text: String) {
  let line = Array("entrance: \(text.plain)\n".utf8)
  _ = write(STDERR_FILENO, line, line.count)
}
