import AuthCore
import FoundationEssentials
import Localization

/// The contents of the log; tokens are kept separately, so that they can be shown in full or
/// shortened.
///
/// It keeps a limited number of bytes: what is too much is removed from its oldest messages, with a
/// line that says so.
struct LogBook {
  private struct Line {
    var date: Date
    var message: LogMessage
  }

  /// How many bytes are kept: the largest response that is accepted, 32 MB, with its indentation.
  static let limit = 64 << 20
  /// How many bytes of older messages remain beside the newest one, however large it is.
  private static let reserve = 1 << 20

  private var lines: [Line] = []
  /// Tells that messages were removed.
  private var removal: Line?
  private var size = 0

  /// Adds a message.
  ///
  /// - Returns: whether something was removed from older messages.
  mutating func append(_ message: LogMessage, at date: Date) -> Bool {
    lines.append(Line(date: date, message: message))
    size += message.size
    guard size > Self.limit else { return false }
    // Not only what is too much, else the next message would do it again.
    let goal = max(Self.limit / 4 * 3 - message.size, Self.reserve) + message.size
    removeBodies(untilBelow: goal)
    removeMessages(untilBelow: goal)
    return true
  }

  private mutating func removeBodies(untilBelow goal: Int) {
    for index in lines.indices.dropLast() where size > goal {
      let before = lines[index].message.size
      lines[index].message.removeBody()
      size -= before - lines[index].message.size
    }
  }

  private mutating func removeMessages(untilBelow goal: Int) {
    var count = 0
    while size > goal, count < lines.count - 1 {
      size -= lines[count].message.size
      count += 1
    }
    guard count > 0 else { return }
    removal = Line(
      date: lines[count - 1].date,
      message: LogMessage(tr("Older lines were removed, because the log was full.")))
    lines.removeFirst(count)
  }

  /// Removes all messages.
  mutating func clear() { self = LogBook() }

  /// Replaces each token by its shortened form.
  ///
  /// - Returns: whether there was any.
  mutating func forgetTokens() -> Bool {
    let withToken = lines.indices.filter { lines[$0].message.hasToken }
    for index in withToken { lines[index].message.forgetToken() }
    size = lines.reduce(0) { $0 + $1.message.size }
    return !withToken.isEmpty
  }

  /// All entries, formatted.
  func entries(showing display: TokenDisplay) -> [LogEntry] {
    ([removal].compactMap(\.self) + lines).map {
      LogEntry(date: $0.date, folded: $0.message.folded(showing: display))
    }
  }
}

/// A log message; text from outside cannot fake another line.
///
/// It contains at most one token.
struct LogMessage {
  /// Folded once, because a search for the ends of long lines takes time.
  private var before: FoldedText
  private var token: Secret<String>?
  /// The shortened form of a token that was forgotten.
  private var rest: String?

  /// The number of bytes of its text.
  var size: Int { before.whole.utf8.count + (token?.exposed.utf8.count ?? 0) }

  /// Whether it contains a token.
  var hasToken: Bool { token != nil }

  /// Creates a line without a token.
  init(_ text: String) {
    self.init(lines: [text])
  }

  /// Creates lines without a token.
  init(lines: [String]) {
    before = FoldedText(lines.map(\.plain).joined(separator: "\n"))
  }

  /// Creates lines followed by JSON on several lines, in which every character is visible.
  init(_ document: ResponseDocument) {
    before = document.folded
  }

  /// Creates lines of which the last ends with a token.
  init(_ lines: [String], token: Secret<String>) {
    self.init(lines: lines)
    self.token = token
  }

  /// Removes what is long, and says so; a token and what is before it stay.
  mutating func removeBody() {
    guard token == nil, rest == nil, size > 2 * Self.keptSize else { return }
    let line = before.whole.utf8.prefix { $0 != UInt8(ascii: "\n") }.prefix(Self.keptSize)
    let kept = String(decoding: line, as: UTF8.self)
    let removed = ByteSize.text(size - line.count)
    let remark = tr("[{size} removed, because the log was full]", ["size": removed])
    before = FoldedText(kept + "\n    " + remark)
  }

  /// How many bytes at most remain of a message that is removed.
  private static let keptSize = 1000

  /// Replaces the token by its shortened form.
  mutating func forgetToken() {
    rest = token.map(Self.shortened)
    token = nil
  }

  /// The formatted line.
  func folded(showing display: TokenDisplay) -> FoldedText {
    guard let shortened = token.map(Self.shortened) ?? rest else { return before }
    let shown =
      switch display {
      case .hidden: tr("[hidden]")
      case .shortened: shortened
      case .full: token?.exposed.plain ?? shortened
      }
    return FoldedText(before.whole + shown)
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
