import FoundationEssentials

extension UnifiedCache {
  /// The result of importing an account, for one app.
  package struct ImportResult: Sendable {
    package enum Kind: String, Sendable {
      /// It was not there before.
      case new
      /// Something of it was missing or older.
      case changed
      /// All of it was already there.
      case unchanged
    }

    package let kind: Kind
    /// The merged record.
    let record: AccountRecord

    package var username: String { record.account.username }
    package var homeAccountID: String { record.homeAccountID.description }
    package var clientID: String { record.clientID }

    /// Merges what `record` has that is missing in `old` or newer.
    init(of record: AccountRecord, at old: AccountRecord?) {
      var merged = old ?? record
      let isChanged = old != nil && merged.merge(record)
      kind = old == nil ? .new : isChanged ? .changed : .unchanged
      self.record = merged
    }
  }

  /// Merges the accounts and their tokens into `store`; of two entries for the same token, the
  /// newer is kept.
  ///
  /// Tokens that AuthCore cannot use are left out: ``foreignTokenCount``.
  package func merge(
    into store: any TokenCacheStore
  ) async throws(AuthenticationError) -> [ImportResult] {
    let arriving =
      records
      .filter { $0.refreshToken != nil || !$0.accessTokens.isEmpty }
      .sorted { ($0.account.username, $0.clientID) < ($1.account.username, $1.clientID) }
    let store = await store.last
    if let shared = store as? SharedStore { return try await shared.merge(arriving, of: self) }
    var known: [String: (record: AccountRecord, text: Secret<Data>)] = [:]
    for stored in try await store.load() {
      if let record = stored.account {
        known[Self.name(of: record)] = (record, stored.contents)
      }
    }
    let parts = Parts(of: self)
    var results: [ImportResult] = []
    var changed: [StoredRecord] = []
    for var record in arriving {
      let old = known[Self.name(of: record)]
      if old == nil { record.id = UUID().uuidString }
      let result = ImportResult(of: record, at: old?.record)
      results.append(result)
      if result.kind != .unchanged {
        let text = result.record.text(over: old, from: parts.part(of: record))
        changed.append(StoredRecord(id: result.record.id, contents: text))
      }
    }
    try await store.save(changed)
    return results
  }

  /// How many access and refresh tokens AuthCore cannot use: those of services, or bound to a key
  /// that it does not have.
  package var foreignTokenCount: Int {
    let records = records
    let renewable = Set(records.lazy.filter { $0.refreshToken != nil }.map(Self.name(of:)))
    let used = accountKeys.reduce(records.reduce(0) { $0 + $1.accessTokens.count }) { count, key in
      count
        + entries(of: key).count {
          $0.section == .refreshToken && $0.value?.isOnBehalfOfAnother == false
            && $0.clientID.map { renewable.contains(Self.name(key, $0)) } == true
        }
    }
    return entries(in: .accessToken).count + entries(in: .refreshToken).count - used
  }

  /// What a cache has of each app and account, of which there can be very many.
  struct Parts {
    private let profiles: [AccountKey: [Entry]]
    private let owned: [String: [Entry]]
    private let metadata: [String: [Entry]]

    init(of cache: UnifiedCache) {
      var profiles: [AccountKey: [Entry]] = [:]
      var owned: [String: [Entry]] = [:]
      for account in cache.accountKeys {
        for entry in cache.entries(of: account) {
          if entry.section == .account {
            profiles[account, default: []].append(entry)
          } else if let clientID = entry.clientID {
            owned[UnifiedCache.name(account, clientID), default: []].append(entry)
          }
        }
      }
      (self.profiles, self.owned) = (profiles, owned)
      metadata = Dictionary(grouping: cache.appMetadata) { $0.clientID?.caseless ?? "" }
    }

    /// The part with what a record was read from.
    func part(of record: AccountRecord) -> UnifiedCache {
      var part = UnifiedCache()
      let owned = owned[UnifiedCache.name(of: record)] ?? []
      part.replace([], with: (profiles[record.key] ?? []) + owned, of: record.key)
      part.replace([], with: metadata[record.clientID.caseless] ?? [], of: nil)
      return part
    }
  }

  private static func name(of record: AccountRecord) -> String { name(record.key, record.clientID) }

  private static func name(_ account: AccountKey, _ clientID: String) -> String {
    "\(account.homeAccountID) \(account.cloud) \(clientID.caseless)"
  }
}

extension AccountRecord {
  /// When it last got a token.
  private var lastGrant: Date { accessTokens.map(\.cachedAt).max() ?? signedInAt }

  /// Merges what `other` has of the account that is missing here or newer.
  ///
  /// Times are in whole seconds: of two equally old tokens, the imported one is used.
  /// - Returns: whether anything changed.
  fileprivate mutating func merge(_ other: AccountRecord) -> Bool {
    let isNewer = other.lastGrant > lastGrant
    var isChanged = false
    func take<Value: Equatable>(_ value: Value, _ place: inout Value) {
      guard place != value else { return }
      place = value
      isChanged = true
    }
    let isOlder = other.lastGrant < lastGrant
    if let token = other.refreshToken, !isOlder || refreshToken == nil {
      take(token, &refreshToken)
    }
    if proofKey == nil { take(other.proofKey, &proofKey) }
    isChanged = mergeTokens(of: other) || isChanged
    take(profiles.merging(other.profiles, \.realm, isNewer: isNewer), &profiles)
    take(idTokens.merging(other.idTokens, \.realm, isNewer: isNewer), &idTokens)
    take(tenantIDs.merging(other.tenantIDs) { mine, _ in mine }, &tenantIDs)
    return isChanged
  }

  /// Takes the access tokens that replace older ones, or none.
  private mutating func mergeTokens(of other: AccountRecord) -> Bool {
    // There can be very many.
    var all: [AccessToken?] = accessTokens
    var places: [AccessToken.Place: [Int]] = [:]
    for (index, token) in accessTokens.enumerated() {
      for place in token.places { places[place, default: []].append(index) }
    }
    for token in other.accessTokens where token.keyID == nil || proofKey == other.proofKey {
      let rivals = Set(token.places.flatMap { places[$0] ?? [] })
      let areOlder = rivals.allSatisfy { index in
        guard let rival = all[index] else { return true }
        return rival.cachedAt <= token.cachedAt && rival.secret != token.secret
      }
      guard areOlder else { continue }
      for index in rivals { all[index] = nil }
      for place in token.places { places[place] = [all.count] }
      all.append(token)
    }
    guard all.count > accessTokens.count else { return false }
    accessTokens = all.compactMap(\.self)
    return true
  }
}

extension Array where Element: Equatable {
  /// These, but those of `others` with a new key, and if they are newer all of them, in their place.
  fileprivate func merging(
    _ others: [Element], _ key: (Element) -> String, isNewer: Bool
  ) -> [Element] {
    var all: [Element?] = self
    var positions = Dictionary(grouping: indices) { key(self[$0]) }
    for other in others {
      let known = positions[key(other)] ?? []
      if let first = known.first, !isNewer || all[first] == other { continue }
      for position in known { all[position] = nil }
      positions[key(other)] = [all.count]
      all.append(other)
    }
    return all.compactMap(\.self)
  }
}
