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

  /// Rows of texts, whose columns begin below each other.
  static func table(_ rows: some Collection<[String]>) -> [Line] {
    // Not all at a time: a row can have many columns, nearly all of them empty.
    let rows = rows.lazy.map { $0.map(\.plain) }
    var widths: [Int] = []
    for row in rows {
      for (index, text) in row.enumerated() {
        if index == widths.count { widths.append(0) }
        widths[index] = max(widths[index], text.columns)
      }
    }
    return rows.map { row in
      var line = ""
      var (position, end) = (0, 0)
      for (text, width) in zip(row, widths) {
        if !text.isEmpty {
          line += String(repeating: " ", count: end - position) + text
          position = end + text.columns
        }
        end += width + 2
      }
      return Line(Sentence(verbatim: line))
    }
  }
}
