package import FoundationEssentials

/// The tokens that are kept for an account in a tenant, for a program that shows them.
package struct KeptTokens: Sendable, Equatable {
  /// An access token.
  package struct AccessToken: Sendable, Equatable {
    /// The token.
    package let secret: Secret<String>
    /// The granted scopes.
    package let scopes: [String]
    /// When it was received.
    package let receivedOn: Date
    /// When it expires, by this device's clock.
    package let expiresOn: Date
    /// Whether it can only be used with a proof of possession.
    package let isBound: Bool
  }

  /// Who is known to have checked the signature of the ID token.
  package enum Signature: Sendable {
    /// This program, now, with the sign-in service's keys.
    case verified
    /// This program, before it kept the token.
    case verifiedBefore
    /// The identity broker, from which it is.
    case leftToBroker
    /// Perhaps another program, whose cache it is from.
    case unknown
  }

  /// The tenant that issued them.
  package let tenantID: String
  /// The account's ID in that tenant; nil when it is unknown.
  package let localAccountID: String?
  /// The access tokens, the last received first; expired ones, too.
  package let accessTokens: [AccessToken]
  /// The ID token; nil when none is kept.
  package let idToken: Secret<String>?
  /// Whether there is a refresh token.
  package let hasRefreshToken: Bool
}

extension PublicClientApplication {
  /// The tokens of an account that were last read from the store; nothing is read, sent or renewed.
  ///
  /// - Parameter tenantID: a tenant in which the account is a guest; nil for its own, or the only one.
  /// - Returns: nil when nothing is kept for it.
  package nonisolated func keptTokens(
    of account: Account, inTenant tenantID: String?
  ) -> KeptTokens? {
    guard let record = memory.known(account)?.record,
      let realm = tenantID ?? record.realm(for: configuration.authority(of: account))
    else { return nil }
    let tokens = record.accessTokens.filter { $0.realm == realm }
      .sorted { $0.cachedAt > $1.cachedAt }
    let idToken = record.idToken(realm: realm)?.secret
    guard !tokens.isEmpty || idToken != nil else { return nil }
    return KeptTokens(
      tenantID: realm,
      localAccountID: record.profiles.first { $0.realm == realm }?.localAccountID,
      accessTokens: tokens.map {
        KeptTokens.AccessToken(
          secret: $0.secret, scopes: $0.scopes.list, receivedOn: $0.cachedAt,
          expiresOn: $0.expiresOn, isBound: $0.keyID != nil)
      },
      idToken: idToken, hasRefreshToken: record.refreshToken != nil)
  }

  /// Who has checked the signature of an ID token that is kept for `account`; nothing is fetched.
  package func signature(
    of idToken: Secret<String>, for account: Account, inTenant tenantID: String?
  ) async -> KeptTokens.Signature {
    if account.isFromBroker { return .leftToBroker }
    let authorities = [
      tenantID.flatMap { configuration.authority(of: account, inTenant: $0) },
      configuration.authority(of: account), configuration.authority,
    ]
    if let token = try? IDToken(idToken.exposed) {
      for authority in authorities.compactMap(\.self) {
        guard let keysURL = await self.authorities.keysURL(of: authority) else { continue }
        if await signingKeys.verifies(token, keysAt: keysURL) { return .verified }
      }
    }
    return await memory.store.last is SharedStore ? .unknown : .verifiedBefore
  }
}
