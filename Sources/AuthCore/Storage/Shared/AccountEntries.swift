/// The entries of an account in a cache, while its record is written, found by their purpose: there
/// can be very many.
struct AccountEntries {
  /// What only one entry is for.
  enum Purpose {
    case profile(realm: String)
    case accessToken(AccountRecord.AccessToken)
    case idToken(realm: String)
    case refreshToken
    case metadata

    var section: UnifiedCache.Section {
      switch self {
      case .profile: .account
      case .accessToken: .accessToken
      case .idToken: .idToken
      case .refreshToken: .refreshToken
      case .metadata: .accountMetadata
      }
    }

    /// Two entries are for the same if they have one of these in common.
    fileprivate var places: [Place] {
      switch self {
      case .profile(let realm), .idToken(let realm): [.realm(section, realm)]
      case .accessToken(let token): token.places.map(Place.token)
      case .refreshToken, .metadata: [.section(section)]
      }
    }
  }

  fileprivate enum Place: Hashable {
    case section(UnifiedCache.Section)
    case realm(UnifiedCache.Section, String)
    case token(AccountRecord.AccessToken.Place)
  }

  private let record: AccountRecord
  /// Those of the cache, followed by new ones; nil for those that were replaced.
  private var all: [UnifiedCache.Entry?] = []
  private let oldCount: Int
  private var replaced: Set<UnifiedCache.Entry.Name> = []
  private var byPlace: [Place: [Int]] = [:]
  private var byName: [UnifiedCache.Entry.Name: [Int]] = [:]

  init(of record: AccountRecord, in cache: UnifiedCache) {
    let entries = cache.entries(of: record.key)
    self.record = record
    oldCount = entries.count
    for entry in entries { append(entry, at: purpose(of: entry)?.places ?? []) }
  }

  private mutating func append(_ entry: UnifiedCache.Entry, at places: [Place]) {
    for place in places { byPlace[place, default: []].append(all.count) }
    byName[entry.name, default: []].append(all.count)
    all.append(entry)
  }

  private func purpose(of entry: UnifiedCache.Entry) -> Purpose? {
    let isOwn = entry.isOwned(by: record.clientID)
    switch entry.section {
    case .account: return realm(of: entry).map { Purpose.profile(realm: $0) }
    case .accessToken: return record.accessToken(in: entry).map { Purpose.accessToken($0) }
    case .idToken: return isOwn ? realm(of: entry).map { Purpose.idToken(realm: $0) } : nil
    case .refreshToken: return isOwn ? .refreshToken : nil
    case .accountMetadata: return isOwn ? .metadata : nil
    case .appMetadata, nil: return nil
    }
  }

  private func realm(of entry: UnifiedCache.Entry) -> String? {
    entry.value.flatMap { record.realm(of: $0) }
  }

  /// The entries for the same purpose, in their order.
  func entries(for purpose: Purpose) -> [UnifiedCache.Entry] {
    Set(purpose.places.flatMap { byPlace[$0] ?? [] }).sorted().compactMap { all[$0] }
  }

  /// Puts an entry in the place of those for the same purpose, and with the same key.
  mutating func put(_ entry: UnifiedCache.Entry, for purpose: Purpose) {
    for name in Set(entries(for: purpose).map(\.name) + [entry.name]) {
      for position in byName.removeValue(forKey: name) ?? [] { all[position] = nil }
      replaced.insert(name)
    }
    for place in purpose.places { byPlace[place]?.removeAll { all[$0] == nil } }
    append(entry, at: purpose.places)
  }

  /// Makes the changes in the cache.
  func write(to cache: inout UnifiedCache) {
    cache.replace(replaced, with: all[oldCount...].compactMap(\.self), of: record.key)
  }
}

extension AccountRecord.AccessToken {
  /// What a token is for: another one that has a place in common replaces it.
  struct Place: Hashable {
    let realm: String
    let keyID: String?
    /// A permission; empty for a token without any.
    let scope: String
  }

  var places: [Place] {
    let scopes = scopes.withoutOpenID.list.map { $0.lowercased() }
    return (scopes.isEmpty ? [""] : scopes).map { Place(realm: realm, keyID: keyID, scope: $0) }
  }
}
