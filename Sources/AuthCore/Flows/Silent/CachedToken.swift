import FoundationEssentials

/// A cached token that can be returned to a caller.
struct CachedToken: Sendable {
  /// How usable it is.
  enum Freshness: Sendable {
    /// Valid.
    case good
    /// Valid, and due for renewal in the background.
    case due
    /// Valid, but about to expire: used only when it cannot be renewed.
    case expiring
    /// Valid, but its ID token has expired.
    case withoutIDToken
    /// Expired: used only while the service that could renew it is down.
    case extended
  }

  let token: AccountRecord.AccessToken
  let account: Account
  /// Its ID token, if any.
  let idToken: Secret<String>?
  /// The key that the token is bound to; nil for a bearer token.
  let proofKey: ProofKey?
  let freshness: Freshness
}

extension KnownAccount {
  /// The token that matches `parameters`; nil when there is no usable one, or the account does not
  /// belong to `authority`.
  func token(
    for parameters: SilentTokenParameters, at authority: Authority,
    client: PublicClientApplicationConfiguration, date: Date
  ) -> CachedToken? {
    // Each access to the member of the object would copy the whole record.
    let record = record
    let isBound = parameters.authenticationScheme.isProofOfPossession
    let proofKey = isBound ? record.proofKey.flatMap(ProofKey.init) : nil
    guard record.isAccount(at: authority), !parameters.forceRefresh,
      parameters.claims?.isEmpty != false, let realm = record.realm(for: authority),
      let token = record.accessToken(realm: realm, scopes: parameters.scopes, keyID: proofKey?.id),
      (token.keyID != nil) == isBound,
      // A token from the future means that the clock was set back: its age is unknown.
      token.cachedAt <= date,
      let freshness = record.freshness(of: token, client: client, date: date)
    else { return nil }
    return CachedToken(
      token: token, account: account, idToken: record.idToken(realm: realm)?.secret,
      proofKey: proofKey, freshness: freshness)
  }
}

extension AccountRecord {
  /// How usable `token` is; nil when it is not.
  fileprivate func freshness(
    of token: AccessToken, client: PublicClientApplicationConfiguration, date: Date
  ) -> CachedToken.Freshness? {
    // A token with a lifetime of minutes must be usable for most of it.
    let life = token.expiresOn.timeIntervalSince(token.cachedAt)
    let buffer = client.tokenExpirationBuffer ?? max(0, min(300, life / 5))
    if token.expiresOn > date + buffer {
      if needsIDToken(beside: token, at: date, buffer: buffer) { return .withoutIDToken }
      if let refreshOn = token.refreshOn, refreshOn <= date { return .due }
      return .good
    }
    if token.expiresOn > date { return .expiring }
    if client.extendedLifetimeEnabled, let end = token.extendedExpiresOn, end > date {
      return .extended
    }
    return nil
  }
}
