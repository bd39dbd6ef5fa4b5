import AuthCore
import Localization

extension AuthenticationError {
  /// What the user can do next in the window; nil when the message already says it, or nothing has
  /// to be done.
  ///
  /// - Parameter signIn: how to sign in again; nil when that would not help, or the pages open
  ///   automatically.
  func advice(signIn: String? = nil) -> String? {
    guard guidance == nil else { return nil }
    return switch code.nextStep {
    case .signIn: signIn
    case .finishSignIn: tr("Finish or cancel the other sign-in first.")
    // For an unavailable service, the message says so.
    case .tryAgain:
      code == .networkUnavailable ? tr("Check your connection, then try again.") : nil
    case .checkNetwork:
      tr(
        "Check the network and the clock, then try again. To find the cause, run: entrancectl"
          + " doctor")
    case .unlockStorage: tr("Unlock the keyring or the encrypted files, then try again.")
    case .correctConnection: tr("Correct the connection in connections.json, then start again.")
    // There is nothing to do, the message names the contact, or a notice has the buttons.
    default: nil
    }
  }
}
