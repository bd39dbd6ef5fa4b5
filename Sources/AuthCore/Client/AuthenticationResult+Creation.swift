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
    clockDifference = grant.clockDifference
  }

  /// The same token with another authentication scheme.
  consuming func shown(by scheme: AuthenticationScheme) -> AuthenticationResult {
    if scheme.isProofOfPossession { authenticationScheme = scheme }
    return self
  }
}

extension CachedToken {
  /// The result for a caller.
  func result(_ correlationID: String, _ runtime: Runtime) -> AuthenticationResult {
    let isExtended = freshness == .extended
    return AuthenticationResult(
      accessToken: token.secret,
      expiresOn: isExtended ? token.extendedExpiresOn ?? token.expiresOn : token.expiresOn,
      scopes: token.scopes.list, account: account, tenantID: token.realm, idToken: idToken,
      correlationID: correlationID, source: .cache, isExtendedLifetimeToken: isExtended,
      proof: proofKey.map { SignedHTTPRequest(key: $0, runtime: runtime) })
  }
}
