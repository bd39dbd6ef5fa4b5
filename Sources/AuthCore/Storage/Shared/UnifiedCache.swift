package import FoundationEssentials

/// A token cache in MSAL's unified schema.
///
/// All MSALs use it: an object with a section for each type of entry, and in it the entries by key.
/// Each library makes keys in its own way, so an entry is identified by its members, never by its
/// key. Unchanged entries are written as they were read, including entries of other apps, unknown
/// members and unknown sections.
package struct UnifiedCache: Sendable {
  /// The types of entries.
  enum Section: String, Sendable, CaseIterable {
    case account = "Account"
    case accessToken = "AccessToken"
    case refreshToken = "RefreshToken"
    case idToken = "IdToken"
    case appMetadata = "AppMetadata"
    /// AuthCore's own data of an account; other programs preserve it.
    case accountMetadata = "AccountMetadata"
  }

  /// An entry of a section, or another member of the cache.
  ///
  /// It is a class, so that thousands are copied and sorted fast.
  final class Entry: Sendable {
    /// The key as in JSON, with its quotation marks.
    let key: ArraySlice<UInt8>
    /// The key, a colon and the value, as they were read.
    let text: ArraySlice<UInt8>
    /// The value; nil when it is not valid JSON.
    let value: JSON?
    /// Nil for a member that is no entry.
    let section: Section?
    let clientID: String?

    init(
      key: ArraySlice<UInt8>, text: ArraySlice<UInt8>, value: JSON?, section: Section?,
      clientID: String?
    ) {
      self.key = key
      self.text = text
      self.value = value
      self.section = section
      self.clientID = clientID
    }

    /// Creates an entry with these members.
    convenience init(
      _ members: [JSON.Member], as key: String, in section: Section, clientID: String?
    ) {
      let key = ArraySlice(JSON.string(key).compactText.utf8)
      let value = JSON.object(members)
      self.init(
        key: key, text: key + [UInt8(ascii: ":")] + value.compactText.utf8, value: value,
        section: section, clientID: clientID)
    }

    /// What identifies an entry of an account in the text.
    struct Name: Hashable {
      let section: Section?
      let key: ArraySlice<UInt8>
    }
    var name: Name { Name(section: section, key: key) }

    /// The members of the value; nil when it is not a valid JSON object.
    var members: [JSON.Member]? { value?.object }
  }

  /// In the order of the text, followed by those inserted since; nil for those that were removed.
  private var entries: [Entry?] = []
  /// The positions of each account's entries; nil has those of the entries without an account.
  private var positions: [AccountKey?: [Int]] = [:]
  /// The first of each member that is no section, by its key in JSON.
  private var others: [ArraySlice<UInt8>: JSON?] = [:]

  /// An empty cache.
  package init() {}

  /// Parses `text`; blank text is an empty cache.
  ///
  /// - Throws: when it is not a JSON object, a section of it is not an object, or it has members
  ///   but no section.
  init(_ text: [UInt8]) throws(JSONError) {
    // Strict parsers could not read the cache if trailing commas were written back.
    if try parse(text) { _ = try parse(text.withoutTrailingCommas) }
  }

  /// - Returns: whether there are trailing commas.
  private mutating func parse(_ text: [UInt8]) throws(JSONError) -> Bool {
    self = UnifiedCache()
    // An account has four entries of a few kilobytes.
    entries.reserveCapacity(text.count / 1024)
    positions.reserveCapacity(text.count / 4096)
    return try text.withUnsafeBufferPointer { (bytes) throws(JSONError) in
      var parser = UnifiedCacheParser(text, bytes)
      try parser.parse { append($0, of: $1) }
      return parser.hasTrailingCommas
    }
  }

  private mutating func append(_ entry: Entry, of account: AccountKey?) {
    if entry.section == nil, others[entry.key] == nil { others[entry.key] = entry.value }
    positions[account, default: []].append(entries.count)
    entries.append(entry)
  }

  /// The accounts that entries belong to.
  var accountKeys: [AccountKey] { positions.keys.compactMap(\.self) }

  /// The apps that have data of an account, without duplicates in different spellings.
  func clientIDs(of account: AccountKey) -> [String] {
    var found: [String] = []
    var known: Set<String> = []
    var last: String?
    for position in positions[account] ?? [] {
      // Most accounts have one app.
      guard let clientID = entries[position]?.clientID, clientID != last else { continue }
      last = clientID
      if known.insert(clientID.caseless).inserted { found.append(clientID) }
    }
    return found
  }

  /// The entries of an account, of all apps; those without an account for nil.
  func entries(of account: AccountKey?) -> [Entry] {
    (positions[account] ?? []).compactMap { entries[$0] }
  }

  /// All entries of a section.
  func entries(in section: Section?) -> [Entry] {
    entries.compactMap(\.self).filter { $0.section == section }
  }

  /// The metadata of apps, for any account.
  var appMetadata: [Entry] { entries(of: nil).filter { $0.section == .appMetadata } }

  /// A member that is not a section.
  func other(_ name: String) -> JSON? {
    others[ArraySlice(JSON.string(name).compactText.utf8)] ?? nil
  }

  /// Removes the entries of `account` for which `isUnwanted` is true.
  mutating func remove(of account: AccountKey?, where isUnwanted: (Entry) -> Bool) {
    var kept: [Int] = []
    for position in positions[account] ?? [] {
      if let entry = entries[position], !isUnwanted(entry) {
        kept.append(position)
      } else {
        entries[position] = nil
      }
    }
    positions[account] = kept.isEmpty ? nil : kept
  }

  /// Puts new entries in the place of those with `names`.
  mutating func replace(_ names: Set<Entry.Name>, with new: [Entry], of account: AccountKey?) {
    if !names.isEmpty { remove(of: account) { names.contains($0.name) } }
    for entry in new { append(entry, of: account) }
  }

  /// Inserts all entries of `other`; replaces those with the same keys.
  mutating func insert(_ other: UnifiedCache) {
    for account in other.accountKeys {
      // Of several with the same key, the last one counts.
      var names: Set<Entry.Name> = []
      let arriving = other.entries(of: account).reversed().filter { names.insert($0.name).inserted }
      remove(of: account) { names.contains($0.name) }
      for entry in arriving.reversed() { append(entry, of: account) }
    }
    let known = Set(appMetadata.map(\.key))
    for entry in other.appMetadata where !known.contains(entry.key) { append(entry, of: nil) }
  }

  /// The cache as JSON in MSAL's unified schema, with unchanged entries as they were read.
  ///
  /// It contains tokens.
  package var text: Secret<Data> { Secret(Data(bytes)) }

  /// The bytes of ``text``.
  var bytes: [UInt8] {
    var text: [UInt8] = [UInt8(ascii: "{")]
    text.reserveCapacity(entries.reduce(64) { $0 + ($1?.text.count ?? 0) + 1 })
    for section in Section.allCases {
      let found = entries(in: section)
      guard !found.isEmpty else { continue }
      text.append(member: "\"\(section.rawValue)\":{".utf8)
      for entry in found { text.append(member: entry.text) }
      text.append(UInt8(ascii: "}"))
    }
    let others = entries(in: nil)
    // Without a section, it would not be recognized as a token cache.
    if text.count == 1, !others.isEmpty { text.append(member: "\"Account\":{}".utf8) }
    for other in others { text.append(member: other.text) }
    return text + [UInt8(ascii: "}")]
  }
}

extension [UInt8] {
  /// Appends a member of an object, after a comma unless it is the first.
  fileprivate mutating func append(member: some Collection<UInt8>) {
    if last != UInt8(ascii: "{") { append(UInt8(ascii: ",")) }
    append(contentsOf: member)
  }

  /// JSON without trailing commas.
  fileprivate var withoutTrailingCommas: [UInt8] {
    var text: [UInt8] = []
    var isInString = false
    var isEscaped = false
    /// The position of the last comma, if only whitespace has followed it.
    var comma: Int?
    for byte in self {
      switch byte {
      case _ where isEscaped: isEscaped = false
      case UInt8(ascii: "\\"): isEscaped = isInString
      case UInt8(ascii: "\""): isInString.toggle()
      case UInt8(ascii: "}") where !isInString, UInt8(ascii: "]") where !isInString:
        if let comma { text.remove(at: comma) }
      default: break
      }
      if !isInString, byte == UInt8(ascii: ",") {
        comma = text.count
      } else if byte > 0x20 {
        comma = nil
      }
      text.append(byte)
    }
    return text
  }
}
