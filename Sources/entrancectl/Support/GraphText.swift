import AuthCore
import EntranceKit
import FoundationEssentials
import Glibc
import HTTPTypes
import MicrosoftGraph
import Sentences

extension GraphTable {
  /// The widest column of a table for people.
  private static let largestWidth = 60

  /// A table, whose long texts are cut.
  var lines: [Line] {
    let cells = cells.map { $0.map(Self.shortened) }
    var widths = columns.map { _ in 0 }
    for row in cells {
      for (index, text) in row.enumerated() { widths[index] = max(widths[index], text.count) }
    }
    return cells.map { row in
      var line = ""
      var end = 0
      for (text, width) in zip(row, widths) {
        if !text.isEmpty {
          line += String(repeating: " ", count: end - line.count) + text
        }
        end += width + 2
      }
      return Line(Sentence(verbatim: line))
    }
  }

  private static func shortened(_ text: String) -> String {
    let text = text.plain
    return text.count > largestWidth ? text.prefix(largestWidth - 1) + "…" : text
  }
}

extension Output {
  /// The name of a response's body in the JSON of a command, and its value.
  static func member(_ response: GraphResponse) -> (name: String, value: JSON) {
    if response.body.isEmpty { return ("body", .null) }
    if let json = response.jsonBody { return ("body", json) }
    if let text = String(validating: response.body, as: UTF8.self) {
      return ("body", .string(text))
    }
    return ("bodyBase64", .string(response.body.base64EncodedString()))
  }

  /// Header fields for programs: the values of one name together.
  static func object(of response: GraphResponse) -> JSON {
    var members: [JSON.Member] = []
    for field in response.headerFields {
      if let index = members.firstIndex(where: { $0.name == field.name.canonicalName }) {
        members[index].value = .string((members[index].value.string ?? "") + ", " + field.value)
      } else {
        members.append(JSON.Member(field.name.canonicalName, .string(field.value)))
      }
    }
    return .object(members)
  }
}

extension GraphResponse {
  /// The body, when it says that it is JSON, and is.
  var jsonBody: JSON? { contentType.contains("json") ? try? json() : nil }
}

/// A line on the terminal that says how far a transfer is; nothing when no terminal is there.
struct ProgressLine {
  private let isShown = isatty(STDERR_FILENO) != 0
  private var last: ContinuousClock.Instant?

  /// Shows how far it is, ten times a second.
  mutating func show(_ progress: GraphProgress) {
    let done = Self.megabytes(progress.completed)
    guard let total = progress.total else { return show(Sentence("{done} MB", ["done": done])) }
    show(Sentence("{done} MB of {total} MB", ["done": done, "total": Self.megabytes(total)]))
  }

  /// Shows a percentage, ten times a second.
  mutating func show(percentage: Double) {
    show(Sentence("{number} %", ["number": String(Int(percentage))]))
  }

  private mutating func show(_ sentence: Sentence) {
    let now = ContinuousClock.now
    if let last, now - last < .milliseconds(100) { return }
    guard isShown else { return }
    last = now
    Output.writeError("\r\u{1B}[K" + Line(sentence).text)
  }

  /// Removes the line.
  func clear() {
    if last != nil { Output.writeError("\r\u{1B}[K") }
  }

  private static func megabytes(_ bytes: Int) -> String {
    // Tenths, without a formatter's rounding up to a size that it has not yet.
    "\(bytes / 1_000_000).\(bytes / 100_000 % 10)"
  }
}
