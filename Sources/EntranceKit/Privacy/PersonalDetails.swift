import AuthCore
import CurlHTTP
import FoundationEssentials
import Localization

/// Personal details, and texts without them: names of accounts, whatever looks like an email
/// address, a phone number, an identifier or a token, and what Microsoft Graph's JSON says about
/// people.
///
/// A pure function over text: what is hidden is the same wherever the text is from.
public struct PersonalDetails: Sendable, Equatable {
  /// A text that is known to be personal, as bytes.
  private struct Name: Sendable, Hashable {
    var bytes: [UInt8]
    var replacement: String
    /// Whether only this spelling is meant: a part of a name can be a common word.
    var isExact: Bool
  }

  /// What stands for something personal.
  public static let mark = "••••••••"

  /// Names of the same length, in bytes.
  private struct Names: Sendable, Equatable {
    let length: Int
    private var all: [Name] = []
    /// Where each name is among all, without what stands for it.
    private var places: [Name: Int] = [:]

    /// So many are found faster by a look at each than by hashes.
    private static let few = 16

    init(length: Int) { self.length = length }

    mutating func append(_ name: Name) {
      let key = Name(bytes: name.bytes, replacement: "", isExact: name.isExact)
      places[key] = places[key] ?? all.count
      all.append(name)
    }

    /// The first name that these bytes are.
    func name(_ bytes: ArraySlice<UInt8>) -> Name? {
      guard all.count > Self.few else {
        return all.first { name in
          zip(bytes, name.bytes).allSatisfy { (name.isExact ? $0 : $0.lowercased) == $1 }
        }
      }
      let keys = [
        Name(bytes: Array(bytes), replacement: "", isExact: true),
        Name(bytes: bytes.map(\.lowercased), replacement: "", isExact: false),
      ]
      return keys.compactMap { places[$0] }.min().map { all[$0] }
    }
  }

  /// The known names, the longest first: one may contain another.
  private var names: [Names] = []
  /// The same for the query of an address, where any name is meant in any case.
  private var queryNames: [Names] = []
  /// What stands for the names.
  private var replacements: Set<[UInt8]> = []
  /// The names without what stands for them.
  private var known: Set<Name> = []
  /// The accounts that are known, by which they are numbered.
  private var numbers: [String: Int] = [:]
  /// Whether identifiers are shown.
  var keepsIdentifiers = false

  /// Knows no names.
  public init() {}

  /// Learns an account's names; an account that is known keeps its number.
  ///
  /// - Parameters:
  ///   - username: its user name.
  ///   - others: the user's name, and the name that they gave the account.
  /// - Returns: whether any was new.
  @discardableResult
  public mutating func learn(username: String, _ others: [String?] = []) -> Bool {
    guard !username.isEmpty else { return false }
    let before = known.count
    let key = username.lowercased()
    let number = numbers[key] ?? numbers.count + 1
    numbers[key] = number
    let name = tr("Account {number}", ["number": number])
    add(username, name)
    for other in others.compactMap(\.self) {
      add(other, name)
      add(AccountRow.text(ofName: other, username: username), name)
      for word in other.split(whereSeparator: \.isWhitespace) where word.count > 2 {
        add(String(word), Self.mark, isExact: true)
      }
    }
    if let at = username.unicodeScalars.lastIndex(of: "@") {
      add(String(username[username.index(after: at)...]), Self.mark)
    }
    return known.count != before
  }

  private mutating func add(_ text: String, _ replacement: String, isExact: Bool = false) {
    // Also as it is where names are shortened, in JSON, and in a URL.
    let inJSON = String(JSON.string(text).compactText.unicodeScalars.dropFirst().dropLast())
    for spelling in [text, text.shownName, inJSON, FormEncoding.percentEncoded(text)] {
      let bytes = Array(spelling.utf8).map { isExact ? $0 : $0.lowercased }
      guard bytes.count > 2,
        known.insert(Name(bytes: bytes, replacement: "", isExact: isExact)).inserted
      else { continue }
      let name = Name(bytes: bytes, replacement: replacement, isExact: isExact)
      Self.add(name, to: &names)
      let inAnyCase = Name(
        bytes: bytes.map(\.lowercased), replacement: replacement, isExact: false)
      Self.add(inAnyCase, to: &queryNames)
      replacements.insert(Array(replacement.utf8))
    }
  }

