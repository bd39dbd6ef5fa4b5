import AuthCore
public import Connections
import Localization

extension Preferences {
  /// What people are told above the sign-in pages of `connection`, in a window of this program; nil
  /// for nothing.
  public func remark(abovePagesOf connection: Connection) -> String? {
    var texts: [String] = []
    if hidesPersonalDetails {
      texts.append(tr("Personal details are hidden in Entrance, but not on sign-in pages."))
    }
    // Microsoft's pages offer it at the end of a sign-in.
    if !keepsWebSession, SignInSite.isMicrosofts(connection.application.authority.environment) {
      texts.append(
        tr(
          "“Stay signed in” has no effect here while “Stay Signed In on Sign-In Pages” is off in"
            + " the preferences."))
    }
    return texts.isEmpty ? nil : join(texts)
  }
}
