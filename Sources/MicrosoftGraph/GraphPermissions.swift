public import HTTPTypes
package import Sentences

/// The permissions for a request to Microsoft Graph, by Microsoft's public table.
///
/// The table is part of the library: nothing is sent.
///
/// ```swift
/// let permissions = GraphPermissions.least(for: .get, "/me/messages")
/// let missing = permissions?.missing(from: ["User.Read", "Mail.Send"])  // ["Mail.ReadBasic"]
/// ```
public struct GraphPermissions: Sendable, Hashable {
  /// Who calls.
  public enum AccountKind: String, Sendable, Hashable, CaseIterable {
    /// A user with a work or school account, for whom an app calls.
    case work
    /// A user with a personal account, for whom an app calls.
    case personal
    /// An app on its own behalf.
    case application

    /// The initial in the table.
    fileprivate var letter: Character {
      switch self {
      case .work: "W"
      case .personal: "P"
      case .application: "A"
      }
    }
  }

  /// A permission with which the request is allowed.
  public struct Grant: Sendable, Hashable {
    /// The permission, such as `Mail.Read`.
    public let permission: String
    /// Other permissions, of which one is required, too; often empty.
    public let alsoRequires: [String]
  }

  /// The least privileged permissions, of which one is enough; the least of them first.
  public let least: [Grant]
  /// Permissions that allow more, of which one is enough, too.
  public let higher: [Grant]

  /// When Microsoft changed the table, as `yyyy-mm-dd`.
  public static var date: String { PermissionTable.shared.date }
  /// The commit of the table in the repository `microsoftgraph/microsoft-graph-devx-content`.
  public static var commit: String { PermissionTable.shared.commit }

  /// The permissions for a request.
  ///
  /// Whether a request to `v1.0` or `beta` is meant makes no difference: the table is for both.
  ///
  /// - Parameters:
  ///   - method: the method.
  ///   - path: the path, such as `/users/{id}/messages`, with or without values for what is between
  ///     braces; or a whole URL. Query options are ignored.
  ///   - account: who calls.
  /// - Returns: nil when the table has no such request for this kind of account; see
  ///   ``accountKinds(for:_:)``.
  public static func least(
    for method: HTTPRequest.Method, _ path: GraphPath, account: AccountKind = .work
  ) -> GraphPermissions? {
    rules(for: method, path).first { $0.kinds.contains(account.letter) }
      .map { GraphPermissions(least: $0.least, higher: $0.higher) }
  }

  /// Who can make a request; empty when the table does not have it.
  public static func accountKinds(
    for method: HTTPRequest.Method, _ path: GraphPath
  ) -> [AccountKind] {
    let letters = rules(for: method, path).map(\.kinds).joined()
    return AccountKind.allCases.filter { letters.contains($0.letter) }
  }

  private static func rules(
    for method: HTTPRequest.Method, _ path: GraphPath
  ) -> [PermissionTable.Rule] {
    let initials: [String: Character] = [
      "GET": "G", "HEAD": "G", "POST": "P", "PATCH": "Y", "PUT": "U", "DELETE": "D",
    ]
    guard let initial = initials[method.rawValue], let path = PermissionPath(path.description)
    else { return [] }
    return PermissionTable.shared.rules(for: initial, path)
  }

  /// What a token lacks for the request; empty when it has a permission that is enough.
  ///
  /// - Parameter granted: the scopes of the token, by their names or as `https://HOST/NAME`, where
  ///   the host is one of Microsoft Graph.
  /// - Returns: the least permission and what that requires; or only what a permission of the token
  ///   requires.
  public func missing(from granted: some Sequence<String>) -> [String] {
    let granted = Set(granted.map(Self.name))
    let lacks = (least + higher).map { grant in
      let others = grant.alsoRequires
      let permission = granted.contains(Self.name(grant.permission)) ? [] : [grant.permission]
      let hasOther = others.isEmpty || others.contains { granted.contains(Self.name($0)) }
      return (permission: permission, also: hasOther ? [] : Array(others.prefix(1)))
    }
    if lacks.contains(where: { $0.permission.isEmpty && $0.also.isEmpty }) { return [] }
    let nearest = lacks.first { $0.permission.isEmpty } ?? lacks.first
    return (nearest?.permission ?? []) + (nearest?.also ?? [])
  }

  /// The least permissions with which all of several requests are allowed: none of them can be left
  /// out.
  ///
  /// - Parameter granted: the scopes that there are already, which are left out.
  package static func together(
    _ all: [GraphPermissions], beyond granted: [String] = []
  ) -> [String] {
    var chosen: [String] = []
    // Those without a choice first: one of them may be enough for the others.
    for permissions in all.filter({ $0.least.count == 1 }) + all {
      chosen += permissions.missing(from: granted + chosen)
    }
    for permission in chosen {
      let rest = chosen.filter { $0 != permission }
      if all.allSatisfy({ $0.missing(from: granted + rest).isEmpty }) { chosen = rest }
    }
    return chosen
  }

  /// The name by which a scope is compared.
  private static func name(_ scope: String) -> String {
    let scope = scope.lowercased()
    let resources =
      GraphCloud.all.map { "https://\($0.host)/" } + ["00000003-0000-0000-c000-000000000000/"]
    let resource = resources.first(where: scope.hasPrefix)
    return resource.map { String(scope.dropFirst($0.count)) } ?? scope
  }
}

extension GraphPermissions {
  /// Why a request cannot be made with the account that is signed in.
  ///
  /// - Parameter kinds: who can make it, of which the account is none.
  package static func refusal(of kinds: [AccountKind]) -> Sentence {
    if kinds == [.application] {
      return Sentence(
        "This request needs an application permission; no signed-in user can make it.")
    }
    return kinds.contains(.work)
      ? Sentence("Personal accounts cannot make this request.")
      : Sentence("Work and school accounts cannot make this request.")
  }
}
