import Crypto
import CurlHTTP
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
  /// | `az` | Azure CLI, with its default settings; in `AZURE_CONFIG_DIR` if that is set |
  /// | `az-encrypted` | Azure CLI with `core.encrypt_token_cache=true`; likewise |
  /// | `azure-identity` | Azure SDK for Python, for apps that do not handle claims challenges |
  /// | `azure-identity-cae` | Azure SDK for Python, for apps that handle claims challenges |
  /// | `git-credential-manager` | Git Credential Manager |
  ///
  /// The versions of a tool keep their caches at different locations. This is the one that was
  /// changed last.
  ///
  /// - Parameters:
  ///   - name: one of ``presets``.
  ///   - home: the user's home directory; `$HOME` if nil. Only then does `AZURE_CONFIG_DIR` count.
  public static func preset(_ name: String, home: String? = nil) -> TokenCacheLocation? {
    let known = locations(of: name, home: home)
    return known.dropFirst().reduce(known.first) { latest, other in
      guard let date = other.changedAt else { return latest }
      return latest?.changedAt.map { $0 >= date } == true ? latest : other
    }
  }

  /// Where a tool, which has these presets, has kept its cache; the location that was changed last is
  /// the first one.
  package static func used(by presets: [String], home: String? = nil) -> [TokenCacheLocation] {
    var found: [(location: TokenCacheLocation, date: Double)] = []
    for location in presets.flatMap({ locations(of: $0, home: home) })
    where !found.contains(where: { $0.location == location }) {
      if let date = location.changedAt { found.append((location, date)) }
    }
    return found.sorted { $0.date > $1.date }.map(\.location)
  }

  /// The locations of a tool's cache: first the one of the versions that most people have.
  private static func locations(of name: String, home chosen: String?) -> [TokenCacheLocation] {
    let home = chosen ?? HomeDirectory.path
    // Azure CLI takes the variable as it is, and an empty one as none.
    let variable = chosen == nil ? getenv("AZURE_CONFIG_DIR").map { String(cString: $0) } : nil
    let azure = variable.flatMap { $0.isEmpty ? nil : $0 } ?? "\(home)/.azure"
    // Azure CLI is about to encrypt by default, and then no longer uses the names of an example.
    let azureCLI = TokenCacheLocation.keyring(
      SharedKeyringItem(
        schema: "Microsoft Azure CLI", attributes: ["type": "Token cache"], label: "",
        encoding: .raw, signalFile: "\(azure)/msal_token_cache.sig"))
    switch name {
    case "az": return [.file(path: "\(azure)/msal_token_cache.json"), azureCLI]
    case "az-encrypted":
      let example = SharedKeyringItem(
        schema: "my_schema_name", attributes: ["my_attr1": "foo", "my_attr2": "bar"], label: "",
        encoding: .raw, signalFile: "\(azure)/msal_token_cache.bin")
      return [.keyring(example), azureCLI]
    case "azure-identity": return [.azureIdentity("msal.cache.nocae", home: home)]
    case "azure-identity-cae": return [.azureIdentity("msal.cache.cae", home: home)]
    case "git-credential-manager":
      return [
        // Shared with other tools for developers, unless its user wants a cache for it alone.
        .gitCredentialManager(
          "Microsoft.Developer.IdentityService", in: "\(home)/.local/.IdentityService"),
        .gitCredentialManager("GitCredentialManager.MSAL", in: "\(home)/.gcm"),
      ]
    default: return []
    }
  }

  /// When the cache was last changed; nil if it was never used.
  private var changedAt: Double? {
    var status = stat()
    guard stat(path ?? keyringItem?.signalFile ?? "", &status) == 0 else { return nil }
    return Double(status.st_mtim.tv_sec) + Double(status.st_mtim.tv_nsec) / 1e9
  }

  private static func gitCredentialManager(
    _ name: String, in directory: String
  ) -> TokenCacheLocation {
    .keyring(
      SharedKeyringItem(
        schema: "msal.cache", ignoresSchema: true,
        attributes: ["MsalClientID": name, name: "1.0.0.0"], label: "MSALCache",
        encoding: .base64, signalFile: "\(directory)/msal.cache"))
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
    .keyring(
      SharedKeyringItem(
        schema: SHA256.hash(data: Array(path.utf8)).hexadecimal, attributes: [:], label: "",
        encoding: .raw, signalFile: path))
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
