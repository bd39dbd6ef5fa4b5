import CurlHTTP
import FoundationEssentials
import Sentences

/// Moving accounts from encrypted files into a keyring that appeared later.
extension ChosenStore {
  /// Whether accounts can be moved into the keyring.
  ///
  /// An enum, because a program must handle each.
  public enum KeyringMove: Sendable {
    /// There is nothing to move, or nowhere to move it.
    case notPossible
    /// They can be moved.
    case possible
    /// They can be moved with the passphrase of the encrypted files.
    case needsPassphrase
  }

  /// Whether ``moveToKeyring(passphrase:beforeRemoving:)`` has something to do.
  ///
  /// The user is not asked.
  public var keyringMove: KeyringMove {
    get async {
      let choice = await choice
      guard encryptedNames.contains(where: EncryptedFileBackend.isRecord), let keyring,
        await keyring.presence().absence == nil
      else { return .notPossible }
      guard choice.kind != .encryptedFile || choice.problem == nil else { return .notPossible }
      if choice.kind == .encryptedFile, choice.passphrase == .notNeeded { return .possible }
      if (try? CredentialKey(in: credentials)?.read()) != nil { return .possible }
      return passphraseKey.isSet ? .needsPassphrase : .notPossible
    }
  }

  /// Moves the accounts from the encrypted files into the keyring, and uses the keyring from now on.
  ///
  /// Each account is copied and read back before any is removed, so that none is lost, whenever the
  /// program ends. What changes meanwhile is copied too, or stays in its file if another program
  /// changes it while the files are removed. It may ask the user to unlock the keyring.
  /// - Parameters:
  ///   - passphrase: the passphrase of the encrypted files, if it is needed.
  ///   - beforeRemoving: called when the keyring has all accounts, and before the files are removed:
  ///     changes a setting that demands encrypted files.
  /// - Returns: the number of accounts.
  /// - Throws: ``AuthenticationError`` when the accounts could not be read or copied: then nothing
  ///   was removed.
  @discardableResult
  public func moveToKeyring(
    passphrase: Secret<String>? = nil,
    beforeRemoving: @Sendable () async throws(AuthenticationError) -> Void = {}
  ) async throws(AuthenticationError) -> Int {
    guard let keyring, await keyring.presence().absence == nil else {
      throw Self.moveFailure(Sentence("there is no keyring"))
    }
    let files = try await filesToMove(passphrase)
    keyring.allowAskingAgain()
    var copied = try await Self.copy(from: files, to: keyring)
    // From now on, this program writes into the keyring.
    let choice = inKeyring(nil)
    let before = state.withLock { state in
      defer { state.choice = choice }
      return state.choice
    }
    do throws(AuthenticationError) {
      // What was written until then.
      copied = try await Self.copy(from: files, to: keyring, unless: copied)
      try await beforeRemoving()
    } catch {
      state.withLock { $0.choice = before }
      throw error
    }
    // Files that were read are in such a store.
    let records = await files.last as? RecordStore
    for (id, contents) in copied { try await records?.delete(id: id, ifStill: contents) }
    return copied.count
  }

  /// Copies records, and reads them back.
  ///
  /// - Parameter known: what was copied before.
  /// - Returns: the contents of all records by their IDs.
  private static func copy(
    from files: any TokenCacheStore, to keyring: any TokenCacheStore,
    unless known: [String: Secret<Data>] = [:]
  ) async throws(AuthenticationError) -> [String: Secret<Data>] {
    let records = try await files.load()
    let new = records.filter { known[$0.id] != $0.contents }
    let contents = Dictionary(records.map { ($0.id, $0.contents) }) { $1 }
    guard !new.isEmpty else { return contents }
    let there = Dictionary(try await keyring.load().map { ($0.id, $0.contents) }) { $1 }
    let missing = new.filter { there[$0.id] != $0.contents }
    // The text: another store keeps it in its own form.
    try await keyring.save(missing.map { StoredRecord(id: $0.id, contents: $0.contents) })
    let kept = Dictionary(try await keyring.load().map { ($0.id, $0.contents) }) { $1 }
    guard missing.allSatisfy({ kept[$0.id] == $0.contents }) else {
      throw moveFailure(Sentence("the keyring did not keep all of them"))
    }
    return contents
  }

  /// The store of the encrypted files.
  private func filesToMove(
    _ passphrase: Secret<String>?
  ) async throws(AuthenticationError) -> any TokenCacheStore {
    let choice = await choice
    if choice.kind == .encryptedFile, choice.passphrase == .notNeeded { return choice.store }
    let credential = try? CredentialKey(in: credentials)?.read()
    let key: Secret<Data>
    if let credential {
      key = credential
    } else if let passphrase {
      key = try await passphraseKey.key(of: passphrase).key
    } else {
      throw Self.moveFailure(Sentence("the passphrase has not been entered"))
    }
    return EncryptedFileTokenCacheStore(directory: encryptedDirectory, key: key)
  }

  private static func moveFailure(_ reason: Sentence) -> AuthenticationError {
    AuthenticationError(
      .storageUnavailable,
      Sentence("The accounts were not moved into the keyring: {reason}.", ["reason": reason]),
      step: .storage)
  }
}
