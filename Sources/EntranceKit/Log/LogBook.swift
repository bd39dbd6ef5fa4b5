import AuthCore
import FoundationEssentials
import Localization

/// What was written to the log, with tokens kept apart so that they can be shown or not.
struct LogBook {
  private struct Line {
    var date: Date
    var message: LogMessage
  }

  private var lines: [Line] = []

  /// Writes a message down.
  mutating func append(_ message: LogMessage, at date: Date) {
    lines.append(Line(date: date, message: message))
  }

  /// Forgets all.
  mutating func clear() { lines = [] }

  /// Keeps of each token no more than is shown of it in short.
  ///
  /// - Returns: whether there was any.
  mutating func forgetTokens() -> Bool {
    let withToken = lines.indices.filter { lines[$0].message.hasToken }
    for index in withToken { lines[index].message.forgetToken() }
    return !withToken.isEmpty
  }

  /// All lines as they are shown.
  func entries(showingTokens: Bool) -> [LogEntry] {
    lines.map { LogEntry(date: $0.date, text: $0.message.text(showingTokens: showingTokens)) }
  }
}

/// An entry for the log: what comes from outside cannot pass for another line of it.
///
/// At most one token can be in it.
struct LogMessage {
  private var before: String
  private var token: Secret<String>?

  /// Whether there is one.
  var hasToken: Bool { token != nil }

  /// A line without a token.
  init(_ text: String) {
    self.init(lines: [text])
  }

  /// Lines without a token.
  init(lines: [String]) {
    before = lines.map(\.plain).joined(separator: "\n")
  }

  /// Lines of which the last ends with JSON, which takes several; there every character is written so that it
  /// shows.
  init(_ lines: [String], _ json: JSON) {
    self.init(lines: lines)
    before += json.prettyText
  }

  /// A line that ends with a token.
  init(_ text: String, token: Secret<String>) {
    before = text.plain
    self.token = token
  }

  /// Keeps of the token no more than is shown of it in short.
  mutating func forgetToken() {
    self = LogMessage(text(showingTokens: false))
  }

  /// The line as it is shown.
  func text(showingTokens: Bool) -> String {
    guard let token else { return before }
    return before + (showingTokens ? token.exposed.plain : Self.shortened(token))
  }

  /// The start of a token and its length.
  ///
  /// Of a JWT the first characters are its header, which is no secret; another token shows nothing
  /// of itself.
  static func shortened(_ token: Secret<String>) -> String {
    let text = token.exposed
    let isJWT = text.hasPrefix("ey") && text.split(separator: ".").count == 3
    let hidden = tr("[{count} characters hidden]", ["count": String(text.count)])
    return (isJWT ? text.prefix(8) : "") + "…" + hidden
  }
}
