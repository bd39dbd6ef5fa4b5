extension AuthenticationResult {
  /// Creates the result of a token response.
  init(
    _ grant: TokenGrant, of record: AccountRecord, _ correlationID: String, _ runtime: Runtime
  ) {
    self.init(
      accessToken: grant.response.accessToken, expiresOn: grant.expiresOn,
      scopes: grant.scopes.list, account: record.account, tenantID: grant.tenantID,
      idToken: record.idToken(realm: grant.tenantID)?.secret,
      correlationID: correlationID, source: grant.brokerProfile == nil ? .server : .broker,
      isExtendedLifetimeToken: false,
      proof: grant.proofKey.map { SignedHTTPRequest(key: $0, runtime: runtime) })
    isClockWrong = grant.disagreesWithClock
  }

  /// Creates the result of a cached token.
  init(_ cached: CachedToken, _ correlationID: String, _ runtime: Runtime) {
    let (token, known) = (cached.token, cached.known)
    let isExtended = cached.standing == .extended
    self.init(
      accessToken: token.secret,
      expiresOn: isExtended ? token.extendedExpiresOn ?? token.expiresOn : token.expiresOn,
      scopes: token.scopes.list, account: known.account, tenantID: token.realm,
      idToken: known.record.idToken(realm: token.realm)?.secret, correlationID: correlationID,
      source: .cache, isExtendedLifetimeToken: isExtended,
      proof: cached.proofKey.map { SignedHTTPRequest(key: $0, runtime: runtime) })
  }

  /// The same token with another authentication scheme.
  func shown(by scheme: AuthenticationScheme) -> AuthenticationResult {
    guard scheme.isProofOfPossession else { return self }
    var result = self
    result.authenticationScheme = scheme
    return result
  }
}
