import Crypto
import FoundationEssentials
import Glibc

/// The location of a token cache that this program shares with others.
///
/// For the locations of Microsoft's tools, see ``preset(_:home:)`` and its siblings.
public struct TokenCacheLocation: Sendable, Equatable {
  /// An unencrypted file.
  public static func file(path: String) -> TokenCacheLocation { TokenCacheLocation(.file(path)) }

  /// A keyring item.
  public static func keyring(_ item: SharedKeyringItem) -> TokenCacheLocation {
    TokenCacheLocation(.keyring(item))
  }

  /// The kinds of this version, for a `switch` that must handle each.
  package enum Known: Equatable {
    case file(String)
    case keyring(SharedKeyringItem)
  }
  package let known: Known

  private init(_ known: Known) {
    self.known = known
  }

  /// The file's path; nil for a keyring item.
  public var path: String? {
    guard case .file(let path) = known else { return nil }
    return path
  }

  /// The keyring item; nil for a file.
  public var keyringItem: SharedKeyringItem? {
    guard case .keyring(let item) = known else { return nil }
    return item
  }
}

extension TokenCacheLocation {
  /// The tools whose caches ``preset(_:home:)`` supports.
  public static let presets = [
    "az", "az-encrypted", "azure-identity", "azure-identity-cae", "git-credential-manager",
  ]

  /// The cache of one of Microsoft's tools; nil when `name` is not in ``presets``.
  ///
  /// | Name | Cache |
  /// |---|---|
  /// | `az` | Azure CLI, with its default settings |
  /// | `az-encrypted` | Azure CLI with `core.encrypt_token_cache=true` |
  /// | `azure-identity` | Azure SDK for Python, for apps that do not handle claims challenges |
  /// | `azure-identity-cae` | Azure SDK for Python, for apps that handle claims challenges |
  /// | `git-credential-manager` | Git Credential Manager |
  ///
  /// - Parameters:
  ///   - name: one of ``presets``.
  ///   - home: the user's home directory; `$HOME` if nil.
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

  /// The cache of MSAL for Python with `build_encrypted_persistence(path)`.
  ///
  /// - Parameter path: exactly the path that the other program uses.
  public static func msalExtensions(path: String) -> TokenCacheLocation {
    let schema = SHA256.hash(data: Array(path.utf8))
      .map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    return .keyring(
      SharedKeyringItem(
        schema: schema, attributes: [:], label: "", encoding: .raw, signalFile: path))
  }

  /// The cache of MSAL for Go with `accessor.New(name)` of its extensions.
  ///
  /// - Parameters:
  ///   - name: the name that the other program uses.
  ///   - path: the file that signals changes.
  public static func msalGo(name: String, path: String) -> TokenCacheLocation {
    .keyring(
      SharedKeyringItem(
        schema: name, attributes: [:], label: "MSALCache", encoding: .base64, signalFile: path))
  }

  /// The cache of Microsoft's `azureauth` for a tenant.
  ///
  /// - Parameters:
  ///   - tenant: the tenant's ID.
  ///   - home: the user's home directory; `$HOME` if nil.
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
