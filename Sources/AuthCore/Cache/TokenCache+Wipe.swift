/// Removing what other apps keep in the same store.
///
/// ``TokenCache`` otherwise looks at the records of its own client ID only.
extension TokenCache {
  /// Removes every record of an account from the store, whichever client ID it is for.
  ///
  /// - Throws: when the store could not be read, or still has one of them.
  func wipe(_ account: Account) async throws(AuthenticationError) {
    try await wipe { AccountRecord($0)?.accountID == account.cacheID }
  }

  /// Removes all accounts, and every record that the store shows.
  ///
  /// - Throws: when the store could not be read, or still has one of them.
  func wipe() async throws(AuthenticationError) {
    var failure: AuthenticationError?
    for account in accounts {
      do throws(AuthenticationError) {
        try await remove(account)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    try await wipe { _ in true }
  }

  private func wipe(
    where isUnwanted: (StoredRecord) -> Bool
  ) async throws(AuthenticationError) {
    for stored in try await store.load() where isUnwanted(stored) {
      // Whoever signed in meanwhile stays.
      let own = AccountRecord(stored, clientID: clientID)
      if let own, record(of: own.account) != nil { continue }
      try await store.delete(id: stored.id)
    }
  }
}
