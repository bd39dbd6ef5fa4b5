public import AuthCore
import Connections
import Localization
public import Sentences

// Where accounts are stored, and what the user can do when they cannot be read.
extension AccountModel {
  /// Tells that others can change the connections (``Connections/ConnectionFile/exposure(_:)``).
  public func tell(exposure: Sentence) {
    state.notices.append(.exposure(tr(exposure)))
  }

  /// *Unlock* and *Try Again*: reads the accounts again; may ask the user to unlock the store.
  @discardableResult
  public func readAgain() -> Task<Void, Never>? {
    start(nil) {
      let waiting = self.announceWaiting()
      await self.application.unlockStorage()
      await self.loadCurrentAccount()
      waiting.cancel()
    }
  }

  /// The model of the passphrase dialog for encrypted files; nil when no passphrase is needed.
  public func makePassphraseModel() async -> PassphraseModel? {
    guard let store else { return nil }
    let passphrase = await store.choice.passphrase
    guard passphrase != .notNeeded else { return nil }
    return PassphraseModel(store: store, isNew: passphrase == .new) { [weak self] in
      self?.storeWasUnlocked()
    }
  }

  /// Shows the stored accounts, after the current work has ended.
  private func storeWasUnlocked() {
    Task {
      await work.finish()
      activate()
    }
  }

  /// Shows a notice when reading accounts takes long: a locked keyring asks the user, who may not
  /// have noticed.
  func announceWaiting() -> Task<Void, Never> {
    Task {
      try? await Task.sleep(for: .seconds(1))
      guard !Task.isCancelled else { return }
      self.state.notices.removeAll { $0.id == AccountState.Notice.storageID }
      self.state.notices.append(.waiting)
    }
  }

  /// Shows why accounts cannot be read or stored, and whether the current account is known.
  func updateStorageNotice() async {
    let failure = await application.storageFailure
    let passphrase = await store?.choice.passphrase ?? .notNeeded
    let isLocked = failure == nil ? false : await store?.isKeyringLocked ?? false
    // Before a passphrase is set, nothing is stored, so memory is complete.
    let isUnread = account == nil && passphrase != .new && failure?.code == .storageUnavailable
    readingFailure = isUnread ? failure : nil
    var notices = state.notices.filter { $0.id != AccountState.Notice.storageID }
    switch passphrase {
    case .new: notices.append(.newPassphrase(isChosen: connection.storage != nil))
    case .known: notices.append(.passphrase)
    case .notNeeded: if let failure { notices.append(.storage(failure, isLocked: isLocked)) }
    }
    state.notices = notices
    showAccount()
  }

  /// Says why an account could not be kept, before anyone signs in with it for nothing.
  ///
  /// - Returns: whether it was said just now; the next sign-in goes on without keeping the account.
  func warnsOfStorage() async -> Bool {
    // What is not kept anyway has its own notice.
    if let choice = await store?.choice, choice.kind == .memory || choice.passphrase != .notNeeded {
      return false
    }
    do throws(AuthenticationError) {
      try await application.checkStorage()
      return false
    } catch {
      guard !state.notices.contains(where: { $0.id == AccountState.Notice.storageID }) else {
        return false
      }
      state.notices.append(.storage(error, isLocked: false))
      log(
        tr(
          "{error} Sign in again to go on: the account is then remembered until this window is closed.",
          ["error": tr(error.sentence)]))
      return true
    }
  }

  /// Where the accounts of this connection are kept.
  public struct Place: Sendable, Equatable {
    /// In words.
    public var text: String
    /// Whether they can be moved into the keyring.
    public var keyringMove: Move

    /// Whether accounts can be moved into the keyring.
    public typealias Move = ChosenStore.KeyringMove
  }

  /// Where the accounts of this connection are kept, and whether they can be moved.
  public func place() async -> Place {
    guard let store else {
      return Place(
        text: tr("Accounts are kept in a cache that other programs use, too."),
        keyringMove: .notPossible)
    }
    let sentence = tr(await store.choice.sentence)
    return Place(
      text: tr("{sentence}.", ["sentence": sentence]), keyringMove: await store.keyringMove)
  }

