import AuthCore
import Connections
import Localization

// Where accounts are kept, and what a person can do when they cannot be read.
extension AccountModel {
  /// *Unlock* and *Try Again*: reads the accounts once more, and asks the person for what that takes.
  @discardableResult
  public func readAgain() -> Task<Void, Never>? {
    start(nil) {
      let waiting = self.announceWaiting()
      await self.application.unlockStorage()
      await self.loadCurrentAccount()
      waiting.cancel()
    }
  }

  /// The model of the dialog that asks for the passphrase of the encrypted files; nil when none is needed.
  public func makePassphraseModel() async -> PassphraseModel? {
    guard let store else { return nil }
    let passphrase = await store.choice.passphrase
    guard passphrase != .notNeeded else { return nil }
    return PassphraseModel(store: store, isNew: passphrase == .new) { [weak self] in
      self?.storeWasUnlocked()
    }
  }

  /// Shows who is kept there, once what is under way has ended.
  private func storeWasUnlocked() {
    Task {
      await work.finish()
      activate()
    }
  }

  /// Says so when accounts take long: a locked keyring asks the person, and they may not have noticed.
  func announceWaiting() -> Task<Void, Never> {
    Task {
      try? await Task.sleep(for: .seconds(1))
      guard !Task.isCancelled else { return }
      self.state.notices.removeAll { $0.id == AccountState.Notice.storageID }
      self.state.notices.append(.waiting)
    }
  }

  /// Shows what keeps accounts from being read or kept, and with it whether it is known who is signed in.
  func updateStorageNotice() async {
    let failure = await application.storageFailure
    let passphrase = await store?.choice.passphrase ?? .notNeeded
    let isLocked = failure == nil ? false : await store?.isKeyringLocked ?? false
    // Without a passphrase nothing has been kept yet, and what is in memory is all there is.
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

  /// Where accounts are kept, in words.
  static func text(_ kind: StorageKind) -> String {
    switch kind.known {
    case .secretService: tr("Accounts are kept in the keyring")
    case .encryptedFile: tr("Accounts are kept in encrypted files")
    case .plainFile: tr("Accounts are kept in a file that is not encrypted")
    case .memory: tr("Accounts are remembered until this window is closed")
    }
  }
}
