package import FoundationEssentials

/// Lists, exports and imports the contents of a token cache.
extension UnifiedCache {
  /// Reads the contents of `store`.
  package init(of store: any TokenCacheStore) async throws(AuthenticationError) {
    let store = await store.last
    if let shared = store as? SharedStore {
      self = try await shared.contents()
      return
    }
    self.init()
    for record in try await store.load() {
      if let entries = try? UnifiedCache(Array(record.contents.exposed)) { insert(entries) }
    }
  }

  /// Parses a cache in MSAL's unified schema, as JSON or as base64 text of JSON.
  ///
  /// - Throws: when it is malformed.
  package init(_ text: Secret<Data>) throws(JSONError) {
    try self.init(SharedKeyringItem.Encoding.read(Array(text.exposed)).bytes)
  }

  /// The accounts, without secrets, sorted by name.
  package var accounts: [AccountSummary] {
    accountKeys.compactMap { AccountSummary($0, in: self) }
      .sorted { ($0.username, $0.homeAccountID) < ($1.username, $1.homeAccountID) }
  }

  /// Whether it contains neither accounts nor tokens.
  package var isEmpty: Bool { accountKeys.isEmpty && unownedTokenCount == 0 }

  /// How many tokens belong to no account, such as those of services.
  package var unownedTokenCount: Int {
    let owned = accountKeys.reduce(0) { count, account in
      count + entries(of: account).count { $0.section?.isOfTokens == true }
    }
    return UnifiedCache.Section.allCases.filter(\.isOfTokens)
      .reduce(0) { $0 + entries(in: $1).count } - owned
  }
}

extension UnifiedCache.Section {
  var isOfTokens: Bool {
    switch self {
    case .accessToken, .refreshToken, .idToken: true
    case .account, .appMetadata, .accountMetadata: false
    }
  }
}
