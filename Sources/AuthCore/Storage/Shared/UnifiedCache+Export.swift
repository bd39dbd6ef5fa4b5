package import FoundationEssentials

/// What a token cache holds, to be shown, exported and merged.
extension UnifiedCache {
  /// What `store` holds.
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

  /// Reads a cache in MSAL's unified schema, as JSON or as the base64 text of it.
  ///
  /// - Throws: when it is none.
  package init(_ text: Secret<Data>) throws(JSONError) {
    try self.init(SharedKeyringItem.Encoding.read(Array(text.exposed)).bytes)
  }

  /// What is kept of the accounts, without a secret, in the order of their names.
  package var accounts: [AccountSummary] {
    accountKeys.compactMap { AccountSummary($0, in: self) }
      .sorted { ($0.username, $0.homeAccountID) < ($1.username, $1.homeAccountID) }
  }

  /// Whether there is neither an account nor a token in it.
  package var isEmpty: Bool { accountKeys.isEmpty && unownedTokenCount == 0 }

  /// How many tokens belong to no account, such as those of services.
  package var unownedTokenCount: Int {
    let owned = accountKeys.reduce(0) { count, account in
      count + entries(of: account).count { $0.section.isOfTokens }
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
