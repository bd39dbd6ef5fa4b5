import AuthCore
import Glibc
import Localization
import Sentences

/// Writes a line to standard error, for what no window can say; what was on the command line may be in it.
func printError(_ sentence: Sentence) {
  let line = Array("entrance: \(tr(sentence.plain))\n".utf8)
  _ = write(STDERR_FILENO, line, line.count)
}
