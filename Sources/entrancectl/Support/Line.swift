import AuthCore
import Localization
import Sentences

/// A line for the person, in their language.
///
/// What comes from outside cannot pass for another line, nor for a terminal's command: it is made
/// ``Swift/String/plain``.
struct Line {
  /// The line, without its end.
  let text: String

  /// A line with nothing in it.
  static let empty = Line(Sentence([]))

  /// Creates a line of `sentence`, behind an indent or a mark.
  init(_ sentence: Sentence, behind mark: String = "") {
    text = mark + tr(sentence.plain)
  }
}
