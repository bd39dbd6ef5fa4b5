import AuthCore
import Connections
import Localization

extension AuthenticationError {
  /// What the user can do next, for the log and the status line; nil when the message already says
  /// it, or nothing has to be done.
  ///
  /// - Parameters:
  ///   - connection: the app registration in use.
  ///   - signIn: how to sign in again; nil when that would not help, or the pages open automatically.
  func advice(at connection: Connection, signIn: String? = nil) -> String? {
    guard guidance == nil else { return nil }
    return switch failureKind {
    case .signIn, .refused, .broker: signIn
    case .openSignIn: tr("Finish or cancel the other sign-in first.")
    // The words of the notice.
    case .noConnection, .notReachable, .noResponse, .notSecure, .response, .scope, .redirectURI:
      Notice.advice(for: failureKind, at: connection)
    case .storage: tr("Unlock the keyring or the encrypted files, then try again.")
    case .connection, .authority, .registration, .developers:
      tr("Edit the app, then try again.")
    // There is nothing to do, the message says it, or a notice has the buttons.
    case .settled, .consent, .otherAccount, .later, .tooManyRequests, .noPages, .noDeviceCode,
      .approval, .device, .administrator:
      nil
    }
  }
}
