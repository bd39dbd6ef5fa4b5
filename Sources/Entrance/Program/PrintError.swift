import AuthCore
import Glibc
import Gtk
import Localization
import Sentences

/// Writes a line to standard error, for messages without a window; it may contain text from the
/// command line.
func printError(_ sentence: Sentence) {
  let line = Array("entrance: \(tr(sentence.plain))\n".utf8)
  _ = write(STDERR_FILENO, line, line.count)
}
