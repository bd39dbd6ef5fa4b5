import AuthCore
import Localization

/// The state of the account page, except for the log.
///
/// A value type: ``AccountModel`` creates a new one for each change, and the page shows it.
public struct AccountState: Sendable, Equatable {
  /// The work in progress.
  ///
  /// Only one at a time.
  public enum Activity: Sendable, Equatable {
    /// *Call Microsoft Graph API*, while the sign-in pages are open.
    case signingIn
    /// *Call Microsoft Graph API*: token and request.
    case callingGraph
    /// *Sign Out*.
    case signingOut
    /// *Get device info*.
    case gettingDeviceInformation
  }

  /// Whether the current account is known.
  public enum Standing: Sendable, Equatable {
    /// Accounts are being read for the first time.
    case loading
    /// It is known; without ``AccountState/username``, nobody is signed in.
    case known
    /// Accounts could not be read.
    case unavailable
  }

  /// A notice above the page, shown until its cause is removed.
  public struct Notice: Sendable, Equatable, Identifiable {
    /// The notice's style.
    public enum Style: Sendable, Equatable {
      /// Information.
      case information
      /// A problem.
      case warning
    }

    /// A button that removes the cause.
    public struct Button: Sendable, Equatable {
      /// A button's action.
      public enum Action: Sendable, Equatable {
        /// Asks for the passphrase of the encrypted files.
        case enterPassphrase
        /// Reads the accounts again; may ask the user to unlock them.
        case readAgain
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
    /// The button; nil for a notice without one.
    public var button: Button?

    /// Creates a notice; its text is converted to one visible line.
    public init(id: String, style: Style, text: String, button: Button? = nil) {
      self.id = id
      self.style = style
      self.text = text.plain
      self.button = button
    }
  }

  /// Whether the current account is known.
  public var standing: Standing
  /// The user name of the current account; nil when there is none, or it is unknown.
  public var username: String?
  /// The account's display name, for the avatar's initials.
  public var displayName: String?
  /// The line under the user name: the organization or kind of account, or a hint.
  public var subtitle: String
  /// The work in progress; nil when idle.
  public var activity: Activity?
  /// The notices above the page.
  public var notices: [Notice]
  /// Whether the log shows tokens in full.
  public var showsFullTokens: Bool

  /// Whether *Sign Out* can be clicked.
  public var canSignOut: Bool { username != nil && activity == nil }
  /// Whether *Call Microsoft Graph API* and *Get device info* can be clicked.
  public var canStart: Bool { activity == nil }

  /// The text of the account label.
  public var accountText: String {
    if let username { return username }
    return switch standing {
    case .loading: tr("Loading accounts…")
    case .known: tr("Signed out")
    case .unavailable: tr("Account not available")
    }
  }

  /// Creates a state; by default, idle with an unknown account.
  public init(
    standing: Standing = .loading, username: String? = nil, displayName: String? = nil,
    subtitle: String = "", activity: Activity? = nil, notices: [Notice] = [],
    showsFullTokens: Bool = false
  ) {
    self.standing = standing
    self.username = username
    self.displayName = displayName
    self.subtitle = subtitle
    self.activity = activity
    self.notices = notices
    self.showsFullTokens = showsFullTokens
  }
}
