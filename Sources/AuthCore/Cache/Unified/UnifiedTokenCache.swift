import FoundationEssentials

/// A token cache in MSAL's unified schema, as text that is split into entries.
///
/// All MSALs keep their caches in it: an object with a section for each type of entry, and in it the
/// entries by keys that each library makes up in its own way. So an entry is known by its members, never by
/// its key. An entry is read when someone asks for it, and what is not changed is written as it came,
/// whoever wrote it: entries of other apps, members and sections that are not known here.
struct UnifiedTokenCache: Sendable {
  /// The types of entries.
  enum Section: String, Sendable, CaseIterable {
    case account = "Account"
    case accessToken = "AccessToken"
    case refreshToken = "RefreshToken"
    case idToken = "IdToken"
    case appMetadata = "AppMetadata"
    /// What AuthCore keeps of an account beside MSAL's sections; other readers carry it along.
    case accountMetadata = "AccountMetadata"
  }

  /// Whose an entry is: an account in one of Microsoft's clouds, or at another host.
  struct AccountID: Hashable, Sendable {
    /// ``HomeAccountID`` as text.
    let homeAccountID: String
    /// The first name of the cloud, or else the environment itself.
    let cloud: String

    init(homeAccountID: String, environment: String) {
      self.homeAccountID = homeAccountID
      cloud = KnownClouds.preferredHost(of: environment) ?? environment
    }
  }

  /// An entry, with what tells whose it is.
  struct Entry: Sendable {
    var section: Section
    /// In quotes, as all text here: a part of JSON.
    var key: ArraySlice<UInt8>
    var value: ArraySlice<UInt8>
    var account: AccountID?
    var clientID: String?

    /// The members; nil when the entry is no object, or not JSON after all.
    var members: [JSON.Member]? { (try? JSON(parsing: value))?.object }
  }

  /// The entries; nil stands for one that was removed.
  private var entries: [Entry?] = []
  /// The places of each account's entries.
  private var places: [AccountID: [Int]] = [:]
  /// What else stands in the object.
  private var others: [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)] = []

  /// An empty cache.
  init() {}

  /// Splits `text` into entries; blank text is an empty cache.
  ///
  /// - Throws: when it is not one JSON object, or a section of it is none.
  init(_ text: [UInt8]) throws(JSONError) {
    var splitter = Splitter(text)
    try splitter.split()
    entries = splitter.entries
    places = splitter.places
    others = splitter.others
  }

  /// The accounts that entries belong to.
  var accounts: some Collection<AccountID> { places.keys }

  /// The entries of an account, those of all apps.
  func entries(of account: AccountID) -> [Entry] {
    (places[account] ?? []).compactMap { entries[$0] }
  }

  /// The apps that have something of an account.
  func clientIDs(of account: AccountID) -> [String] {
    var clientIDs: [String] = []
    for place in places[account] ?? [] {
      if let clientID = entries[place]?.clientID, !clientIDs.contains(clientID) {
        clientIDs.append(clientID)
      }
    }
    return clientIDs
  }

  /// All entries of a section.
  func entries(in section: Section) -> [Entry] {
    entries.compactMap { $0 }.filter { $0.section == section }
  }

  /// A member that is no section.
  func other(_ name: String) -> JSON? {
    let name = ArraySlice(JSON.string(name).compactText.utf8)
    return others.first { $0.name == name }.flatMap { try? JSON(parsing: $0.value) }
  }

  /// Removes the entries of `account` that `isUnwanted` picks.
  mutating func remove(of account: AccountID, where isUnwanted: (Entry) -> Bool) {
    for place in places[account] ?? [] {
      if let entry = entries[place], isUnwanted(entry) { entries[place] = nil }
    }
  }

  /// Puts an entry in; one with the same key in the same section makes way.
  mutating func insert(
    _ members: [JSON.Member], as key: String, in section: Section, account: AccountID?,
    clientID: String?
  ) {
    let key = ArraySlice(JSON.string(key).compactText.utf8)
    let value = ArraySlice(JSON.object(members).compactText.utf8)
    let entry = Entry(
      section: section, key: key, value: value, account: account, clientID: clientID)
    let known = account.map { places[$0] ?? [] } ?? Array(entries.indices)
    if let place = known.first(where: { entries[$0]?.section == section && entries[$0]?.key == key })
    {
      entries[place] = entry
    } else {
      if let account { places[account, default: []].append(entries.count) }
      entries.append(entry)
    }
  }

  /// The cache as JSON on one line, but for what came with more of them.
  var text: [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(
      entries.reduce(256) { $0 + ($1.map { $0.key.count + $0.value.count + 2 } ?? 0) }
        + others.reduce(0) { $0 + $1.name.count + $1.value.count + 2 })
    func add(_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) {
      if text.last != UInt8(ascii: "{") { text.append(UInt8(ascii: ",")) }
      text += name
      text.append(UInt8(ascii: ":"))
      text += value
    }
    text.append(UInt8(ascii: "{"))
    for section in Section.allCases {
      guard let first = entries.firstIndex(where: { $0?.section == section }) else { continue }
      add(ArraySlice("\"\(section.rawValue)\"".utf8), [UInt8(ascii: "{")])
      for case let entry? in entries[first...] where entry.section == section {
        add(entry.key, entry.value)
      }
      text.append(UInt8(ascii: "}"))
    }
    for other in others { add(other.name, other.value) }
    text.append(UInt8(ascii: "}"))
    return text
  }
}
