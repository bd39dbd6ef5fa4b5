import AuthCore
import Localization

/// A log message; text from outside cannot fake another line.
///
/// It contains at most one token.
struct LogMessage: Sendable {
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
