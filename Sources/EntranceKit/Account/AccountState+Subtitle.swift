import AuthCore
import Connections
import Localization

extension AccountState {
  /// The line under the user name.
  ///
  /// - Parameters:
  ///   - account: who is signed in; nil for nobody.
  ///   - profile: what they are in the tenant that their tokens come from.
  static func subtitle(
    of account: Account?, _ profile: TenantProfile?, at connection: Connection
  ) -> String {
    let authority = connection.application.authority
    guard let account else {
      return authority.kind.isMicrosofts && authority.kind != .b2c
        ? tr("Sign in to see your account and call Microsoft Graph")
        : tr("Sign in to see your account")
    }
    // Only Entra ID has accounts of several kinds, and of other organizations.
    guard authority.kind == .entra else { return authority.environment }
    if let profile, !profile.isHomeTenantProfile {
      // A tenant that is given by its ID has no name that is known here.
      return joined(authority.tenant.contains(".") ? authority.tenant : nil, tr("Guest account"))
    }
    guard !account.isPersonal else { return tr("Personal account") }
    let domain = account.username.split(separator: "@").dropFirst().last.map(String.init)
    return joined(domain, tr("Work or school account"))
  }

  private static func joined(_ organization: String?, _ kind: String) -> String {
    [organization, kind].compactMap(\.self).joined(separator: " · ")
  }
}
