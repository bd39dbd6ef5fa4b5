extension AuthenticationResult {
  /// The result of a token response.
  init(_ grant: TokenGrant, of account: Account, _ correlationID: String) {
    self.init(
      accessToken: grant.response.accessToken, expiresOn: grant.expiresOn,
      scopes: grant.scopes.list, account: account, tenantID: grant.tenantID,
      idToken: grant.response.idToken, correlationID: correlationID, source: .server)
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
