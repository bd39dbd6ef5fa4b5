public import AuthCore
import Connections
import Localization
public import MicrosoftGraph

/// An account in the list of accounts, or another tenant of the account above it.
public struct AccountRow: Sendable, Equatable, Identifiable {
  /// An account, in one of its tenants.
  public struct ID: Sendable, Hashable {
    /// The account.
    public var account: AccountKey
    /// The tenant in which it is a guest; nil for its home tenant, or the only one.
    public var tenantID: String?
  }

  /// The kinds of accounts that people tell apart.
  public enum Kind: Sendable, Equatable {
    /// A member of an organization.
    case work
    /// A personal Microsoft account.
    case personal
    /// A customer in an external tenant.
    case externalID
    /// A guest in an organization.
    case guest
    /// An account of another sign-in service.
    case other
  }

  /// Identifies the row.
  public var id: ID
  /// The user name.
  public var username: String
  /// The person's own name, as the sign-in service says it; nil when it does not.
  public var displayName: String?
  /// The name that the user gave the account; nil for none.
  public var ownName: String?
  /// When it was last used, in words; nil when that is unknown.
  public var lastUse: String?
  /// The organization in words, or the host of a service without organizations; nil when unknown.
  public var organization: String?
  /// The kind of account.
  public var kind: Kind
  /// Whether the account cannot be used before it signs in again.
  public var needsSignIn: Bool
  /// Whether it is used for what the buttons do.
  public var isSelected: Bool
  /// The profile photo.
  public var picture: ProfilePhoto?
  /// The page where the user manages the account; nil when it is unknown.
  public var accountPage: String?
  /// The page that lists the apps of the user's organization; nil when it is unknown.
  public var appsPage: String?

  /// Whether this is another tenant of the account above it.
  public var isTenant: Bool { id.tenantID != nil }

  /// The name that the user gave the account, or else the user name, which tells accounts apart.
  public var name: String { ownName ?? username }

  /// What the account is called without a name that the user gave it: the person's own name, or
  /// else the user name.
  public var defaultHeading: String { displayName ?? username }

  /// What the account is called where its user name is beside it.
  public var heading: String { ownName ?? defaultHeading }

  /// The name, with the user name where that is another one.
  public var nameAndUsername: String { Self.text(ofName: name, username: username) }

  /// A name, with the user name of its account where that is another one.
  static func text(ofName name: String, username: String) -> String {
    name == username ? name : "\(name) (\(username))"
  }

  /// The first line: what the account is called, or the organization that it is a guest in.
  public var title: String { isTenant ? organization ?? id.tenantID ?? username : heading }

  /// The account in one line: its name, and the organization that it is a guest in.
  public var wholeTitle: String { isTenant ? "\(name) · \(title)" : name }

  /// The second line: whether it needs a sign-in, the user name if it is not the title, organization
  /// and kind of account.
  public var details: String {
    isTenant ? joined([needText, kindText]) : subtitle
  }

  /// The line under the heading of the selected account.
  ///
  /// Its end may not fit, so the need comes first. A domain that ends the user name is said once.
  var subtitle: String {
    if heading == username { return joined([needText, membership]) }
    let isInUsername = organization.map { username.hasSuffix("@\($0)") } ?? false
    return joined([needText, username, isInUsername ? kindText : membership])
  }

  /// The organization and the kind of account; nil when neither is known.
  var membership: String? {
    let text = joined([organization, kindText])
    return text.isEmpty ? nil : text
  }

  private var needText: String? { needsSignIn ? tr("Sign-in required") : nil }

  private func joined(_ parts: [String?]) -> String {
    parts.compactMap(\.self).joined(separator: " · ")
  }

  /// What a screen reader reads after the title; the state of the row says whether it is selected.
  public var spokenDetails: String {
    [details, isTenant ? username : nil].compactMap(\.self).joined(separator: ", ")
  }

  /// The account and its organization, for a log line.
  var logText: String { joined([nameAndUsername, organization]) }

  private var kindText: String? {
    switch kind {
    case .work: tr("Work or school account")
    case .personal: tr("Personal account")
    case .externalID: tr("External ID account")
    case .guest: tr("Guest account")
    case .other: nil
    }
  }
}

extension AccountRow {
  /// Describes an account.
  ///
  /// - Parameters:
  ///   - account: the account.
  ///   - profile: its profile in the tenant of the row; nil when there is none yet.
  ///   - tenantID: the tenant of the row, when it is not the account's own.
  ///   - connection: the connection.
  init(
    _ account: Account, _ profile: TenantProfile?, tenantID: String?, at connection: Connection
  ) {
    id = ID(account: AccountKey(account), tenantID: tenantID)
    username = account.username.shownName
    // Some services send an empty one.
    if let name = account.name, !name.allSatisfy(\.isWhitespace) { displayName = name.shownName }
    (kind, organization) = Self.description(of: account, profile, at: connection)
    organization = organization?.shownName
    needsSignIn = false
    isSelected = false
    // Only the worldwide cloud's pages are known.
    guard connection.application.authority.cloud == Authority.common.cloud, tenantID == nil else {
      return
    }
    switch kind {
    case .personal: accountPage = "https://account.microsoft.com"
    case .work:
      (accountPage, appsPage) = (
        "https://myaccount.microsoft.com", "https://myapps.microsoft.com"
      )
    case .externalID, .guest, .other: break
    }
  }

  private static func description(
    of account: Account, _ profile: TenantProfile?, at connection: Connection
  ) -> (Kind, String?) {
    let authority = connection.application.authority
    // Only Entra ID has several kinds of accounts, and guests.
    guard authority.kind == .entra else {
      return (authority.kind == .externalID ? .externalID : .other, authority.environment)
    }
    if let profile, !profile.isHomeTenantProfile {
      // The name of a tenant given by ID is unknown.
      return (.guest, profile.domain ?? (authority.tenant.contains(".") ? authority.tenant : nil))
    }
    if account.isPersonal { return (.personal, nil) }
    return (.work, account.domain)
  }
}

extension Account {
  /// What follows the `@` of the user name: for a work account, a domain of its organization; nil for
  /// nothing.
  var domain: String? { username.split(separator: "@").dropFirst().last.map(String.init) }
}

extension AccountKey {
  init(_ account: Account) {
    self.init(homeAccountID: account.id, environment: account.environment)
  }
}
