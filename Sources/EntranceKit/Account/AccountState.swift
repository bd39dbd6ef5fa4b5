/// All that the account page shows, but for the log.
///
/// A plain value: ``AccountModel`` makes a new one whenever something changes, and the page draws it.
public struct AccountState: Sendable, Equatable {
  /// What the app is busy with.
  ///
  /// One thing at a time.
  public enum Activity: Sendable, Equatable {
    /// *Call Microsoft Graph API*: token and request.
    case callingGraph
    /// *Sign Out*.
    case signingOut
    /// *Get device info*.
    case gettingDeviceInformation
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

    /// What the notice is about; there is at most one of each.
    public var id: String
    /// How it is drawn.
    public var style: Style
    /// One or two sentences.
    public var text: String
    /// The label of the button that leads to the passphrase; nil when there is no button.
    public var passphraseButton: String?

    /// Creates a notice.
    public init(id: String, style: Style, text: String, passphraseButton: String? = nil) {
      self.id = id
      self.style = style
      self.text = text
      self.passphraseButton = passphraseButton
    }
  }

  /// The user name of the current account; nil when signed out.
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

  /// Creates a state: signed out and idle unless told otherwise.
  public init(
    username: String? = nil, displayName: String? = nil, subtitle: String = "",
    activity: Activity? = nil, notices: [Notice] = [], showsFullTokens: Bool = false
  ) {
    self.username = username
    self.displayName = displayName
    self.subtitle = subtitle
    self.activity = activity
    self.notices = notices
    self.showsFullTokens = showsFullTokens
  }
}
