import Crypto
import FoundationEssentials
import Glibc

/// Where a token cache is that this program shares with others.
///
/// Which of Microsoft's tools keep theirs where, ``preset(_:home:)`` and its siblings know.
public enum TokenCacheLocation: Sendable, Equatable {
  /// A plain file.
  case file(path: String)
  /// An item of the desktop's keyring.
  case keyring(SharedKeyringItem)
}

/// An item of the desktop's keyring in which programs share a token cache.
///
/// All of them have to agree on every member, so take them from the other program's documentation or source.
public struct SharedKeyringItem: Sendable, Equatable {
  /// How the cache is written in the item.
  ///
  /// It is for a new item only: one that is there stays as it is.
  public enum Encoding: String, Sendable, CaseIterable {
    /// As JSON: MSAL for Python and Node.
    case raw
    /// As the base64 text of JSON: MSAL for .NET, Go and Java.
    case base64
  }

  /// The schema, which the keyring keeps as the attribute `xdg:schema`.
  public var schema: String
  /// Whether an item of another schema with the same attributes will do, as it does for MSAL.NET.
  public var ignoresSchema: Bool
  /// All attributes but the schema.
  public var attributes: [String: String]
  /// What keyring managers show.
  public var label: String
  /// The alias of the collection for a new item: `default`, or `session` for one that ends with the session.
  public var collection: String
  /// How a new item is written.
  public var encoding: Encoding
  /// The file that is touched after every change; the lock is beside it.
  public var signalFile: String

  /// Describes an item.
  public init(
    schema: String, ignoresSchema: Bool = false, attributes: [String: String], label: String,
    collection: String = "default", encoding: Encoding, signalFile: String
  ) {
    self.schema = schema
    self.ignoresSchema = ignoresSchema
    self.attributes = attributes
    self.label = label
    self.collection = collection
    self.encoding = encoding
    self.signalFile = signalFile
  }
}

extension TokenCacheLocation {
  /// The tools whose caches ``preset(_:home:)`` knows.
  public static let presets = [
    "az", "az-encrypted", "azure-identity", "azure-identity-cae", "git-credential-manager",
  ]

  /// The cache of one of Microsoft's tools; nil when `name` is none of ``presets``.
  ///
  /// | Name | Cache |
  /// |---|---|
  /// | `az` | Azure CLI's, as it is by default |
  /// | `az-encrypted` | Azure CLI's with `core.encrypt_token_cache=true` |
  /// | `azure-identity` | that of the Azure SDK for Python, for apps that do not handle claims challenges |
  /// | `azure-identity-cae` | the same, for apps that do |
  /// | `git-credential-manager` | that of Git Credential Manager |
  ///
  /// - Parameters:
  ///   - name: one of ``presets``.
  ///   - home: the person's home directory; `$HOME` if nil.
  public static func preset(_ name: String, home: String? = nil) -> TokenCacheLocation? {
    let home = home ?? HomeDirectory.path
    return switch name {
    case "az": .file(path: "\(home)/.azure/msal_token_cache.json")
    case "az-encrypted":
      .keyring(
        SharedKeyringItem(
          schema: "my_schema_name", attributes: ["my_attr1": "foo", "my_attr2": "bar"], label: "",
          encoding: .raw, signalFile: "\(home)/.azure/msal_token_cache.bin"))
    case "azure-identity": .azureIdentity("msal.cache.nocae", home: home)
    case "azure-identity-cae": .azureIdentity("msal.cache.cae", home: home)
    case "git-credential-manager":
      .keyring(
        SharedKeyringItem(
          schema: "msal.cache", ignoresSchema: true,
          attributes: [
            "MsalClientID": "Microsoft.Developer.IdentityService",
            "Microsoft.Developer.IdentityService": "1.0.0.0",
          ], label: "MSALCache", encoding: .base64,
          signalFile: "\(home)/.local/.IdentityService/msal.cache"))
    default: nil
    }
  }

  private static func azureIdentity(_ name: String, home: String) -> TokenCacheLocation {
    .keyring(
      SharedKeyringItem(
        schema: name, attributes: ["MsalClientID": "Microsoft.Developer.IdentityService"],
        label: "MSALCache", encoding: .raw, signalFile: "\(home)/.IdentityService/\(name)"))
  }

  /// What MSAL for Python keeps with `build_encrypted_persistence(path)`.
  ///
  /// - Parameter path: to the letter what the other program says.
  public static func msalExtensions(path: String) -> TokenCacheLocation {
    let schema = SHA256.hash(data: Array(path.utf8))
      .map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    return .keyring(
      SharedKeyringItem(
        schema: schema, attributes: [:], label: "", encoding: .raw, signalFile: path))
  }

  /// What MSAL for Go keeps with `accessor.New(name)` of its extensions.
  ///
  /// - Parameters:
  ///   - name: what the other program calls it.
  ///   - path: the file with which it tells of changes.
  public static func msalGo(name: String, path: String) -> TokenCacheLocation {
    .keyring(
      SharedKeyringItem(
        schema: name, attributes: [:], label: "MSALCache", encoding: .base64, signalFile: path))
  }

  /// The cache of Microsoft's `azureauth` for a tenant.
  ///
  /// - Parameters:
  ///   - tenant: the tenant's ID.
  ///   - home: the person's home directory; `$HOME` if nil.
  public static func azureauth(tenant: String, home: String? = nil) -> TokenCacheLocation {
    .keyring(
      SharedKeyringItem(
        schema: "com.microsoft.identity.tokencache", ignoresSchema: true,
        attributes: ["Version": "1", "ProductGroup": "Microsoft Develoepr Tools"],
        label: "MSAL token cache", encoding: .base64,
        signalFile:
          "\(home ?? HomeDirectory.path)/.local/share/.IdentityService/msal_\(tenant).cache"))
  }
}
