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
  var lines: [Line] { Line.table(cells.map { $0.map(Self.shortened) }) }

  private static func shortened(_ text: String) -> String {
    let text = text.plain
    return text.count > largestWidth ? text.prefix(largestWidth - 1) + "…" : text
  }
}

extension GraphResponse {
  /// The body, when it says that it is JSON, and is.
  var jsonBody: JSON? { contentType.contains("json") ? try? json() : nil }

  /// The name of the body in the JSON of a command, and its value.
  var bodyMember: JSON.Member {
    if body.isEmpty { return JSON.Member("body", .null) }
    if let jsonBody { return JSON.Member("body", jsonBody) }
    if let text = String(validating: body, as: UTF8.self) { return JSON.Member("body", JSON(text)) }
    return JSON.Member("bodyBase64", JSON(body.base64EncodedString()))
  }

  /// The header fields for programs: the values of one name together.
  var fields: JSON {
    var members: [JSON.Member] = []
    for field in headerFields {
      if let index = members.firstIndex(where: { $0.name == field.name.canonicalName }) {
        members[index].value = .string((members[index].value.string ?? "") + ", " + field.value)
      } else {
        members.append(JSON.Member(field.name.canonicalName, .string(field.value)))
      }
    }
    return .object(members)
  }
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