  private static func add(_ name: Name, to names: inout [Names]) {
    let length = name.bytes.count
    let place = names.firstIndex { $0.length <= length } ?? names.count
    if place == names.count || names[place].length < length {
      names.insert(Names(length: length), at: place)
    }
    names[place].append(name)
  }

  // MARK: - Hiding

  /// The text without personal details.
  public func hidden(in text: String) -> String {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var (position, afterEscape, isQuoted) = (0, 0, false)
    while position < bytes.count {
      let isStart = position == afterEscape
      if !isQuoted, bytes[position] == UInt8(ascii: "\"") {
        for string in Self.personalStrings(bytes, at: position) {
          result += bytes[position..<string.lowerBound]
          result += hidden(value: Array(bytes[string]))
          // Its quotation mark follows.
          (position, isQuoted) = (string.upperBound, true)
        }
        if isQuoted { continue }
      }
      if let (length, replacement) = personal(bytes, at: position, isStart: isStart) {
        result += replacement.utf8
        position += length
      } else if isEscape(bytes, at: position, isQuoted: isQuoted) {
        result += bytes[position...position + 1]
        position += 2
        afterEscape = position
      } else {
        switch bytes[position] {
        case UInt8(ascii: "\""): isQuoted.toggle()
        // No string of JSON has more than one line.
        case UInt8(ascii: "\n"): isQuoted = false
        default: break
        }
        result.append(bytes[position])
        position += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// An address without personal details: who searches for a name writes it in any case.
  ///
  /// Before the query, a part of a name would be a common word.
  func hidden(inAddress address: String) -> String {
    guard let mark = address.firstIndex(of: "?") else { return hidden(in: address) }
    var query = self
    query.names = queryNames
    return hidden(in: String(address[..<mark])) + query.hidden(in: String(address[mark...]))
  }

  /// The bytes without personal details, if they are text.
  func hidden(in data: Data) -> Data {
    guard let text = String(validating: data, as: UTF8.self) else { return data }
    return Data(hidden(in: text).utf8)
  }

  /// What stands for the value of a personal member; accounts that are known are told apart.
  private func hidden(value: [UInt8]) -> [UInt8] {
    if value.isEmpty || replacements.contains(value) { return value }
    if let known = name(value, at: 0, isStart: true), known.bytes.count == value.count {
      return Array(known.replacement.utf8)
    }
    return Array(Self.mark.utf8)
  }

  /// Whether an escape of JSON is at `position` (RFC 8259, section 7): its letter is of no word.
  ///
  /// - Parameter isQuoted: whether a string of JSON may be around it.
  private func isEscape(_ bytes: [UInt8], at position: Int, isQuoted: Bool) -> Bool {
    guard bytes[position] == UInt8(ascii: "\\"), position + 1 < bytes.count,
      "\"\\/bfnrt".utf8.contains(bytes[position + 1])
    else { return false }
    // Windows writes a domain, a backslash and a name.
    return isQuoted
      ? name(bytes, at: position + 1, isStart: true) == nil
      : personal(bytes, at: position + 1, isStart: true) == nil
  }

  /// The length of what is personal at `position`, and what stands for it; nil when nothing is.
  ///
  /// - Parameter isStart: whether nothing before belongs to the same word.
  private func personal(_ bytes: [UInt8], at position: Int, isStart: Bool) -> (Int, String)? {
    if let name = name(bytes, at: position, isStart: isStart) {
      return (name.bytes.count, name.replacement)
    }
    guard isStart || !Self.isOfWord(bytes[position - 1]) else { return nil }
    let length =
      Self.lengthOfToken(bytes, at: position)
      ?? (keepsIdentifiers ? nil : Self.lengthOfGUID(bytes, at: position))
      ?? Self.lengthOfPhoneNumber(bytes, at: position)
      ?? (isStart || !Self.isOfAddress(bytes[position - 1])
        ? Self.lengthOfAddress(bytes, at: position) : nil)
    return length.map { ($0, Self.mark) }
  }

  private func name(_ bytes: [UInt8], at position: Int, isStart: Bool) -> Name? {
    guard isStart || Self.isBoundary(bytes, position) || Self.isEncoded(bytes, before: position)
    else { return nil }
    for sameLength in names {
      let end = position + sameLength.length
      guard end <= bytes.count, Self.isBoundary(bytes, end) else { continue }
      if let name = sameLength.name(bytes[position..<end]) { return name }
    }
    return nil
  }

  /// Whether a word ends or begins at `position`.
  private static func isBoundary(_ bytes: [UInt8], _ position: Int) -> Bool {
    guard position > 0, position < bytes.count else { return true }
    return !isOfWord(bytes[position - 1]) || !isOfWord(bytes[position])
  }

  /// Whether an encoded character of a URL, such as `%22`, is before `position`.
  private static func isEncoded(_ bytes: [UInt8], before position: Int) -> Bool {
    position >= 3 && bytes[position - 3] == UInt8(ascii: "%")
      && bytes[position - 2..<position].allSatisfy { "0123456789ABCDEFabcdef".utf8.contains($0) }
  }

  /// A JSON Web Token: what looks like one in Base64URL, with dots.
  private static func lengthOfToken(_ bytes: [UInt8], at start: Int) -> Int? {
    guard bytes[start...].starts(with: "eyJ".utf8) else { return nil }
    var end = start
    while end < bytes.count, isOfBase64URL(bytes[end]) || bytes[end] == UInt8(ascii: ".") {
      end += 1
    }
    return end - start > 20 ? end - start : nil
  }

  private static func lengthOfGUID(_ bytes: [UInt8], at start: Int) -> Int? {
    let end = start + 36
    guard end <= bytes.count, end == bytes.count || !isOfWord(bytes[end]),
      GUID.isValid(String(decoding: bytes[start..<end], as: UTF8.self))
    else { return nil }
    return 36
  }

  /// A phone number with the code of its country: `+1 425 555 0109`.
  private static func lengthOfPhoneNumber(_ bytes: [UInt8], at start: Int) -> Int? {
    guard bytes[start] == UInt8(ascii: "+") else { return nil }
    var (end, digits) = (start + 1, 0)
    for position in (start + 1)..<min(start + 24, bytes.count) {
      if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position]) {
        (end, digits) = (position + 1, digits + 1)
      } else if !" ()-".utf8.contains(bytes[position]) {
        break
      }
    }
    return digits > 7 ? end - start : nil
  }

  /// An email address: what user names look like, also in a URL.
  private static func lengthOfAddress(_ bytes: [UInt8], at start: Int) -> Int? {
    lengthOfAddress(bytes, at: start, with: "@") ?? lengthOfAddress(bytes, at: start, with: "%40")
  }

  private static func lengthOfAddress(
    _ bytes: [UInt8], at start: Int, with sign: String
  ) -> Int? {
    var end = start
    while end < bytes.count, isOfAddress(bytes[end]), !bytes[end...].starts(with: sign.utf8) {
      end += 1
    }
    guard end > start, bytes[end...].starts(with: sign.utf8) else { return nil }
    end += sign.utf8.count
    guard end < bytes.count, isOfWord(bytes[end]) else { return nil }
    while end < bytes.count,
      isOfWord(bytes[end]) || [UInt8(ascii: "-"), UInt8(ascii: ".")].contains(bytes[end])
    {
      end += 1
    }
    // A sentence may end there.
    while bytes[end - 1] == UInt8(ascii: ".") { end -= 1 }
    return end - start
  }

  private static func isOfWord(_ byte: UInt8) -> Bool {
    byte.isAlphanumeric
  }

  private static func isOfBase64URL(_ byte: UInt8) -> Bool {
    isOfWord(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
  }

  private static func isOfAddress(_ byte: UInt8) -> Bool {
    isOfWord(byte) || byte >= 0x80 || addressSigns.contains(byte)
  }

  private static let addressSigns = Set("._%+-#&!$^~".utf8)
}
