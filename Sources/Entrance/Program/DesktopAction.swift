import Localization

/// What the desktop's menu of the program offers, also while it is not running: an action of the
/// application, and an option on the command line.
enum DesktopAction: String, CaseIterable {
  /// Opens another window.
  case newWindow = "new-window"
  /// Opens the window, and adds an account.
  case addAccount = "add-account"
  /// Opens the window, and asks whether to sign all accounts out.
  case signOutAll = "sign-out-all"

  /// What it does, for `--help`.
  var summary: String {
    switch self {
    case .newWindow: tr("Open another window")
    case .addAccount: tr("Add an account")
    case .signOutAll: tr("Ask whether to sign out all accounts")
    }
  }
}
