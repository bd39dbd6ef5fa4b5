import AuthCore
import FoundationEssentials
import Localization

/// The contents of the log; tokens are kept separately, so that they can be shown in full or
/// shortened.
struct LogBook {
  private struct Line {
    var date: Date
    var message: LogMessage
  }

  private var lines: [Line] = []

  /// Adds a message.
  mutating func append(_ message: LogMessage, at date: Date) {
    lines.append(Line(date: date, message: message))
  }

  /// Removes all messages.
  mutating func clear() { lines = [] }

  /// Replaces each token by its shortened form.
  ///
  /// - Returns: whether there was any.
  mutating func forgetTokens() -> Bool {
    let withToken = lines.indices.filter { lines[$0].message.hasToken }
    for index in withToken { lines[index].message.forgetToken() }
    return !withToken.isEmpty
  }

  /// All entries, formatted.
  func entries(showing display: TokenDisplay) -> [LogEntry] {
    lines.map { LogEntry(date: $0.date, text: $0.message.text(showing: display)) }
  }
}

/// A log message; text from outside cannot fake another line.
///
/// It contains at most one token.
struct LogMessage {
  private var before: String
  private var token: Secret<String>?
  /// The shortened form of a token that was forgotten.
  private var rest: String?

  /// Whether it contains a token.
  var hasToken: Bool { token != nil }

  /// Creates a line without a token.
  init(_ text: String) {
    self.init(lines: [text])
  }

  /// Creates lines without a token.
  init(lines: [String]) {
    before = lines.map(\.plain).joined(separator: "\n")
  }

  /// Creates lines followed by JSON on several lines, in which every character is visible.
  init(_ lines: [String], _ json: JSON) {
    self.init(lines: lines)
    before += json.prettyText
  }

  /// Creates lines of which the last ends with a token.
  init(_ lines: [String], token: Secret<String>) {
    self.init(lines: lines)
    self.token = token
  }

  /// Replaces the token by its shortened form.
  mutating func forgetToken() {
    rest = token.map(Self.shortened)
    token = nil
  }

  /// The formatted line.
  func text(showing display: TokenDisplay) -> String {
    guard let shortened = token.map(Self.shortened) ?? rest else { return before }
    return switch display {
    case .hidden: before + tr("[hidden]")
    case .shortened: before + shortened
    case .full: before + (token?.exposed.plain ?? shortened)
    }
  }

  /// The start of a token and its length.
  ///
  /// The first characters of a JWT are its header, which is not secret; of other tokens, nothing is
  /// shown.
  static func shortened(_ token: Secret<String>) -> String {
    let text = token.exposed
    let isJWT = text.hasPrefix("ey") && text.split(separator: ".").count == 3
    let hidden = tr("[{count} characters hidden]", ["count": String(text.count)])
    return (isJWT ? text.prefix(8) : "") + "…" + hidden
  }
}
