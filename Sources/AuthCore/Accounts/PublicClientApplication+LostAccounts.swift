/// Accounts that the store has lost.
extension PublicClientApplication {
  /// The accounts of which the store has lost the data, as far as it keeps a list.
  package func lostAccounts() async -> [LostAccount] {
    guard let store = await memory.store.last as? RecordStore else { return [] }
    return store.lostAccounts(of: configuration.clientID)
  }

  /// Removes what is left of an account.
  package func forget(_ account: LostAccount) async throws(AuthenticationError) {
    try await memory.store.delete(id: account.record)
  }
}
