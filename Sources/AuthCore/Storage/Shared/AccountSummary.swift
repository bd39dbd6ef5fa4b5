package import FoundationEssentials

/// An account in a token cache, without secrets.
package struct AccountSummary: Sendable {
  package let username: String
  package let homeAccountID: String
  package let environment: String
  /// Sorted by client ID.
  package let apps: [App]

  /// The account's data for one app.
  package struct App: Sendable {
    package let clientID: String
    package let hasRefreshToken: Bool
    /// The family of apps that can use the refresh token.
    package let familyID: String?
    package let accessTokens: [Token]
    package let idTokens: [Token]
  }

  /// A token's metadata.
  package struct Token: Sendable {
    /// The tenant, or another value of the program that wrote it, such as `common`.
    package let realm: String
    package let scopes: [String]
    /// `Bearer`, or the type of binding.
    package let type: String
    package let expiresOn: Date?
  }

  init?(_ account: AccountKey, in cache: UnifiedCache) {
    let entries = cache.entries(of: account)
    guard !entries.isEmpty else { return nil }
    let members = entries.map { (entry: $0, json: $0.value ?? .null) }
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
        func all(_ section: UnifiedCache.Section) -> [JSON] {
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

extension AccountSummary.Token {
  fileprivate init(_ json: JSON) {
    realm = json["realm"]?.string ?? ""
    scopes = (json["target"]?.string ?? "").split(separator: " ").map(String.init)
    type = json["token_type"]?.string ?? "Bearer"
    expiresOn = json["expires_on"]?.date
  }
}
