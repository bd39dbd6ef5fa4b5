import AuthCore
import Localization

extension AccountState.Notice {
  static let storageID = "storage"

  /// Says that nothing here is real.
  static var demo: Self {
    Self(
      id: "demo", style: .information,
      text: tr(
        "This is a demo. The accounts are made up, and no data leaves this computer."))
  }

  /// Says whose device this is.
  static var sharedDevice: Self {
    Self(
      id: "shared-device", style: .information,
      text: tr("This device is shared. Sign Out removes all accounts."))
  }

  /// Says what is waited for.
  static var waiting: Self {
    Self(
      id: storageID, style: .information,
      text: tr("Waiting for your accounts. The keyring may be asking for its password."))
  }

  /// Says that accounts cannot be read or kept.
  ///
  /// - Parameter isLocked: whether the person can help by unlocking the keyring.
  static func storage(_ error: AuthenticationError, isLocked: Bool) -> Self {
    // What is merely incomplete was read, and reading it again changes nothing.
    let label = isLocked ? tr("_Unlock") : tr("Try _Again")
    return Self(
      id: storageID, style: .warning, text: tr(error.sentence),
      button: error.code == .storageIncomplete
        ? nil : Button(label: label, action: .readAgain))
  }

  /// Says that accounts could be kept, with a new passphrase.
  ///
  /// - Parameter isChosen: whether the person wants encrypted files, keyring or not.
  static func newPassphrase(isChosen: Bool) -> Self {
    Self(
      id: storageID, style: .warning,
      text: isChosen
        ? tr(
          "Accounts are remembered until this window is closed. With a passphrase, they are kept in encrypted files."
        )
        : tr(
          "There is no keyring: accounts are remembered until this window is closed. With a passphrase, they are kept in encrypted files."
        ),
      button: Button(label: tr("_Set Passphrase…"), action: .enterPassphrase))
  }

  /// Says that accounts are kept with a passphrase, which has not been entered.
  static var passphrase: Self {
    Self(
      id: storageID, style: .information,
      text: tr("Accounts are kept in encrypted files. Enter the passphrase to use them."),
      button: Button(label: tr("_Enter Passphrase…"), action: .enterPassphrase))
  }
}
