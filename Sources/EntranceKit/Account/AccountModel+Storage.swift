import AuthCore
import Connections
import Localization

// Where accounts are stored, and what the user can do when they cannot be read.
extension AccountModel {
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
