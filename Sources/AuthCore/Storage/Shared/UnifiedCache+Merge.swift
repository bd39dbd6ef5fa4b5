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
      let isChanged = merged.merge(record)
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
    var results: [ImportResult] = []
    var changed: [StoredRecord] = []
    for var record in arriving {
      let old = known[Self.name(of: record)]
      if old == nil { record.id = UUID().uuidString }
      let result = ImportResult(of: record, at: old?.record)
      results.append(result)
      if result.kind != .unchanged {
        let text = result.record.text(over: old, from: self)
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
    for token in other.accessTokens where token.keyID == nil || proofKey == other.proofKey {
      let rivals = accessTokens.filter(token.replaces)
      guard rivals.allSatisfy({ $0.cachedAt <= token.cachedAt && $0.secret != token.secret }) else {
        continue
      }
      take(accessTokens.filter { !rivals.contains($0) } + [token], &accessTokens)
    }
    for profile in other.profiles {
      let known = profiles.first { $0.realm == profile.realm }
      guard known == nil || isNewer && known != profile else { continue }
      take(profiles.filter { $0.realm != profile.realm } + [profile], &profiles)
    }
    for token in other.idTokens {
      let known = idTokens.first { $0.realm == token.realm }
      guard known == nil || isNewer && known != token else { continue }
      take(idTokens.filter { $0.realm != token.realm } + [token], &idTokens)
    }
    take(tenantIDs.merging(other.tenantIDs) { mine, _ in mine }, &tenantIDs)
    return isChanged
  }
}