  /// *Move to Keyring*: moves the accounts from the encrypted files.
  ///
  /// - Parameters:
  ///   - passphrase: the passphrase of the files, if it is needed.
  ///   - list: where a setting that demands encrypted files is removed.
  @discardableResult
  public func moveToKeyring(
    passphrase: Secret<String>? = nil, _ list: ConnectionList
  ) -> Task<Void, Never>? {
    guard let store else { return nil }
    return start(.movingAccounts) {
      do throws(AuthenticationError) {
        try await self.move(store, passphrase, list)
        self.log(tr("The accounts are in the keyring now."))
        self.toasts.tell(tr("Accounts moved to the keyring"))
      } catch {
        self.log(tr(error.sentence), error)
      }
      await self.updateAccount()
    }
  }

  /// The model of the dialog for the passphrase of files that are moved into the keyring.
  public func makeMovePassphraseModel(_ list: ConnectionList) -> PassphraseModel? {
    guard let store else { return nil }
    return PassphraseModel(isNew: false) { passphrase throws(AuthenticationError) in
      try await self.move(store, passphrase, list)
    } whenDone: { [weak self] in
      self?.log(tr("The accounts are in the keyring now."))
      self?.toasts.tell(tr("Accounts moved to the keyring"))
      self?.storeWasUnlocked()
    }
  }

  private func move(
    _ store: ChosenStore, _ passphrase: Secret<String>?, _ list: ConnectionList
  ) async throws(AuthenticationError) {
    let isDemanded = connection.storage == .encryptedFile
    try await store.moveToKeyring(passphrase: passphrase) { () throws(AuthenticationError) in
      if isDemanded { try await list.useAutomaticStorage() }
    }
  }

  /// *Clear All Data*: removes all accounts that this program keeps, of any connection, and the log.
  ///
  /// Of a cache that other programs use too, this connection's accounts are removed.
  /// - Parameter clearOthers: clears what other parts of the program keep, and returns what failed.
  @discardableResult
  public func clearAllData(
    _ clearOthers: @escaping @MainActor () async -> [AuthenticationError] = { [] }
  ) -> Task<Void, Never>? {
    start(.clearingData) {
      var failures: [AuthenticationError] = []
      do throws(AuthenticationError) {
        try await self.removeAllAccounts()
      } catch {
        failures.append(error)
      }
      failures += await clearOthers()
      self.dismissSignOut()
      self.clearLog()
      await self.updateAccount()
      for failure in failures {
        self.log(tr("Some data was not cleared: {error}", ["error": failure.sentence]), failure)
      }
      guard failures.isEmpty else { return }
      self.log(tr("All data was cleared."))
      self.toasts.tell(tr("All data cleared"))
    }
  }

  /// Tells what could not be deleted.
  public func report(notCleared failures: [AuthenticationError]) {
    for failure in failures {
      conclude(tr("Some data was not cleared: {error}", ["error": failure.sentence]))
      toasts.tell(tr("Some data was not cleared"))
    }
  }

  private func removeAllAccounts() async throws(AuthenticationError) {
    var failure: AuthenticationError?
    for account in await application.accounts() {
      failure = try await application.signOut(account).failures.first ?? failure
    }
    // Those of other connections.
    if let store, await store.choice.kind != .memory {
      for record in try await store.load() { try await store.delete(id: record.id) }
    }
    if let failure { throw failure }
  }

  /// Where accounts are stored, in words.
  static func text(_ kind: StorageKind) -> String {
    switch kind.known {
    case .secretService: tr("Accounts are kept in the keyring")
    case .encryptedFile: tr("Accounts are kept in encrypted files")
    case .plainFile: tr("Accounts are kept in a file that is not encrypted")
    case .memory: tr("Accounts are remembered until this window is closed")
    }
  }
}
