import AuthCore
import Clients
import Connections
import SecretStore
import Sentences

/// Getting at accounts that are kept with a passphrase.
extension CommandContext {
  /// Asks for the passphrase, where accounts are kept with one.
  ///
  /// - Parameter settingPassphrase: whether a new one may be set, to keep accounts that are yet to come.
  func open(settingPassphrase: Bool = false) async throws(CommandError) {
    if settingPassphrase { try await offerKeyring() }
    guard let choice = await client.ownStore?.choice else { return }
    switch choice.passphrase {
    case .known: try await unlock { () throws(CommandError) in try prompt.read() }
    case .new where settingPassphrase:
      try await unlock { () throws(CommandError) in try prompt.readNew() }
    case .new:
      // A file that cannot be read is an error also when nothing has been encrypted yet.
      if prompt.file != nil { _ = try prompt.read() }
    case .notNeeded where choice.kind == .memory && connection.storage == .memory:
      throw CommandError(
        "storageUnavailable",
        Sentence("{place}. Other commands cannot find them.", ["place": choice.sentence]),
        nextStep: Sentence(
          "Remove \"storage\" from {path}.", ["path": EntranceIdentity.connectionsPath]))
    case .notNeeded: break
    }
  }

  /// Where the desktop's service has no keyring yet, offers to have one made.
  ///
  /// - Throws: when there is one, which has to be opened.
  private func offerKeyring() async throws(CommandError) {
    guard let ownStore = client.ownStore, await ownStore.choice.passphrase == .new,
      ProcessEnvironment.hasDisplay,
      await Client.keyring.presence() == .noDefaultCollection
    else { return }
    guard await Client.keyring.provider() != .keePassXC else {
      throw CommandError(
        "storageUnavailable", Sentence("No database is open in KeePassXC."),
        nextStep: KeyringPresence.noDefaultCollection.advice(.keePassXC))
    }
    // Who gives a passphrase has chosen the encrypted files.
    guard prompt.file == nil,
      try prompt.agrees(
        to: Sentence(
          "This desktop has no keyring yet. Create one? You will be asked for a password for it."))
    else { return }
    try await reporting(for: signIn) { () async throws(AuthenticationError) in
      try await Client.keyring.createKeyring()
    }
    ownStore.chooseAgain()
  }

  /// Unlocks the encrypted files with one of the passphrases that `read` gets.
  private func unlock(
    _ read: () throws(CommandError) -> [Secret<String>]
  ) async throws(CommandError) {
    for attempt in 1... {
      let passphrases = try read()
      do throws(AuthenticationError) {
        return try await client.ownStore?.unlock(withOneOf: passphrases) ?? ()
      } catch {
        guard !Task.isCancelled else { throw Self.canceled }
        guard error.code != .storageUnavailable, attempt < prompt.attempts else {
          throw failure(error)
        }
        prompt.say(error.sentence)
      }
    }
  }

  /// Why the encrypted files were not unlocked.
  private func failure(_ error: AuthenticationError) -> CommandError {
    guard error.code == .invalidParameter else { return CommandError(error, signIn: signIn) }
    // It is not about the app, but about the passphrase.
    if prompt.file != nil { return CommandError(option: "--passphrase-file", error.sentence) }
    return CommandError(error.code.rawValue, error.sentence)
  }
}

extension ChosenStore {
  /// Unlocks the encrypted files with the first of `passphrases` that is right.
  func unlock(withOneOf passphrases: [Secret<String>]) async throws(AuthenticationError) {
    for passphrase in passphrases.dropLast() {
      do throws(AuthenticationError) {
        return try await unlock(with: passphrase)
      } catch {
        guard error.code == .wrongPassphrase else { throw error }
      }
    }
    if let last = passphrases.last { try await unlock(with: last) }
  }
}
