import AuthCore
import Glibc

/// Writes a line to standard error, for what no window can say; what was on the command line may be in it.
func printError(_ text: String) {
  let line = Array("entrance: \(text.plain)\n".utf8)
  _ = write(STDERR_FILENO, line, line.count)
}
