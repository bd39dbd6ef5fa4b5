import AuthCore
import Localization
import Sentences

/// A line for the user, in their language.
///
/// Text from outside cannot imitate another line or a terminal's command: it is made
/// ``Swift/String/plain``.
struct Line {
  /// The text, without the line break.
  let text: String

  /// An empty line.
  static let empty = Line(Sentence([]))

  /// Creates a line: `mark`, such as an indent, and the sentence.
  init(_ sentence: Sentence, behind mark: String = "") {
    text = mark + tr(sentence.plain)
  }
}
