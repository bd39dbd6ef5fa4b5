import AuthCore
import CurlHTTP

// The permissions in a copied text.
extension CopiedText {
  /// The longest list of permissions in quotes, in bytes: a longer one fits into no request.
  private static let longestList = 8192

  /// The permissions, without those that are asked for anyway, and whether there are some that
  /// cannot be read: then there are none.
  var scopes: (names: [String], isUnread: Bool) {
    var isUnread = false
    for place in placesNearApp(behind: "scope") {
      let found = scopes(at: place)
      let names = found.names.filter { !ConnectionDraft.standardScopes.contains($0) }
      if !names.isEmpty, !found.isUnread { return (names, false) }
      isUnread = isUnread || found.isUnread
    }
    return ([], isUnread)
  }

  /// The permissions behind the name that ends at `place`, but for an "s".
  private func scopes(at place: Int) -> (names: [String], isUnread: Bool) {
    let isPlural = place < bytes.count && bytes[place].lowercased == UInt8(ascii: "s")
    let start = start(ofValueAt: isPlural ? place + 1 : place)
    let rest = bytes[min(start, bytes.count)...]
    guard Self.isList(rest), let quote = rest.firstIndex(where: Self.quotes.contains) else {
      return (listed(from: start), false)
    }
    guard let bracket = bytes[start..<quote].lastIndex(where: { "[({".utf8.contains($0) }) else {
      // Behind other words, it may not be the value.
      return (scopes(in: list(from: quote).texts, arePlain: start == quote), false)
    }
    let isAlone = bytes[(bracket + 1)..<quote].allSatisfy { " \t\r\n".utf8.contains($0) }
    let found = list(from: quote)
    guard Self.isPartOfName(bytes[bracket - 1]) else {
      return (scopes(in: found.texts, arePlain: true), !isAlone || !found.isWhole)
    }
    // What is in the brackets may be a name, as in os.environ["SCOPES"] and getenv("SCOPES").
    let isElement = bytes[bracket] == UInt8(ascii: "[")
    let names = isElement ? [] : scopes(in: found.texts, arePlain: false)
    return (names, names.isEmpty || !isAlone || !found.isWhole)
  }

  /// The permissions among `texts`.
  ///
  /// - Parameter arePlain: whether no text can be something else, such as the name of a variable.
  private func scopes(in texts: [String], arePlain: Bool) -> [String] {
    texts.flatMap { Connection.scopes(in: $0) }
      .filter { Self.isScope($0) && (arePlain || $0.contains(where: "./".contains)) }
  }

  private static func isPartOfName(_ byte: UInt8) -> Bool {
    byte.isAlphanumeric || byte == UInt8(ascii: "_")
  }

  // MARK: - Without quotes

  /// The permissions of a list without quotes, in one line or in an address, up to the first word
  /// that is none.
  private func listed(from start: Int) -> [String] {
    var scopes: [String] = []
    var place = start
    while place < bytes.count, !isLineEnd(at: place) {
      let length = blank(at: place)
      guard length == 0 else {
        place += length
        continue
      }
      let reach = min(place + Self.longestValue + 1, bytes.count)
      let end = (place..<reach).first { isLineEnd(at: $0) || blank(at: $0) > 0 } ?? reach
      guard end - place <= Self.longestValue else { break }
      // Other blanks and commas may be encoded, too.
      let decoded = Self.decoded(String(decoding: bytes[place..<end], as: UTF8.self))
      for text in Connection.scopes(in: decoded) {
        guard Self.isScope(text), text.contains(where: "./".contains) || Self.isStandard(text)
        else { return scopes }
        scopes.append(text)
      }
      place = end
    }
    return scopes
  }

  private func isLineEnd(at place: Int) -> Bool {
    bytes[place] == 0x0A || bytes[place] == UInt8(ascii: "&")
  }

  /// The length of the blank at `place`, which may be encoded as in an address; 0 if there is none.
  private func blank(at place: Int) -> Int {
    if " ,\t\r+".utf8.contains(bytes[place]) { return 1 }
    return bytes[place...].starts(with: "%20".utf8) ? 3 : 0
  }

  // MARK: - In quotes

  /// Whether quotes begin before something else ends the value.
  private static func isList(_ rest: ArraySlice<UInt8>) -> Bool {
    // Words go on behind a comma, and what else is there is no part of the value.
    guard rest.first != UInt8(ascii: ","), rest.first != UInt8(ascii: "]") else { return false }
    let before = rest.prefix(61).prefix { !quotes.contains($0) }
    return before.endIndex < rest.endIndex && before.count <= 60
      && !before.contains { "&;=})\\".utf8.contains($0) }
  }

  /// Texts in quotes with commas between them, and whether the list ends behind them.
  ///
  /// A text that is the name of something else is none of them.
  private func list(from opening: Int) -> (texts: [String], isWhole: Bool) {
    var texts: [String] = []
    var place = opening
    let end = min(opening + Self.longestList, bytes.count)
    while place < end, Self.quotes.contains(bytes[place]) {
      guard let (text, next) = text(from: place, to: end), !isSign(at: next, before: end) else {
        break
      }
      texts.append(text)
      place = next
      guard next < end, bytes[next] == UInt8(ascii: ",") else { break }
      place = gap(from: next + 1, to: end)
    }
    let isWhole = place == bytes.count || place < end && "])}".utf8.contains(bytes[place])
    return (texts, isWhole)
  }

  /// The text in quotes at `opening`, with those that follow without a comma, which is how Python
  /// writes a long one, and where it goes on; nil when it does not end.
  private func text(from opening: Int, to end: Int) -> (text: String, next: Int)? {
    var text: [UInt8] = []
    var place = opening
    while place < end, Self.quotes.contains(bytes[place]) {
      let part = bytes[(place + 1)..<end].prefix { $0 != bytes[place] }
      guard part.endIndex < end || end == bytes.count else { return nil }
      let next = gap(from: min(part.endIndex + 1, end), to: end)
      if place > opening, isSign(at: next, before: end) { break }
      text += part
      place = next
    }
    return (String(decoding: text, as: UTF8.self), place)
  }

  /// Whether the text before is the name of what follows.
  private func isSign(at place: Int, before end: Int) -> Bool {
    place < end && ":=".utf8.contains(bytes[place])
  }

  /// Where something begins that is no blank, comment, or sign that joins texts.
  private func gap(from start: Int, to end: Int) -> Int {
    var place = start
    while place < end {
      if " \t\r\n+\\".utf8.contains(bytes[place]) {
        place += 1
      } else if bytes[place] == UInt8(ascii: "#") || bytes[place..<end].starts(with: "//".utf8) {
        let line = bytes[place..<end].prefix(Self.longestLine)
        place = line.firstIndex(of: 0x0A) ?? line.endIndex
      } else {
        break
      }
    }
    return place
  }

  private static func isStandard(_ scope: String) -> Bool {
    ConnectionDraft.standardScopes.contains(scope) || scope == "email"
  }

  private static func isScope(_ text: String) -> Bool {
    text.utf8.first?.isLetter == true
      && text.utf8.allSatisfy { $0.isAlphanumeric || "._-:/".utf8.contains($0) }
  }
}
