public import AuthCore
import CurlHTTP

/// The token cache of a connection, as a form shows it.
public struct CacheForm: Sendable, Equatable {
  /// Whose cache it is.
  public enum Kind: String, Sendable, CaseIterable {
    /// Entrance's own.
    case own
    /// That of the Azure CLI.
    case az
    /// That of the Azure CLI when it encrypts its cache.
    case azEncrypted = "az-encrypted"
    /// That of the Azure SDK for Python.
    case azureIdentity = "azure-identity"
    /// That of the Azure SDK for Python, for apps that handle claims challenges.
    case azureIdentityCAE = "azure-identity-cae"
    /// That of Git Credential Manager.
    case gitCredentialManager = "git-credential-manager"
    /// That of a program with MSAL Extensions, by ``CacheForm/path``.
    case msalExtensions = "msal-extensions"
    /// That of a program with MSAL for Go, by ``CacheForm/schema`` and ``CacheForm/path``.
    case msalGo = "msal-go"
    /// That of Microsoft's `azureauth`, by ``CacheForm/tenant``.
    case azureauth
    /// A file, by ``CacheForm/path``.
    case file
    /// A keyring item, by ``CacheForm/schema``, ``CacheForm/encoding`` and ``CacheForm/path``.
    case keyringItem = "keyring item"
  }

  /// Whose cache it is.
  public var kind = Kind.own
  /// The path of the cache, or of the file that signals its changes.
  public var path = ""
  /// The schema of the keyring item.
  public var schema = ""
  /// The ID of the tenant.
  public var tenant = ""
  /// How the keyring item is encoded.
  public var encoding = SharedKeyringItem.Encoding.raw
  private var original: JSON?

  /// Creates the form of Entrance's own cache.
  public init() {}

  /// Fills the form with the field `cache` of a connection.
  init(_ json: JSON?) {
    original = json
    guard let json, json != .null else { return }
    func text(_ name: String) -> String { json[name]?.string ?? "" }
    if json["preset"] != nil {
      kind = Kind(rawValue: text("preset")) ?? .own
    } else {
      kind = json["path"] != nil ? .file : .keyringItem
    }
    path = text(kind == .keyringItem ? "signalFile" : "path")
    schema = text("schema")
    tenant = text("tenant")
    encoding = SharedKeyringItem.Encoding(rawValue: text("encoding")) ?? .raw
  }

  /// Whether ``path`` is needed.
  public var hasPath: Bool { [.msalExtensions, .msalGo, .file, .keyringItem].contains(kind) }
  /// Whether ``schema`` is needed.
  public var hasSchema: Bool { kind == .msalGo || kind == .keyringItem }
  /// Whether ``tenant`` is needed.
  public var hasTenant: Bool { kind == .azureauth }
  /// Whether ``encoding`` is needed.
  public var hasEncoding: Bool { kind == .keyringItem }

  /// The field `cache`; nil for Entrance's own cache.
  var json: JSON? {
    var before = Self(original)
    before.original = original
    // What was not changed stays as it was written.
    guard self != before else { return original }
    guard kind != .own else { return nil }
    let (path, schema, tenant) = (path.trimmed, schema.trimmed, tenant.trimmed)
    var members: [(String, Substring)] = []
    if kind == .keyringItem {
      members = [
        ("schema", schema), ("encoding", encoding.rawValue[...]), ("signalFile", path),
      ]
    } else {
      if kind != .file { members.append(("preset", kind.rawValue[...])) }
      if hasSchema { members.append(("schema", schema)) }
      if hasPath { members.append(("path", path)) }
      if hasTenant { members.append(("tenant", tenant)) }
    }
    return .object(members.map { JSON.Member($0.0, .string(String($0.1))) } + keptMembers)
  }

  /// The members of a keyring item that the form does not show: of a new one, its label.
  private var keptMembers: [JSON.Member] {
    guard kind == .keyringItem else { return [] }
    guard Self(original).kind == .keyringItem else {
      // The name that MSAL gives it, for keyring managers.
      return [JSON.Member("label", .string("MSALCache"))]
    }
    let shown = ["schema", "encoding", "signalFile"]
    return original?.object?.filter { !shown.contains($0.name) } ?? []
  }
}
