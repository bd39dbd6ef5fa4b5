import AuthCore
import SecretStore
import Sentences

extension KeyringPresence {
  /// What to do about a keyring that cannot be used, by what provides it; nil when nothing is to be done.
  func advice(_ provider: KeyringProvider?) -> Sentence? {
    switch (known, provider) {
    case (.unlocked, _), (.needsConsent, _): nil
    case (.locked, .keePassXC):
      Sentence("Unlock it: open the database in KeePassXC.")
    case (.locked, .kwallet):
      Sentence("Unlock it: open the wallet in KWalletManager.")
    case (.locked, _):
      Sentence(
        "Log in to the desktop with your password, or unlock the keyring in Passwords and Keys.")
    case (.noBus, _), (.noService, _):
      Sentence("Install and start one, such as gnome-keyring, KWallet, or KeePassXC.")
    case (.noDefaultCollection, .keePassXC):
      Sentence(
        "Open a database in KeePassXC, and choose in Database Settings, Secret Service Integration,"
          + " which group to expose.")
    case (.noDefaultCollection, _):
      Sentence("Create one: 'entrancectl sign-in' offers that in a terminal of the desktop.")
    case (.noAnswer, _), (.failed, _): Sentence("Restart the keyring’s service.")
    }
  }
}
