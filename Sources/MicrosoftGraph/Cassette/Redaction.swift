import AuthCore
import CurlHTTP
import FoundationEssentials
import HTTPTypes

/// Replaces what a recording must not hold by stand-ins, the same one for the same value.
///
/// What is kept is listed; anything else is replaced.
struct Redaction: Sendable {
  /// What a value is.
  enum Kind: String, Sendable, CaseIterable { case secret, name, id, host }

  private(set) var standIns: [String: String] = [:]
  /// The stand-ins of ``standIns``, which are those of values here.
  private var given: Set<String> = []
  /// The stand-ins that a recording which is read again has, and keeps.
  private var keptStandIns: Set<String> = []
  /// What takes the place of stand-ins that are those of something else here; apart for what belongs
  /// to the recording that is read again, and for what does not.
  private var moved: [Bool: [String: String]] = [:]
  /// Whether what is read does not belong to the recording that was read before: the same stand-in in
  /// both is for two values.
  var isApart = false
  /// Whether the stand-ins of a text are those that were just put into it.
  private var isReplaced = false
  /// The sizes of the values that begin with the same four bytes, the largest first.
  private var sizes: [UInt32: [Int]] = [:]
  private var counts: [Kind: Int] = [:]
  /// Whether the document is one of a sign-in service.
  var isOfSignIn = false
  /// Whether the values are those of an error.
  private(set) var isError = false
  /// The addresses that configurations of OpenID Connect name.
  private(set) var signInAddresses: Set<String> = []

  static let guidPrefix = "00000000-0000-4000-8000-"
  static let mailEnd = "@stand-in.example"

  /// The stand-in of a value.
  mutating func standIn(_ value: some StringProtocol, _ kind: Kind) -> String {
    guard !value.isEmpty else { return "" }
    if Self.isStandIn(value) { return standIn(forStandIn: String(value)) }
    let isGUID = GUID.isValid(value)
    let key = isGUID ? value.lowercased() : String(value)
    if let known = standIns[key] { return known }
    let text = newStandIn(value, kind, isGUID: isGUID)
    standIns[key] = text
    noteSize(of: key)
    return text
  }

  /// The stand-in of what has one already: the same, so that a recording which is read again stays what
  /// it is, unless that is another value's here.
  private mutating func standIn(forStandIn text: String) -> String {
    if isReplaced { return text }
    if let new = moved[isApart]?[text] { return new }
    let kind = Self.kind(of: text)
    guard given.contains(text) || isApart && keptStandIns.contains(text) else {
      noteNumber(of: text, kind)
      if !isApart { keptStandIns.insert(text) }
      return text
    }
    let new = newStandIn(text, kind, isGUID: text.hasPrefix(Self.guidPrefix))
    moved[isApart, default: [:]][text] = new
    return new
  }

  private mutating func newStandIn(
    _ value: some StringProtocol, _ kind: Kind, isGUID: Bool
  ) -> String {
    let number = counts[isGUID ? .id : kind, default: 0] + 1
    counts[isGUID ? .id : kind] = number
    var text = kind.rawValue + "-" + Self.digits(number, 5)
    if isGUID {
      text = Self.guidPrefix + Self.digits(number, 12)
    } else if kind == .host {
      text += ".example"
    } else if kind == .name, value.contains("@") {
      text += Self.mailEnd
    }
    given.insert(text)
    return text
  }

  /// Notes the number of a stand-in, so that no other value gets it.
  private mutating func noteNumber(of standIn: String, _ kind: Kind) {
    let isGUID = standIn.hasPrefix(Self.guidPrefix)
    let start = isGUID ? Self.guidPrefix : kind.rawValue + "-"
    let digits = String(standIn.dropFirst(start.count).prefix { ("0"..."9").contains($0) })
    // A number from outside leaves room for those that follow.
    guard let number = Int(digits), number < 100_000_000 else { return }
    counts[kind] = max(counts[kind, default: 0], number)
  }

  /// What the value of a stand-in is.
  private static func kind(of standIn: String) -> Kind {
    Kind(rawValue: String(standIn.prefix { $0 != "-" })) ?? .id
  }

