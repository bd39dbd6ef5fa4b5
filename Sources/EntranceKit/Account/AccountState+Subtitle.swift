import AuthCore
import Connections
import Localization

extension AccountState {
  /// The line under the user name.
  ///
  /// - Parameters:
  ///   - account: the current account; nil when nobody is signed in.
  ///   - profile: the account's profile in the tenant of its tokens.
  static func subtitle(
    of account: Account?, _ profile: TenantProfile?, at connection: Connection
  ) -> String {
    let authority = connection.application.authority
    guard let account else {
      return authority.kind.isMicrosofts && authority.kind != .b2c
        ? tr("Sign in to see your account and call Microsoft Graph")
        : tr("Sign in to see your account")
    }
    // Only Entra ID has several kinds of accounts, and guests.
    guard authority.kind == .entra else { return authority.environment }
    if let profile, !profile.isHomeTenantProfile {
      // The name of a tenant given by ID is unknown.
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
