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
  /// - Parameters:
  ///   - isLocked: whether the user can unlock the keyring.
  ///   - hasStayedLocked: whether the user wanted to unlock it in vain.
  ///   - isSignedIn: whether an account is in memory.
  static func storage(
    _ error: AuthenticationError, isLocked: Bool, hasStayedLocked: Bool = false,
    isSignedIn: Bool = false
  ) -> Self {
    // An incomplete store was read, and reading it again changes nothing.
    let label = isLocked ? tr("_Unlock") : tr("Try _Again")
    return Self(
      id: storageID, style: .warning,
      text: text(
        error, isLocked: isLocked, hasStayedLocked: hasStayedLocked, isSignedIn: isSignedIn),
      buttons: error.code == .storageIncomplete
        ? [] : [Button(label: label, action: .readAgain)])
  }

  private static func text(
    _ error: AuthenticationError, isLocked: Bool, hasStayedLocked: Bool, isSignedIn: Bool
  ) -> String {
    // The error speaks of "this program".
    guard let reason = error.reasonForMemory else { return tr(error.sentence) }
    if isLocked, hasStayedLocked {
      return tr(
        "The keyring could not be unlocked. Unlock it in the program that manages it, such as"
          + " Passwords and Keys or KeePassXC, then try again.")
    }
    if isLocked, !isSignedIn { return tr("The keyring is locked. Unlock it to see your accounts.") }
    return tr(
      "Accounts are remembered only until Entrance ends, because {reason}.", ["reason": reason])
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
