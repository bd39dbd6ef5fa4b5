import AuthCore
import Localization

extension AccountState {
  /// A notice above the page, shown until its cause is removed.
  public struct Notice: Sendable, Equatable, Identifiable {
    /// The notice's style.
    public enum Style: Sendable, Equatable {
      /// Information.
      case information
      /// A problem.
      case warning
    }

    /// A button that removes the cause, or is a way on.
    public struct Button: Sendable, Equatable {
      /// A button's action.
      public enum Action: Sendable, Equatable {
        /// Asks for the passphrase of the encrypted files.
        case enterPassphrase
        /// Reads the accounts again; may ask the user to unlock them.
        case readAgain
        /// Repeats the parts of a sign-out that failed.
        case signOutAgain
        /// Removes the notice about a sign-out.
        case dismissSignOut
      }

      /// The label, with a mnemonic.
      public var label: String
      /// The action.
      public var action: Action

      /// Creates a button.
      public init(label: String, action: Action) {
        self.label = label
        self.action = action
      }
    }

    /// Identifies the notice's subject; there is at most one for each.
    public var id: String
    /// The style.
    public var style: Style
    /// One or two sentences.
    public var text: String
    /// The buttons, the most useful first.
    public var buttons: [Button]

    /// Creates a notice; its text is converted to one visible line.
    public init(id: String, style: Style, text: String, buttons: [Button] = []) {
      self.id = id
      self.style = style
      self.text = text.plain
      self.buttons = buttons
    }
  }
}

extension AccountState.Notice {
  static let storageID = "storage"

  /// This is a demo.
  static var demo: Self {
    Self(
      id: "demo", style: .information,
      text: tr(
        "This is a demo. The accounts are made up, and no data leaves this computer."))
  }

  /// This is a shared device.
  static var sharedDevice: Self {
    Self(
      id: "shared-device", style: .information,
      text: tr("This device is shared. Sign Out removes all accounts."))
  }

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
}
