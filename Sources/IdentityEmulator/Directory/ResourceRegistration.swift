/// An API that access tokens can be for, other than Microsoft Graph.
public struct ResourceRegistration: Sendable, Hashable {
  /// The identifier in front of its scopes: `https://management.azure.com`, `api://GUID`.
  public var identifier: String
  /// Other identifiers of the same API, such as its application ID.
  public var aliases: [String]
  /// The names of its scopes, such as `user_impersonation`.
  public var scopes: [String]

  /// Creates a registration.
  public init(identifier: String, aliases: [String] = [], scopes: [String]) {
    self.identifier = identifier
    self.aliases = aliases
    self.scopes = scopes
  }

  /// APIs of Microsoft that programs often get tokens for.
  public static let microsoft = [
    ResourceRegistration(
      identifier: "https://management.azure.com",
      aliases: [
        "https://management.core.windows.net", "797f4846-ba00-4fd7-ba43-dac1f8f63013",
      ], scopes: ["user_impersonation"]),
    ResourceRegistration(
      identifier: "https://vault.azure.net", aliases: ["cfa8b339-82a2-471a-a3c9-0fc0be7a4093"],
      scopes: ["user_impersonation"]),
    ResourceRegistration(
      identifier: "https://storage.azure.com", aliases: ["e406a681-f3d4-42a8-90b6-c2b029497af1"],
      scopes: ["user_impersonation"]),
    ResourceRegistration(
      identifier: "https://database.windows.net",
      aliases: ["022907d3-0f1b-48f7-badc-1ba6abab6d66"], scopes: ["user_impersonation"]),
    ResourceRegistration(
      identifier: "https://ossrdbms-aad.database.windows.net",
      aliases: ["123cd850-d9df-40bd-94d5-c9f07b7fa203"], scopes: ["user_impersonation"]),
    ResourceRegistration(
      identifier: "https://app.vssps.visualstudio.com",
      aliases: ["499b84ac-1321-427f-aa17-267ca6975798"],
      scopes: ["user_impersonation", "vso.code", "vso.code_write", "vso.packaging", "vso.work"]),
    ResourceRegistration(
      identifier: "6dae42f8-4368-4678-94ff-3960e28e3630", scopes: ["user.read"]),
    ResourceRegistration(
      identifier: "https://outlook.office.com",
      aliases: ["https://outlook.office365.com", "00000002-0000-0ff1-ce00-000000000000"],
      scopes: [
        "EWS.AccessAsUser.All", "IMAP.AccessAsUser.All", "POP.AccessAsUser.All", "SMTP.Send",
      ]),
  ]

  /// Whether `name` is one of its identifiers; case and a slash at the end do not matter.
  func isNamed(_ name: some StringProtocol) -> Bool {
    let name = Self.normalized(name)
    return ([identifier] + aliases).contains { Self.normalized($0) == name }
  }

  private static func normalized(_ name: some StringProtocol) -> String {
    var name = name.lowercased()
    while name.hasSuffix("/") { name.removeLast() }
    return name
  }
}
