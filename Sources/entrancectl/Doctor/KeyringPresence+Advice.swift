import AuthCore
import SecretStore

extension KeyringPresence {
  /// What to do about a keyring that cannot be used, by what provides it; nil when nothing is to be done.
  func advice(_ provider: KeyringProvider?) -> String? {
    switch (known, provider) {
    case (.unlocked, _), (.needsConsent, _): nil
    case (.locked, .keePassXC): "Unlock it: open the database in KeePassXC."
    case (.locked, .kwallet): "Unlock it: open the wallet in KWalletManager."
    case (.locked, _):
      "Unlock it: sign in to the desktop with its password, or use the keyring's own program, such as"
        + " Passwords and Keys."
    case (.noBus, _), (.noService, _):
      "Install and start one, such as gnome-keyring, KWallet or KeePassXC."
    case (.noDefaultCollection, .keePassXC):
      "Open a database in KeePassXC, and choose in Database Settings, Secret Service Integration,"
        + " which group to expose."
    case (.noDefaultCollection, _):
      "Have one made: 'entrancectl sign-in' offers that at a terminal of the desktop."
    case (.noAnswer, _), (.failed, _): "Restart the keyring's service."
    }
  }
}
