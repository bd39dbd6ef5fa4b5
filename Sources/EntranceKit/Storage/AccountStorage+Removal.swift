public import AuthCore

extension AccountStorage {
  /// Removes the accounts of open connections with what was sent for them, and all other accounts
  /// that this program keeps.
  ///
  /// - Parameters:
  ///   - kept: where the accounts of connections that are not open are kept.
  ///   - own: the connection whose windows the caller informs.
  /// - Throws: why some remain.
  public static func removeAllAccounts(
    of workspaces: [Workspace], kept: ChosenStore?, in own: Workspace? = nil
  ) async throws(AuthenticationError) {
    let unfinished = UnfinishedWork()
    defer {
      for workspace in workspaces where workspace !== own { workspace.accountChanges.notify(nil) }
      withExtendedLifetime(unfinished) {}
    }
    var failure: AuthenticationError?
    for workspace in workspaces {
      workspace.history.clear()
      for account in await workspace.application.accounts() {
        do throws(AuthenticationError) {
          failure = try await workspace.application.signOut(account).failures.first ?? failure
        } catch {
          failure = error
        }
      }
    }
    // All keep them in the same place, unless they keep them only in memory.
    for store in workspaces.compactMap(\.store) + [kept].compactMap(\.self) {
      let choice = await store.choice
      guard choice.kind != .memory else {
        // Accounts of an earlier run may be where they cannot be reached now.
        failure = choice.problem ?? failure
        continue
      }
      for record in try await store.load() { try await store.delete(id: record.id) }
      for application in workspaces.map(\.application) {
        try await application.forgetLostAccounts()
      }
      _ = try await store.load()
      failure = store.warning ?? failure
      break
    }
    if let failure { throw failure }
  }
}
