import FoundationEssentials

/// A token of the cache that can be given to a caller.
struct CachedToken: Sendable {
  /// How good it is.
  enum Standing: Sendable {
    /// It can be used.
    case good
    /// It can be used, and it is time to renew it while nobody waits for that.
    case due
    /// It can be used, but not for long: it serves when nothing newer is to be had.
    case expiring
    /// It can be used, but the ID token beside it has run out.
    case withoutIDToken
    /// Its time is over; it serves only while the service that could renew it is down.
    case extended
  }

  let token: AccountRecord.AccessToken
  let account: Account
  /// The ID token beside it.
  let idToken: Secret<String>?
  /// The key that the token is bound to; nil for a bearer token.
  let proofKey: ProofKey?
  let standing: Standing
}

extension KnownAccount {
  /// The token that has what `parameters` ask for; nil when there is none of any use, or the account is none at
  /// `authority`.
  func token(
    for parameters: SilentTokenParameters, at authority: Authority,
    client: PublicClientApplicationConfiguration, date: Date
  ) -> CachedToken? {
    // Each look into the object would copy all of it.
    let record = record
    let isBound = parameters.authenticationScheme.isProofOfPossession
    let proofKey = isBound ? record.proofKey.flatMap(ProofKey.init) : nil
    guard record.isAccount(at: authority), !parameters.forceRefresh,
      parameters.claims?.isEmpty != false, let realm = record.realm(for: authority),
      let token = record.accessToken(realm: realm, scopes: parameters.scopes, keyID: proofKey?.id),
      (token.keyID != nil) == isBound,
      // A token from the future tells of a clock that was set back: its age is not known.
      token.cachedAt <= date,
      let standing = record.standing(of: token, client: client, date: date)
    else { return nil }
    return CachedToken(
      token: token, account: account, idToken: record.idToken(realm: realm)?.secret,
      proofKey: proofKey, standing: standing)
  }
}

extension AccountRecord {
  /// How good one of the tokens is; nil when it is of no use.
  fileprivate func standing(
    of token: AccessToken, client: PublicClientApplicationConfiguration, date: Date
  ) -> CachedToken.Standing? {
    // A token that lives for minutes has to be of use for most of them.
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
