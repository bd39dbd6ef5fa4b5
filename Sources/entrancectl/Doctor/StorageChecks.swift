import AuthCore
import Clients
import Connections
import CurlHTTP
import FoundationEssentials
import SecretStore
import Sentences

/// Checks of where accounts are kept; nobody is asked for a passphrase or to unlock anything.
struct StorageChecks {
  private let choice: StoreChoice
  private let presence: KeyringPresence
  private let provider: KeyringProvider?
  private let isChosenByPerson: Bool
  private let shared: Connection?
  private let signIn: SuggestedSignIn
  /// Why accounts cannot be read or kept, as far as that is seen without asking anyone.
  private let failure: AuthenticationError?

  /// Looks where accounts of `connection` would be kept.
  ///
  /// - Parameters:
  ///   - signIn: the command that signs someone in to it.
  ///   - passphrases: what is tried as the passphrase of the encrypted files; empty when none is
  ///     given.
  init(connection: Connection?, signIn: SuggestedSignIn, passphrases: [Secret<String>]) async {
    self.signIn = signIn
    let own = Client.quietStore(for: connection)
    choice = await own.choice
    let keyring = Client.keyring
    presence = await keyring.presence()
    provider = await keyring.provider()
    isChosenByPerson = connection?.storage != nil
    shared = connection?.cache == nil ? nil : connection
    // KeePassXC withholds an item until the user consents, which is no problem.
    let isKeyringReadable = presence == .unlocked && provider != .keePassXC
    do throws(AuthenticationError) {
      switch connection?.cache {
      case let cache? where cache.keyringItem == nil || isKeyringReadable:
        try await cache.quietStore.examine()
      case nil where choice.kind != .secretService || isKeyringReadable:
        // Why nothing is kept is said with the choice.
        if choice.kind != .memory || choice.passphrase == .new {
          if choice.passphrase == .known { try await own.unlock(withOneOf: passphrases) }
          try await own.examine()
        }
      default: break
      }
      failure = nil
    } catch {
      failure = error
    }
  }

  /// Whether accounts are kept nowhere without a keyring.
  var needsKeyring: Bool {
    switch shared?.cache?.known {
    case .file: return false
    case .keyring: return true
    case nil: break
    }
    return switch choice.kind.known {
    case .secretService: true
    case .memory: !isChosenByPerson || choice.passphrase == .new
    case .encryptedFile, .plainFile: false
    }
  }

  /// Looks for the keyring, and whether it is unlocked.
  func keyring() -> Finding {
    let message =
      switch presence.known {
      case .unlocked: Sentence("The keyring is available and unlocked")
      case .needsConsent:
        Sentence("The keyring is available, and asks you before a program reads its contents")
      case .locked: Sentence("The keyring is locked.")
      case .noBus, .noService:
        Sentence("There is no keyring: nothing provides the Secret Service.")
      case .noDefaultCollection:
        Sentence("The keyring’s service has no default keyring.")
      case .noAnswer: Sentence("The keyring does not respond.")
      case .failed(let words):
        Sentence(
          "The keyring reports a problem: {words}.",
          ["words": Sentence(verbatim: words).withoutFullStop])
      }
    guard let advice = presence.advice(provider) else { return .ok("keyring", message) }
    return needsKeyring
      ? .problem("keyring", message, advice)
      : .absent(
        "keyring",
        Sentence(
          "{problem}, but this app does not need one", ["problem": message.withoutFullStop]))
  }

  /// Tells where accounts are kept, and why there.
  func storage() -> Finding {
    if let failure {
      let advice =
        if failure.code == .storageIncomplete {
          Sentence("Sign in again: '{command}'.", ["command": signIn.text])
        } else if failure.code == .wrongPassphrase {
          EntranceIdentity.forgottenPassphrase
        } else if let path = shared?.cache?.path, Self.isAnotherFile(path) {
          Sentence(
            "'cache' names a file that is not a token cache. In apps.json, set it to the right"
              + " file. Nothing was changed.")
        } else {
          Sentence("Until this is corrected, accounts cannot be used or kept.")
        }
      return .problem("storage", failure.sentence, advice)
    }
    if let shared {
      return .ok(
        "storage",
        Sentence(
          "{place}; other programs use it, too", ["place": shared.cachePlace.withoutFullStop]))
    }
    let sentence = Sentence("{sentence}.", ["sentence": choice.sentence])
    switch choice.kind.known {
    case .secretService where presence.advice(provider) != nil:
      return .warning(
        "storage", sentence,
        Sentence("Until the keyring can be used, accounts are lost when a command ends."))
    case .secretService, .encryptedFile: return .ok("storage", choice.sentence)
    case .plainFile:
      return .warning(
        "storage", sentence,
        Sentence(
          "Anyone who can read it can use the accounts. Remove \"storage\" from apps.json to"
            + " keep them in the keyring, or encrypted."))
    case .memory: break
    }
    if choice.passphrase == .new {
      return .problem(
        "storage", sentence,
        Sentence(
          "Set a passphrase to keep them in encrypted files: '{command}' asks for it.",
          ["command": signIn.text]))
    }
    return isChosenByPerson
      ? .warning(
        "storage", sentence,
        Sentence("Remove \"storage\" from apps.json to keep them."))
      : .problem(
        "storage", sentence, Sentence("Correct the key, or remove the credential."))
  }

  /// Whether a file can be read, and is no token cache.
  private static func isAnotherFile(_ path: String) -> Bool {
    guard let bytes = try? FileReader(path).read(upTo: FileReader.Limit.cache),
      let first = bytes.first(where: { ![0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf].contains($0) })
    else { return false }
    // Only in a keyring, a cache can be encoded.
    return first != UInt8(ascii: "{") || (try? UnifiedCache(Secret(Data(bytes)))) == nil
  }
}
