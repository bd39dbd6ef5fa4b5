extension String {
  /// The text as one word of a POSIX shell, in quotes.
  package var quoted: String { "'\(replacing("'", with: "'\\''"))'" }

  /// The text as one argument of a shell, in quotes if it needs them.
  package var asArgument: String {
    let isPlain = allSatisfy { $0.isLetter || $0.isNumber || "/._-+@:".contains($0) }
    return isPlain && !isEmpty ? self : quoted
  }
}
