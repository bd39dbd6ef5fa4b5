extension AuthenticationResult {
  /// The result of a token response.
  init(_ grant: TokenGrant, of record: AccountRecord, _ correlationID: String) {
    self.init(
      accessToken: grant.response.accessToken, expiresOn: grant.expiresOn,
      scopes: grant.scopes.list, account: record.account, tenantID: grant.tenantID,
      idToken: record.idTokens.first { $0.realm == grant.tenantID }?.secret,
      correlationID: correlationID, source: .server)
  }

  /// The result of a cached token.
  init(_ token: AccountRecord.AccessToken, of record: AccountRecord, _ correlationID: String) {
    self.init(
      accessToken: token.secret, expiresOn: token.expiresOn, scopes: token.scopes.list,
      account: record.account, tenantID: token.realm,
      idToken: record.idTokens.first { $0.realm == token.realm }?.secret,
      correlationID: correlationID, source: .cache)
  }
}
