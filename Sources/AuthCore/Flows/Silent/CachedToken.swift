import FoundationEssentials

/// A cached token that can be returned to a caller.
struct CachedToken: Sendable {
  /// How usable it is.
  enum Standing: Sendable {
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

  var token: AccountRecord.AccessToken
  var known: KnownAccount
  /// The key that the token is bound to; nil for a bearer token.
  var proofKey: ProofKey?
  var standing: Standing

  /// The token of `known` that matches `parameters`; nil when there is no usable one.
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
      // A token from the future means that the clock was set back: its age is unknown.
      token.cachedAt <= date
    else { return nil }
    self.token = token
    self.known = known
    self.proofKey = proofKey
    // A token with a lifetime of minutes must be usable for most of it.
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
