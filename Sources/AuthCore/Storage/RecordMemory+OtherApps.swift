/// Removes data of other apps in the same store.
///
/// ``RecordMemory`` otherwise handles only the records of its own client ID.
extension RecordMemory {
  /// Whether the store has a record of an account for another client ID.
  ///
  /// The records of all apps are read for it, which may be many.
  @concurrent
  func isUsedByOtherApps(_ account: Account) async -> Bool {
    guard let stored = try? await store.load() else { return false }
    return stored.contains { stored in
      guard let entry = stored.entry else { return false }
      return entry.account == account.key && !caselessEqual(entry.clientID, clientID)
    }
  }

  /// Removes every record of an account from the store, for any client ID.
  ///
  /// - Throws: when the store could not be read, or still has a record.
  func wipe(_ account: Account) async throws(AuthenticationError) {
    try await wipe { $0.account?.key == account.key }
  }

  /// Removes all accounts, and every record that the store exposes.
  ///
  /// - Throws: when the store could not be read, or still has a record.
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

  /// Removes records, even if the caller's task is canceled, except while the store waits for the
  /// user.
  private func wipe(
    where isUnwanted: @escaping @Sendable (StoredRecord) -> Bool
  ) async throws(AuthenticationError) {
    let wasCanceled = Task.isCancelled
    let reading = Task {
      await Result { () async throws(AuthenticationError) in try await store.load() }
    }
    let found = await withTaskCancellationHandler {
      await reading.value
    } onCancel: {
      if !wasCanceled { reading.cancel() }
    }
    if case .failure = found, reading.isCancelled { throw .canceled(step: .storage) }
    let records = try found.get()
    try await Task {
      await Result { () async throws(AuthenticationError) in
        for stored in records where isUnwanted(stored) {
          // Accounts that signed in meanwhile are kept.
          let own = stored.account(for: clientID)
          if let own, record(of: own.account) != nil { continue }
          try await store.delete(id: stored.id)
        }
      }
    }.value.get()
  }
}
