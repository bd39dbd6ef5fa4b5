package import FoundationEssentials

/// All that is in a token cache: that of a store, or one that another program wrote.
package struct TokenCacheContents: Sendable {
  let cache: UnifiedTokenCache

  /// What `store` holds.
  package init(of store: any TokenCacheStore) async throws(AuthenticationError) {
    let store = await store.chosen
    if let shared = store as? any SharedTokenCacheStore {
      cache = try await shared.cache.contents()
      return
    }
    var cache = UnifiedTokenCache()
    for record in try await store.load() {
      if let entries = try? UnifiedTokenCache(Array(record.contents.exposed)) {
        cache.insert(entries)
      }
    }
    self.cache = cache
  }

  /// Reads a cache in MSAL's unified schema, as JSON or as the base64 text of it.
  ///
  /// - Throws: when it is none.
  package init(_ text: Secret<Data>) throws(JSONError) {
    cache = try UnifiedTokenCache(SharedKeyringItem.Encoding.read(Array(text.exposed)).bytes)
  }

  /// The cache as JSON in MSAL's unified schema; what was read from a shared cache is as it is there.
  ///
  /// It holds tokens.
  package var text: Secret<Data> { Secret(Data(cache.pieces.joined())) }

  /// What is kept of the accounts, without a secret, in the order of their names.
  package var accounts: [AccountContents] {
    cache.accounts.compactMap { AccountContents($0, in: cache) }
      .sorted { ($0.username, $0.homeAccountID) < ($1.username, $1.homeAccountID) }
  }

  /// Whether there is neither an account nor a token in it.
  package var isEmpty: Bool { cache.accounts.isEmpty && unownedTokenCount == 0 }

  /// How many tokens belong to no account, such as those of services.
  package var unownedTokenCount: Int {
    let owned = cache.accounts.reduce(0) { count, account in
      count + cache.entries(of: account).count { $0.section.isOfTokens }
    }
    return UnifiedTokenCache.Section.allCases.filter(\.isOfTokens)
      .reduce(0) { $0 + cache.entries(in: $1).count } - owned
  }
}

extension TokenCacheStore {
  /// The store that does the work.
  var chosen: any TokenCacheStore {
    get async { await (self as? ChosenStore)?.choice.store ?? self }
  }
}

/// What a token cache holds of an account, without a secret.
package struct AccountContents: Sendable {
  package let username: String
  package let homeAccountID: String
  package let environment: String
  /// In the order of their client IDs.
  package let apps: [App]

  /// What it holds for an app.
  package struct App: Sendable {
    package let clientID: String
    package let hasRefreshToken: Bool
    /// The family of apps that the refresh token is good for.
    package let familyID: String?
    package let accessTokens: [Token]
    package let idTokens: [Token]
  }

  /// A token, but for itself.
  package struct Token: Sendable {
    /// The tenant, or what the program that wrote it had in its place, such as `common`.
    package let realm: String
    package let scopes: [String]
    /// `Bearer`, or what it is bound to.
    package let type: String
    package let expiresOn: Date?
  }

  init?(_ account: UnifiedTokenCache.AccountID, in cache: UnifiedTokenCache) {
    let entries = cache.entries(of: account)
    guard !entries.isEmpty else { return nil }
    let members = entries.map { (entry: $0, json: $0.members.map(JSON.object) ?? .object([])) }
    func first(_ name: String) -> String? {
      members.filter { $0.entry.section == .account }.lazy.compactMap { $0.json[name]?.string }
        .first { !$0.isEmpty }
    }
    username = first("username") ?? ""
    homeAccountID = account.homeAccountID
    environment =
      members.lazy.compactMap { $0.json["environment"]?.string }.first ?? account.cloud
    apps = Dictionary(grouping: members) { $0.entry.clientID?.lowercased() ?? "" }
      .filter { !$0.key.isEmpty }.sorted { $0.key < $1.key }.map { _, members in
        func all(_ section: UnifiedTokenCache.Section) -> [JSON] {
          members.filter { $0.entry.section == section }.map(\.json)
        }
        let refreshTokens = all(.refreshToken)
        return App(
          clientID: members.first?.entry.clientID ?? "", hasRefreshToken: !refreshTokens.isEmpty,
          familyID: refreshTokens.lazy.compactMap { $0["family_id"]?.string }
            .first { !$0.isEmpty },
          accessTokens: all(.accessToken).map(Token.init), idTokens: all(.idToken).map(Token.init))
      }
  }
}

extension AccountContents.Token {
  fileprivate init(_ json: JSON) {
    realm = json["realm"]?.string ?? ""
    scopes = (json["target"]?.string ?? "").split(separator: " ").map(String.init)
    type = json["token_type"]?.string ?? "Bearer"
    expiresOn = json["expires_on"]?.date
  }
}

extension UnifiedTokenCache.Section {
  var isOfTokens: Bool {
    switch self {
    case .accessToken, .refreshToken, .idToken: true
    case .account, .appMetadata, .accountMetadata: false
    }
  }
}
