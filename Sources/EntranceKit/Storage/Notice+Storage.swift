import AuthCore
import Localization

// Where accounts are kept, and why they cannot be read.
extension Notice {
  static let storageID = "storage"
  static let clearingID = "clearing"

  /// The keyring may be waiting for the user.
  static var waiting: Self {
    Self(
      id: storageID, style: .information,
      text: tr("Waiting for your accounts. The keyring may be asking for its password."))
  }

  /// Accounts cannot be read or stored.
  ///
  /// - Parameter isLocked: whether the user can unlock the keyring.
  static func storage(_ error: AuthenticationError, isLocked: Bool) -> Self {
    // An incomplete store was read, and reading it again changes nothing.
    let label = isLocked ? tr("_Unlock") : tr("Try _Again")
    return Self(
      id: storageID, style: .warning, text: tr(error.sentence),
      buttons: error.code == .storageIncomplete
        ? [] : [Button(label: label, action: .readAgain)])
  }

  /// Accounts can be stored with a new passphrase.
  ///
  /// - Parameter isChosen: whether the user's setting asks for encrypted files.
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
      buttons: [Button(label: tr("_Set Passphrase…"), action: .enterPassphrase)])
  }

  /// Accounts are stored with a passphrase that has not been entered yet.
  static var passphrase: Self {
    Self(
      id: storageID, style: .information,
      text: tr("Accounts are kept in encrypted files. Enter the passphrase to use them."),
      buttons: [Button(label: tr("_Enter Passphrase…"), action: .enterPassphrase)])
  }

  /// *Clear All Data* left something.
  static func remainingData(_ failures: [AuthenticationError]) -> Self {
    Self(
      id: clearingID, style: .warning, text: tr("Some data could not be cleared."),
      details: reasons(failures), canBeDismissed: true)
  }
}
