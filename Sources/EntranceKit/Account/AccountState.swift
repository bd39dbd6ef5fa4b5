import AuthCore
import Localization
public import MicrosoftGraph

/// The state of the account page, except for the log.
///
/// A value type: ``AccountModel`` creates a new one for each change, and the page shows it.
public struct AccountState: Sendable, Equatable {
  /// Whether the current account is known.
  public var loadState: AccountStorage.LoadState
  /// The user name of the current account; nil when there is none, or it is unknown.
  public var username: String?
  /// The person's own name, for the avatar's initials.
  public var displayName: String?
  /// The line under the account's name: its user name, organization and kind, or a hint.
  public var subtitle: String
  /// The accounts, each followed by the other tenants that it was used in.
  public var rows: [AccountRow] = []
  /// Whether accounts can be added beside the selected one.
  public var canAddAccounts = true
  /// The work or the request in progress; nil when idle.
  public var work: Work?
  /// Whether ``work`` is a request, during which other work can start.
  public var isRequest = false
  /// The outcome of the last work, in a sentence or two; nil at first and while work has none yet.
  ///
  /// Never contains a token.
  public var outcome: String?
  /// What the sign-in in progress waits for; nil without one.
  public var signIn: SignInStep?
  /// The notices above the page.
  public var notices: [Notice]
  /// Whether the log has any lines.
  public var hasLog = false
  /// Whether the log shows tokens in full.
  public var showsFullTokens: Bool
  /// Whether the log may show tokens in full.
  public var canShowFullTokens = true

  /// Whether *Sign Out* can be clicked.
  public var canSignOut: Bool { username != nil && canStartConfirmed }
  /// Whether a sign-out that is confirmed starts: work that only reads does not prevent it.
  public var canStartConfirmed: Bool { canStart || work?.isReading == true }
  /// Whether work can start.
  public var canStart: Bool { work == nil || isRequest }
  /// Whether *Call Microsoft Graph API* and *Get device info* can be clicked: one request goes on at
  /// a time.
  public var canRequest: Bool { work == nil || isRequest && work == .preparingResponse }
  /// Whether the page offers to sign in, also by other ways.
  public var offersWays: Bool { username == nil && loadState != .loading || needsSignIn }
  /// Whether the selected account cannot be used without a sign-in.
  public var needsSignIn: Bool { selectedRow?.needsSignIn == true }

  /// The selected account's profile photo.
  public var picture: ProfilePhoto? { selectedRow?.picture }

  private var selectedRow: AccountRow? { rows.first(where: \.isSelected) }

  /// The text of the account label.
  public var accountText: String {
    if let username { return selectedRow?.heading ?? username }
    return switch loadState {
    case .loading: tr("Loading Accounts…")
    case .known: tr("Signed out")
    case .locked, .unavailable: tr("Account Not Available")
    }
  }

  /// Creates a state; by default, idle with an unknown account.
  public init(
    loadState: AccountStorage.LoadState = .loading, username: String? = nil,
    displayName: String? = nil,
    subtitle: String = "", work: Work? = nil, outcome: String? = nil,
    notices: [Notice] = [], showsFullTokens: Bool = false
  ) {
    self.loadState = loadState
    self.username = username
    self.displayName = displayName
    self.subtitle = subtitle
    self.work = work
    self.outcome = outcome
    self.notices = notices
    self.showsFullTokens = showsFullTokens
  }
}
