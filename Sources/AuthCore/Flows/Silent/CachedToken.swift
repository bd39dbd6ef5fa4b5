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

  var token: AccountRecord.AccessToken
  var known: KnownAccount
  /// The key that the token is bound to; nil for a bearer token.
  var proofKey: ProofKey?
  var standing: Standing

  /// The token of `known` that has what `parameters` ask for; nil when there is none of any use.
  init?(
    _ parameters: SilentTokenParameters, at authority: Authority, in known: KnownAccount,
    client: PublicClientApplicationConfiguration, date: Date
  ) {
    let isBound = parameters.authenticationScheme.isProofOfPossession
    let proofKey = isBound ? known.record.proofKey.flatMap(ProofKey.init) : nil
    guard !parameters.forceRefresh, parameters.claims?.isEmpty != false,
      let realm = known.record.realm(for: authority),
      let token = known.record.accessToken(
        realm: realm, scopes: parameters.scopes, keyID: proofKey?.id),
      (token.keyID != nil) == isBound,
      // A token from the future tells of a clock that was set back: its age is not known.
      token.cachedAt <= date
    else { return nil }
    self.token = token
    self.known = known
    self.proofKey = proofKey
    // A token that lives for minutes has to be of use for most of them.
    let life = token.expiresOn.timeIntervalSince(token.cachedAt)
    let buffer = client.tokenExpirationBuffer ?? max(0, min(300, life / 5))
    if token.expiresOn > date + buffer {
      if known.record.needsIDToken(beside: token, at: date, buffer: buffer) {
        standing = .withoutIDToken
      } else if let refreshOn = token.refreshOn, refreshOn <= date {
        standing = .due
      } else {
        standing = .good
      }
    } else if token.expiresOn > date {
      standing = .expiring
    } else if client.extendedLifetimeEnabled, let end = token.extendedExpiresOn, end > date {
      standing = .extended
    } else {
      return nil
    }
  }
}
