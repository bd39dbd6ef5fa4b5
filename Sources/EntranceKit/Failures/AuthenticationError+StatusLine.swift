import AuthCore
import Localization

extension AuthenticationError {
  /// What the user can do next, for the log and the status line; nil when the message already says
  /// it, or nothing has to be done.
  ///
  /// - Parameter signIn: how to sign in again; nil when that would not help, or the pages open
  ///   automatically.
  func advice(signIn: String? = nil) -> String? {
    guard guidance == nil else { return nil }
    return switch failureKind {
    case .signIn, .refused, .broker: signIn
    case .openSignIn: tr("Finish or cancel the other sign-in first.")
    case .noConnection: tr("Check your connection, then try again.")
    case .notSecure:
      tr("Check the network and the date and time of this computer, then try again.")
    case .storage: tr("Unlock the keyring or the encrypted files, then try again.")
    case .connection, .authority, .scope, .redirectURI, .registration, .developers:
      tr("Edit the app, then try again.")
    // There is nothing to do, the message says it, or a notice has the buttons.
    case .settled, .consent, .otherAccount, .later, .noPages, .noDeviceCode, .approval, .device,
      .administrator:
      nil
    }
  }
}
