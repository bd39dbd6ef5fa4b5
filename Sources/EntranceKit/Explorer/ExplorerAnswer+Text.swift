import AuthCore
import FoundationEssentials

// The body of an answer as text.
extension ExplorerAnswer {
  /// Whether the bytes are text: UTF-8 without the control characters of no text.
  static func isText(_ body: Data) -> Bool {
    !body.contains { $0 < 0x20 && ![0x09, 0x0A, 0x0D, 0x0C].contains($0) }
      && String(validating: body, as: UTF8.self) != nil
  }

  /// The text with its lines, in which no character acts instead of being seen.
  static func visible(_ text: String) -> String {
    let newline = UInt8(ascii: "\n")
    if text.utf8.allSatisfy({ 0x20..<0x7F ~= $0 || $0 == newline }) { return text }
    var visible = ""
    visible.reserveCapacity(text.utf8.count)
    var rest = Substring(text)
    while let end = rest.utf8.firstIndex(of: newline) {
      visible.append(visibleLine: rest[..<end])
      visible += "\n"
      rest = rest[rest.utf8.index(after: end)...]
    }
    visible.append(visibleLine: rest)
    return visible
  }
}

extension String {
  /// Adds a line of text without the end that Windows gives it.
  fileprivate mutating func append(visibleLine line: Substring) {
    // A letter with an accent in one line must not slow down the others, which may be a million.
    if line.utf8.allSatisfy({ 0x20..<0x7F ~= $0 || $0 == UInt8(ascii: "\t") }) {
      return append(contentsOf: line)
    }
    self += (line.hasSuffix("\r") ? line.dropLast() : line)
      .split(separator: "\t", omittingEmptySubsequences: false)
      .map { String($0).plain }.joined(separator: "\t")
  }
}
