import FoundationEssentials

extension TokenCacheContents {
  /// What became of an account, for one app, that was to be taken over.
  package struct Arrival: Sendable {
    package enum Kind: String, Sendable {
      /// It was not there.
      case new
      /// Something of it was not there, or older.
      case changed
      /// All of it was there.
      case unchanged
    }

    package let kind: Kind
    package let username: String
    package let homeAccountID: String
    package let clientID: String
  }

  /// Puts the accounts and their tokens in `store`, beside what it holds; of two that are for the same the
  /// newer is kept.
  ///
  /// Tokens that AuthCore has no use for are left out: ``foreignTokenCount``.
  package func merge(
    into store: any TokenCacheStore
  ) async throws(AuthenticationError) -> [Arrival] {
    let arriving = cache.records.compactMap { AccountRecord($0) }
      .filter { $0.refreshToken != nil || !$0.accessTokens.isEmpty }
      .sorted { ($0.account.username, $0.clientID) < ($1.account.username, $1.clientID) }
    if let shared = store as? any SharedTokenCacheStore {
      return try await shared.cache.merge(arriving)
    }
    var known: [String: AccountRecord] = [:]
    for record in try await store.load() {
      if let record = AccountRecord(record) { known[Self.name(of: record)] = record }
    }
    var arrivals: [Arrival] = []
    for record in arriving {
      var merged = known[Self.name(of: record)] ?? record
      let isNew = known[Self.name(of: record)] == nil
      if isNew { merged.id = UUID().uuidString }
      let isChanged = isNew || merged.merge(record)
      if isChanged { try await store.save(merged.stored) }
      arrivals.append(Arrival(isNew ? .new : isChanged ? .changed : .unchanged, merged))
    }
    return arrivals
  }

  /// How many access and refresh tokens AuthCore has no use for: those of services, or bound to something
  /// that it does not have.
  package var foreignTokenCount: Int {
    let used = cache.records.compactMap { AccountRecord($0) }.reduce(0) { count, record in
      let refreshTokens = cache.entries(of: record.accountID).count {
        $0.section == .refreshToken && $0.isOwned(by: record.clientID)
          && $0.members.map(JSON.object)?.isOnBehalfOfAnother == false
      }
      return count + record.accessTokens.count + (record.refreshToken == nil ? 0 : refreshTokens)
    }
    return cache.entries(in: .accessToken).count + cache.entries(in: .refreshToken).count - used
  }

  private static func name(of record: AccountRecord) -> String {
    "\(record.accountID.homeAccountID) \(record.accountID.cloud) \(record.clientID.lowercased())"
  }
}

extension TokenCacheContents.Arrival {
  init(_ kind: Kind, _ record: AccountRecord) {
    self.init(
      kind: kind, username: record.account.username,
      homeAccountID: record.homeAccountID.description, clientID: record.clientID)
  }
}

extension AccountRecord {
  /// When it last got a token.
  private var lastGrant: Date { accessTokens.map(\.cachedAt).max() ?? signedInAt }

  /// Takes in what `other` has of the account that is not here, or newer.
  ///
  /// - Returns: whether that was anything.
  mutating func merge(_ other: AccountRecord) -> Bool {
    let isNewer = other.lastGrant > lastGrant
    var isChanged = false
    func take<Value: Equatable>(_ value: Value, _ place: inout Value) {
      guard place != value else { return }
      place = value
      isChanged = true
    }
    if let token = other.refreshToken, isNewer || refreshToken == nil {
      take(token, &refreshToken)
    }
    if proofKey == nil { take(other.proofKey, &proofKey) }
    for token in other.accessTokens where token.keyID == nil || proofKey == other.proofKey {
      let rivals = accessTokens.filter(token.replaces)
      guard rivals.allSatisfy({ $0.cachedAt < token.cachedAt }) else { continue }
      take(accessTokens.filter { !rivals.contains($0) } + [token], &accessTokens)
    }
    for profile in other.profiles {
      let known = profiles.contains { $0.realm == profile.realm }
      guard isNewer || !known else { continue }
      take(profiles.filter { $0.realm != profile.realm } + [profile], &profiles)
    }
    for token in other.idTokens {
      let known = idTokens.contains { $0.realm == token.realm }
      guard isNewer || !known else { continue }
      take(idTokens.filter { $0.realm != token.realm } + [token], &idTokens)
    }
    take(tenantIDs.merging(other.tenantIDs) { mine, _ in mine }, &tenantIDs)
    return isChanged
  }
}
