import AuthCore
import Localization

/// All that the account page shows, but for the log.
///
/// A plain value: ``AccountModel`` makes a new one whenever something changes, and the page draws it.
public struct AccountState: Sendable, Equatable {
  /// What the app is busy with.
  ///
  /// One thing at a time.
  public enum Activity: Sendable, Equatable {
    /// *Call Microsoft Graph API*, while the sign-in pages wait for the person.
    case signingIn
    /// *Call Microsoft Graph API*: token and request.
    case callingGraph
    /// *Sign Out*.
    case signingOut
    /// *Get device info*.
    case gettingDeviceInformation
  }

  /// What is known of who is signed in.
  public enum Standing: Sendable, Equatable {
    /// Accounts are being read for the first time.
    case loading
    /// It is known: nobody is when there is no ``AccountState/username``.
    case known
    /// Accounts could not be read.
    case unavailable
  }

  /// A line above the page that stays until its cause is gone.
  public struct Notice: Sendable, Equatable, Identifiable {
    /// How it is drawn.
    public enum Style: Sendable, Equatable {
      /// Good to know.
      case information
      /// Something does not work as it should.
      case warning
    }

    /// A way to remove the cause.
    public struct Button: Sendable, Equatable {
      /// What a button does.
      public enum Action: Sendable, Equatable {
        /// Asks for the passphrase of the encrypted files.
        case enterPassphrase
        /// Reads the accounts again, and may ask the person to unlock them.
        case readAgain
      }

      /// The label, with a mnemonic.
      public var label: String
      /// What it does.
      public var action: Action

      /// Creates a button.
      public init(label: String, action: Action) {
        self.label = label
        self.action = action
      }
    }

    /// What the notice is about; there is at most one of each.
    public var id: String
    /// How it is drawn.
    public var style: Style
    /// One or two sentences.
    public var text: String
    /// The way on; nil when the notice only tells something.
    public var button: Button?

    /// Creates a notice; its text is shown on one line that shows all that is in it.
    public init(id: String, style: Style, text: String, button: Button? = nil) {
      self.id = id
      self.style = style
      self.text = text.plain
      self.button = button
    }
  }

  /// What is known of who is signed in.
  public var standing: Standing
  /// The user name of the current account; nil when there is none, or none is known.
  public var username: String?
  /// The account's display name, for the avatar's initials.
  public var displayName: String?
  /// The line under the user name: the organization or kind of account, or what can be done here.
  public var subtitle: String
  /// What is under way; nil when idle.
  public var activity: Activity?
  /// What is to be said above the page.
  public var notices: [Notice]
  /// Whether the log shows tokens in full.
  public var showsFullTokens: Bool

  /// Whether *Sign Out* can be clicked.
  public var canSignOut: Bool { username != nil && activity == nil }
  /// Whether *Call Microsoft Graph API* and *Get device info* can be clicked.
  public var canStart: Bool { activity == nil }

  /// Who is signed in, in words.
  public var accountText: String {
    if let username { return username }
    return switch standing {
    case .loading: tr("Loading accounts…")
    case .known: tr("Signed out")
    case .unavailable: tr("Account not available")
    }
  }

  /// Creates a state: idle, and nothing known, unless told otherwise.
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
