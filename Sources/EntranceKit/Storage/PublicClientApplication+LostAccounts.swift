import AuthCore

extension PublicClientApplication {
  /// Whether all accounts in the store could be read.
  ///
  /// A store tells of a part that it could not read only once, but it keeps a list.
  nonisolated var knowsAllAccounts: Bool {
    get async {
      guard await storageFailure == nil else { return false }
      return await lostAccounts().isEmpty
    }
  }

  /// Removes what is left of the accounts that could not be read.
  nonisolated func forgetLostAccounts() async throws(AuthenticationError) {
    for account in await lostAccounts() { try await forget(account) }
  }
}
