package import FoundationEssentials

/// A token cache in MSAL's unified schema, as text that is split into entries.
///
/// All MSALs use it: an object with a section for each type of entry, and in it the entries by key.
/// Each library makes keys in its own way, so an entry is identified by its members, never by its
/// key. An entry is parsed when it is needed. Unchanged entries are written as they were read,
/// including entries of other apps, unknown members and unknown sections.
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

  /// An entry, with its owner.
  struct Entry: Sendable {
    var section: Section
    /// Text with its quotation marks, as in JSON.
    var key: ArraySlice<UInt8>
    var value: ArraySlice<UInt8>
    var clientID: String?

    /// The members; nil when the entry is not a valid JSON object.
    var members: [JSON.Member]? { (try? JSON(parsing: value))?.object }
  }

  /// The position of an entry in the text.
  ///
  /// It contains no references, so that thousands take little memory.
  struct Position: Sendable {
    var section: Section
    var key: Range<Int>
    var value: Range<Int>
    /// The app's position in ``clientIDs``; -1 when there is none.
    var client: Int
    var isRemoved = false
  }

  /// An immutable copy of a cache, to be shared.
  final class Snapshot: Sendable {
    let cache: UnifiedCache

    init(_ cache: UnifiedCache) { self.cache = cache }
  }

  /// The cache as it was read.
  private var bytes: [UInt8] = []
  private var positions: [Position] = []
  private var clientIDs: [String] = []
  /// The positions of each account's entries.
  private var accountPositions: [AccountKey: [Int]] = [:]
  /// The positions of entries without an account.
  private var unownedPositions: [Int] = []
  /// Entries inserted since; nil for those that were removed again.
  private var inserted: [Entry?] = []
  /// The positions in ``inserted`` of each account's entries, and of those without an account.
  private var insertedPositions: [AccountKey?: [Int]] = [:]
  /// The object's other members.
  private var others: [(name: Range<Int>, value: Range<Int>)] = []

  /// An empty cache.
  init() {}

  /// Splits `text` into entries; blank text is an empty cache.
  ///
  /// - Throws: when it is not a JSON object, a section of it is not an object, or it has members
  ///   but no section.
  init(_ text: [UInt8]) throws(JSONError) {
    var text = text
    var splitter = Splitter(text)
    try splitter.split()
    if splitter.hasTrailingCommas {
      // Strict parsers could not read the cache if trailing commas were written back.
      text = text[...].withoutTrailingCommas
      splitter = Splitter(text)
      try splitter.split()
    }
    bytes = text
    positions = splitter.positions
    clientIDs = splitter.clientIDs
    accountPositions = splitter.accountPositions
    unownedPositions = splitter.unownedPositions
    others = splitter.others
  }

  /// The accounts that entries belong to.
  var accountKeys: [AccountKey] {
    Array(accountPositions.keys)
      + insertedPositions.keys.compactMap(\.self).filter { accountPositions[$0] == nil }
  }

  /// The apps that have data of an account, without duplicates in different spellings.
  func clientIDs(of account: AccountKey) -> [String] {
    var found: [Int] = []
    for index in accountPositions[account] ?? [] {
      let position = positions[index]
      if !position.isRemoved, position.client >= 0, !found.contains(position.client) {
        found.append(position.client)
      }
    }
    var names: [String] = []
    func add(_ name: String) {
      if !names.contains(where: { caselessEqual($0, name) }) { names.append(name) }
    }
    for client in found { add(clientIDs[client]) }
    for index in insertedPositions[account] ?? [] {
      if let clientID = inserted[index]?.clientID { add(clientID) }
    }
    return names
  }

  /// The entries of an account, of all apps.
  func entries(of account: AccountKey) -> [Entry] {
    (accountPositions[account] ?? []).map { positions[$0] }.filter { !$0.isRemoved }.map(entry)
      + (insertedPositions[account] ?? []).compactMap { inserted[$0] }
  }

  /// All entries of a section.
  func entries(in section: Section) -> [Entry] {
    positions.filter { $0.section == section && !$0.isRemoved }.map(entry)
      + inserted.compactMap(\.self).filter { $0.section == section }
  }

  /// The metadata of apps, for any account.
  var appMetadata: [Entry] {
    (unownedPositions.filter { !positions[$0].isRemoved }.map { entry(positions[$0]) }
      + (insertedPositions[nil] ?? []).compactMap { inserted[$0] })
      .filter { $0.section == .appMetadata }
  }

  /// A member that is not a section.
  func other(_ name: String) -> JSON? {
    let name = JSON.string(name).compactText.utf8
    return others.first { bytes[$0.name].elementsEqual(name) }
      .flatMap { try? JSON(parsing: bytes[$0.value]) }
  }

  /// Removes the entries of `account` for which `isUnwanted` is true.
  mutating func remove(of account: AccountKey, where isUnwanted: (Entry) -> Bool) {
    for index in accountPositions[account] ?? [] where isUnwanted(entry(positions[index])) {
      positions[index].isRemoved = true
    }
    for index in insertedPositions[account] ?? [] {
      if let entry = inserted[index], isUnwanted(entry) { inserted[index] = nil }
    }
    insertedPositions[account]?.removeAll { inserted[$0] == nil }
    if insertedPositions[account]?.isEmpty == true { insertedPositions[account] = nil }
  }

  /// Inserts an entry; replaces the account's entry with the same key in the same section.
  mutating func insert(
    _ members: [JSON.Member], as key: String, in section: Section, account: AccountKey?,
    clientID: String?
  ) {
    let entry = Entry(
      section: section, key: ArraySlice(JSON.string(key).compactText.utf8),
      value: ArraySlice(JSON.object(members).compactText.utf8), clientID: clientID)
    insert(entry, of: account)
  }

  private mutating func insert(_ entry: Entry, of account: AccountKey?) {
    if let account {
      remove(of: account) { $0.section == entry.section && $0.key == entry.key }
    }
    insertedPositions[account, default: []].append(inserted.count)
    inserted.append(entry)
  }

  /// Inserts all entries of `other`; replaces those with the same keys.
  mutating func insert(_ other: UnifiedCache) {
    for account in other.accountKeys {
      for entry in other.entries(of: account) { insert(entry, of: account) }
    }
    let known = Set(appMetadata.map(\.key))
    for entry in other.appMetadata where !known.contains(entry.key) { insert(entry, of: nil) }
  }

  private func entry(_ position: Position) -> Entry {
    Entry(
      section: position.section, key: bytes[position.key], value: bytes[position.value],
      clientID: position.client < 0 ? nil : clientIDs[position.client])
  }

  /// The cache as JSON in MSAL's unified schema, with unchanged entries as they were read.
  ///
  /// It contains tokens.
  package var text: Secret<Data> { Secret(Data(pieces.joined())) }

  /// The cache as JSON, in consecutive pieces: unchanged text is not copied.
  var pieces: [ArraySlice<UInt8>] {
    var pieces: [ArraySlice<UInt8>] = [Self.openBrace]
    func add(_ name: ArraySlice<UInt8>) {
      if pieces.last != Self.openBrace { pieces.append(Self.comma) }
      pieces.append(name)
    }
    for section in Section.allCases {
      let added = inserted.compactMap(\.self).filter { $0.section == section }
      let runs = runs(of: section)
      guard !added.isEmpty || !runs.isEmpty else { continue }
      add(ArraySlice("\"\(section.rawValue)\":".utf8))
      pieces.append(Self.openBrace)
      for run in runs { add(bytes[run]) }
      for entry in added {
        add(entry.key + Self.colon + entry.value)
      }
      pieces.append([UInt8(ascii: "}")])
    }
    // Without a section, it would not be recognized as a token cache.
    if pieces.count == 1, !others.isEmpty { add(ArraySlice("\"Account\":{}".utf8)) }
    for other in others { add(bytes[other.name] + Self.colon + bytes[other.value]) }
    pieces.append([UInt8(ascii: "}")])
    return pieces
  }

  /// The ranges of consecutive entries of a section, separated only by commas.
  private func runs(of section: Section) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    var isBroken = true
    for position in positions {
      if position.section != section || position.isRemoved {
        isBroken = true
      } else if let last = runs.last, !isBroken {
        runs[runs.count - 1] = last.lowerBound..<position.value.upperBound
      } else {
        runs.append(position.key.lowerBound..<position.value.upperBound)
        isBroken = false
      }
    }
    return runs
  }

  private static let openBrace: ArraySlice<UInt8> = [UInt8(ascii: "{")]
  private static let comma: ArraySlice<UInt8> = [UInt8(ascii: ",")]
  private static let colon: ArraySlice<UInt8> = [UInt8(ascii: ":")]
}
