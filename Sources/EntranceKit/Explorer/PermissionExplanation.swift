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
  /// What the token lacks; empty when it has what is needed.
  public let missing: [String]
  /// What the token has.
  public let granted: [String]
  private let kinds: [GraphPermissions.AccountKind]

  /// Looks a request up, which takes its time at first.
  ///
  /// - Returns: nil when the table does not have the request.
  @concurrent
  static func make(
    _ method: ExplorerRequest.Method, _ url: String, isPersonal: Bool, granted: [String]
  ) async -> PermissionExplanation? {
    let path = GraphPath(url: url)
    let kinds = GraphPermissions.accountKinds(for: method.http, path)
    guard !kinds.isEmpty else { return nil }
    let found = GraphPermissions.least(
      for: method.http, path, account: isPersonal ? .personal : .work)
    return PermissionExplanation(
      least: found?.least.map(\.permission) ?? [], higher: found?.higher.map(\.permission) ?? [],
      missing: found?.missing(from: granted) ?? [], granted: granted, kinds: kinds)
  }

  /// What is missing, in a sentence for a request that is not sent yet; nil when nothing is.
  public var warning: String? {
    if least.isEmpty { return otherAccount }
    guard !missing.isEmpty else { return nil }
    return tr("Not granted yet: {permissions}", ["permissions": missing.joined(separator: ", ")])
  }

  /// Why a request was refused.
  public var text: String {
    if least.isEmpty { return otherAccount }
    var lines = [
      least.count == 1
        ? tr("The request needs the permission {permission}.", ["permission": least[0]])
        : tr(
          "The request needs one of these permissions: {permissions}.",
          ["permissions": least.joined(separator: ", ")])
    ]
    if !higher.isEmpty {
      // All of them would be a list of its own.
      lines.append(
        tr(
          "Any of these also works: {permissions}",
          ["permissions": higher.prefix(4).joined(separator: ", ")]))
    }
    lines.append(
      tr("The token has: {permissions}", ["permissions": granted.joined(separator: ", ")]))
    if missing.isEmpty {
      lines.append(
        tr(
          "The permission is there, so the account itself is not allowed to do this: it may need a"
            + " role or a license, or the item belongs to someone else."))
    }
    return lines.joined(separator: "\n")
  }

  private var otherAccount: String { tr(GraphPermissions.refusal(of: kinds)) }
}
