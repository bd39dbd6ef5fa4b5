import Glibc

/// Writes a line to standard error, for what no window can say.
func printError(_ text: String) {
  let line = Array("entrance: \(text)\n".utf8)
  _ = write(STDERR_FILENO, line, line.count)
}
