import AuthCore
import Connections
import Localization

extension AccountState {
  /// The line under *Signed out*.
  static func hint(at connection: Connection) -> String {
    let kind = connection.application.authority.kind
    return kind.isMicrosofts && kind != .b2c
      ? tr("Sign in to see your account and call Microsoft Graph")
      : tr("Sign in to see your account")
  }
}