  /// A number with at least `count` digits.
  private static func digits(_ number: Int, _ count: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, count - digits.count)) + digits
  }

  /// Whether a text is a stand-in, and nothing else.
  static func isStandIn(_ text: some StringProtocol) -> Bool {
    if text.hasPrefix(guidPrefix) { return text.utf8.count == 36 }
    guard let kind = kinds.first(where: { text.hasPrefix($0) }) else { return false }
    let rest = text.dropFirst(kind.count)
    let number = rest.prefix { ("0"..."9").contains($0) }
    let end = rest.dropFirst(number.count)
    return (5...9).contains(number.count) && (end.isEmpty || ends.contains(String(end)))
  }

  /// Whether a text has a stand-in.
  static func hasStandIn(_ text: some StringProtocol) -> Bool {
    (kinds + [guidPrefix]).contains { text.contains($0) }
  }

  /// The stand-in that begins at `index`, as far as it goes; nil when none does.
  static func standIn(at index: Int, in bytes: [UInt8]) -> String? {
    let rest = bytes[index...]
    var count = guidPrefix.utf8.count + 12
    if !rest.starts(with: guidPrefix.utf8) {
      guard let kind = kinds.first(where: { rest.starts(with: $0.utf8) }) else { return nil }
      count = kind.utf8.count
      count += rest.dropFirst(count).prefix { "0123456789".utf8.contains($0) }.count
      let end = ends.first { rest.dropFirst(count).starts(with: $0.utf8) }
      count += end?.utf8.count ?? 0
    }
    return String(decoding: rest.prefix(count), as: UTF8.self)
  }

  /// What is the same in two texts whose stand-ins have other numbers.
  static func skeleton(of text: String) -> [UInt8] {
    // In a query, a stand-in is encoded.
    let bytes = Array(text.replacing("%40", with: "@").utf8)
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let standIn = standIn(at: index, in: bytes)
      result.append(standIn == nil ? bytes[index] : UInt8(ascii: "#"))
      index += standIn?.utf8.count ?? 1
    }
    return result
  }

  private static let kinds = Kind.allCases.map { $0.rawValue + "-" }
  private static let ends = [mailEnd, ".example"]

  // MARK: Known values

  /// Remembers the size of a value, unless it is so short that it is a part of many words.
  private mutating func noteSize(of value: String) {
    let (start, size) = (Self.start(of: value.utf8), value.utf8.count)
    guard size >= 4, sizes[start]?.contains(size) != true else { return }
    sizes[start, default: []].append(size)
    sizes[start]?.sort(by: >)
  }

  /// The first four bytes.
  private static func start(of bytes: some Sequence<UInt8>) -> UInt32 {
    bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// A text with stand-ins in place of the known values in it, whose number makes no difference to
  /// the time that it takes, and of the stand-ins in it that are those of something else.
  private mutating func replacingKnownValues(in text: String) -> String {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let known = knownValue(at: index, in: bytes)
      if let written = Self.standIn(at: index, in: bytes), Self.isStandIn(written),
        known?.size ?? 0 <= written.utf8.count
      {
        result += standIn(forStandIn: written).utf8
        index += written.utf8.count
      } else if let (size, standIn) = known {
        result += standIn.utf8
        index += size
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The longest known value that begins at `index`: a name can be a part of another one.
  private func knownValue(at index: Int, in bytes: [UInt8]) -> (size: Int, standIn: String)? {
    for size in sizes[Self.start(of: bytes[index...])] ?? [] where size <= bytes.count - index {
      let value = String(decoding: bytes[index..<(index + size)], as: UTF8.self)
      if let standIn = standIns[value] { return (size, standIn) }
    }
    return nil
  }

  // MARK: Text

  /// A text for people, without what is known, and without what looks like a name or a secret.
  mutating func scrub(_ text: String) -> String {
    var result = ""
    var word = ""
    let replaced = replacingKnownValues(in: text)
    let wasReplaced = isReplaced
    isReplaced = true
    defer { isReplaced = wasReplaced }
    for character in replaced {
      if character.isWhitespace || "'\"<>()[]{},;".contains(character) {
        result += scrub(word: word)
        word = ""
        result.append(character)
      } else {
        word.append(character)
      }
    }
    return result + scrub(word: word)
  }

  private mutating func scrub(word: String) -> String {
    if word.contains("://") { return Self.isURL(word) ? url(word) : standIn(word, .secret) }
    if word.contains("/") {
      var parts: [String] = []
      for part in word.split(separator: "/", omittingEmptySubsequences: false) {
        parts.append(scrub(word: String(part)))
      }
      return parts.joined(separator: "/")
    }
    let core = word.last.map { ".:".contains($0) } == true ? word.dropLast() : word[...]
    let end = word.dropFirst(core.count)
    if Self.isStandIn(core) { return word }
    if core.contains("@") { return standIn(core, .name) + end }
    if GUID.isValid(core) { return standIn(core, .id) + end }
    let isLong = core.utf8.count >= 20 && core.contains { $0.isNumber || $0 == "_" || $0 == "." }
    return isLong && !Self.isPermission(core) ? standIn(core, .secret) + end : word
  }

  /// A permission such as `Mail.ReadWrite.Shared`.
  static func isPermission(_ text: some StringProtocol) -> Bool {
    text.first?.isUppercase == true
      && text.allSatisfy { $0.isASCII && ($0.isLetter || $0 == "." || $0 == "-") }
  }

  // MARK: Bodies

  /// A body; nil when it is left out.
  ///
  /// - Parameters:
  ///   - isOfSignIn: whether a sign-in service sends or gets it.
  ///   - isOfBatch: whether it is a batch, by its address.
  mutating func body(
    _ data: Data, of type: String, isOfSignIn: Bool, isOfBatch: Bool
  ) -> String? {
    if data.isEmpty { return "" }
    if type.contains("x-www-form-urlencoded") {
      return String(validating: data, as: UTF8.self).map { parameters($0, isForm: true) }
    }
    // Without a type, it may be a file.
    guard type.contains("json"), let json = try? JSON(parsing: data) else {
      return nil
    }
    self.isOfSignIn = isOfSignIn
    defer { self.isOfSignIn = false }
    return (isOfBatch ? batch(json) : self.json(json, "")).compactText
  }

  /// A value of the member `name`.
  mutating func json(_ json: JSON, _ name: String) -> JSON {
    if let text = json.string { return .string(leaf(text, name)) }
    if case .number(let number) = json, Self.isSecret(name.lowercased()) {
      return .string(standIn(number, .secret))
    }
    if let list = json.array {
      var result: [JSON] = []
      for item in list { result.append(self.json(item, name)) }
      return .array(result)
    }
    guard let members = json.object else { return json }
    let wasError = isError
    if name == "error" { isError = true }
    defer { isError = wasError }
    let names = Set(members.map(\.name))
    let hasMessage =
      (isOfSignIn || isError) && !names.isDisjoint(with: ["code", "user_code"])
    var message: (index: Int, text: String)?
    var result: [JSON.Member] = []
    for member in members where !["at_hash", "c_hash"].contains(member.name) {
      if name == "headers", let field = HTTPField.Name(member.name), let text = member.value.string
      {
        result.append(JSON.Member(member.name, .string(value(of: field, text))))
      } else if member.name == "message", hasMessage, let text = member.value.string {
        message = (result.count, text)
        result.append(member)
      } else {
        noteAddress(member)
        let newName = memberName(member.name)
        result.append(JSON.Member(newName, self.json(member.value, member.name)))
      }
    }
    // What is known is replaced in it: its names come with the other members.
    if let message { result[message.index].value = .string(scrub(message.text)) }
    return .object(result)
  }

  /// The name of a member, unless it is a value: an identifier, an address, or somebody's name.
  private mutating func memberName(_ name: String) -> String {
    if GUID.isValid(name) { return standIn(name, .id) }
    let isPlain = name.utf8.allSatisfy { $0.isAlphanumeric || "_.@#$-".utf8.contains($0) }
    let isMail =
      name.contains("@") && !name.contains("@odata.") && !name.contains("@microsoft.")
      && !name.hasPrefix("@")
    return isPlain && !isMail ? name : standIn(name, .name)
  }

  /// Notes an address of the sign-in service that its configuration names.
  private mutating func noteAddress(_ member: JSON.Member) {
    guard isOfSignIn, member.name.hasSuffix("_endpoint") || member.name == "jwks_uri",
      let url = member.value.string
    else { return }
    signInAddresses.insert(Self.address(url))
  }
}
