import AuthCore
import Localization
import MicrosoftGraph

/// Which permissions a request needs, and which of them the account's token has.
///
/// It is Microsoft's public table: nothing is sent.
public struct PermissionExplanation: Sendable, Equatable {
  /// The least permissions, of which one is enough; empty when this kind of account cannot make the
  /// request.
  public let least: [String]
  /// Permissions that allow more, of which one is enough, too.
  public let higher: [String]
  /// What the token lacks; empty when it has what is needed, and while there is no token.
  public let missing: [String]
  /// What the token has.
  public let granted: [String]
  private let isTokenKnown: Bool
  private let kinds: [GraphPermissions.AccountKind]

  /// Looks a request up, which takes its time at first.
  ///
  /// - Parameter granted: what the token has; nil while none is known.
  /// - Returns: nil when the table does not have the request.
  @concurrent
  static func make(
    _ method: ExplorerRequest.Method, _ url: String, isPersonal: Bool, granted: [String]?
  ) async -> PermissionExplanation? {
    let path = GraphPath(url: url)
    let kinds = GraphPermissions.accountKinds(for: method.http, path)
    guard !kinds.isEmpty else { return nil }
    let found = GraphPermissions.least(
      for: method.http, path, account: isPersonal ? .personal : .work)
    return PermissionExplanation(
      least: found?.least.map(\.permission) ?? [], higher: found?.higher.map(\.permission) ?? [],
      missing: granted.flatMap { found?.missing(from: $0) } ?? [], granted: granted ?? [],
      isTokenKnown: granted != nil, kinds: kinds)
  }

  /// A permission in a list.
  public struct Row: Sendable, Equatable {
    /// Its name.
    public let name: String
    /// What it has to do with the request, and what it allows, as far as that is known.
    public let details: String
  }

  /// What is missing, in a sentence for a request that is not sent yet, or in a line for each of several
  /// permissions; nil when nothing is.
  public var warning: String? {
    if least.isEmpty { return otherAccount }
    guard !missing.isEmpty else { return nil }
    let lines = missing.map { name in
      Self.meaning(of: name).map { tr("{label}: {value}", ["label": name, "value": $0]) } ?? name
    }
    let list = missing.count == 1 ? missing[0] : lines.map { "\n\($0)" }.joined()
    return tr("Not granted yet: {permissions}", ["permissions": list])
  }

  /// What a refusal says, when whether a permission is missing is known.
  static var refusal: String { tr("The account or the app is not allowed to do this (HTTP 403).") }

  /// Why a request was refused, with a line for each sentence.
  public var text: String { sentences.joined(separator: "\n") }

  /// Why a request was refused.
  var sentences: [String] {
    if least.isEmpty { return [otherAccount] }
    let needed =
      least.count == 1
      ? tr("The request needs the permission {permission}.", ["permission": least[0]])
      : tr(
        "The request needs one of these permissions: {permissions}.",
        ["permissions": least.joined(separator: ", ")])
    guard missing.isEmpty, isTokenKnown else { return [needed] }
    return [
      needed,
      tr(
        "The permission is granted, but the account is not allowed to do this. It may need a role or"
          + " a license, or the item belongs to someone else."),
    ]
  }

  /// The permissions for a refused request: those that are enough, and what the token has.
  public var rows: [Row] {
    if least.isEmpty { return [] }
    // None of several is needed by itself.
    let use = least.count == 1 ? tr("Required") : tr("Sufficient")
    // There can be very many that also work.
    let all: [(String, String)] =
      least.map { ($0, use) } + higher.prefix(4).map { ($0, tr("Also sufficient")) }
      + granted.map { ($0, tr("In the token")) }
    return all.map { name, use in
      Row(
        name: name,
        details: [use, Self.meaning(of: name)].compactMap(\.self).joined(separator: " · "))
    }
  }

  private static func meaning(of name: String) -> String? {
    PermissionMeaning.sentence(name).map { tr($0) }
  }

  private var otherAccount: String { tr(GraphPermissions.refusal(of: kinds)) }
}

extension WindowModel {
  /// Which permissions a request for an account needs; nil when that is not known.
  ///
  /// What was granted is known of the account's tokens alone: what the app asks for may be less.
  func explanation(
    of method: ExplorerRequest.Method, at url: String, for sender: AccountRow.ID?
  ) async -> PermissionExplanation? {
    let accounts = status.accounts
    guard workspace.graph.version != nil, let sender,
      // One that is not stored is the selected one.
      let account = accounts.account(sender.account)
        ?? (sender == accounts.selectedID ? accounts.selected : nil)
    else { return nil }
    return await PermissionExplanation.make(
      method, url, isPersonal: account.isPersonal, granted: tokens.grantedScopes(of: sender))
  }
}
