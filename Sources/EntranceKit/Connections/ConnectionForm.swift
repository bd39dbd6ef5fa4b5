public import AuthCore
public import Connections
import CurlHTTP

/// A connection as a form shows it: with who can sign in and in which cloud, in place of the URL that says
/// so.
public struct ConnectionForm: Sendable, Equatable {
  /// Who can sign in.
  public enum Accounts: Sendable, CaseIterable {
    /// Everyone with a Microsoft account.
    case everyone
    /// Everyone with a work or school account.
    case organizations
    /// Everyone with a personal account.
    case personal
    /// The accounts of one organization, by ``ConnectionForm/directory``.
    case oneOrganization
    /// The customers of an organization, in its external tenant (``ConnectionForm/directory``).
    case customers
    /// Those of another sign-in service, by ``ConnectionForm/address``.
    case other
  }

  /// A cloud of Microsoft's.
  public enum Cloud: String, Sendable, CaseIterable {
    case global = "login.microsoftonline.com"
    case usGovernment = "login.microsoftonline.us"
    case china = "login.partner.microsoftonline.cn"
  }

  /// Who can sign in.
  public var accounts = Accounts.everyone
  /// Where; customers and other services have no choice.
  public var cloud = Cloud.global
  /// The ID or a domain of the organization, or the name of the external tenant.
  public var directory = ""
  /// The URL of another sign-in service.
  public var address = ""
  /// The permissions, with blanks between them.
  public var permissions = ""
  /// Where the accounts of all connections are kept; nil for where it fits.
  public var storage: StorageKind?
  /// The token cache of this connection.
  public var cache = CacheForm()
  /// All that stands for itself: name, client ID, redirect URI and the like.
  public var draft = ConnectionDraft()

  /// Creates an empty form.
  public init() {}

  /// Fills the form with a connection.
  ///
  /// - Parameter storage: where the accounts of all connections are kept.
  public init(_ draft: ConnectionDraft, storage: StorageKind? = nil) {
    self.draft = draft
    self.storage = storage
    cache = CacheForm(draft.cache)
    permissions = draft.scopes.joined(separator: " ")
    readAuthority()
  }

  /// Whether ``cloud`` makes a difference.
  public var hasCloud: Bool {
    switch accounts {
    case .everyone, .organizations, .oneOrganization: true
    case .personal, .customers, .other: false
    }
  }

  /// Whether ``directory`` is needed.
  public var hasDirectory: Bool { accounts == .oneOrganization || accounts == .customers }

  /// Whether the host of the sign-in service depends on what is typed: Microsoft's clouds have theirs.
  var hasTypedHost: Bool { accounts == .other || accounts == .customers }

  /// Whether ``directory`` is needed and not filled in.
  var lacksDirectory: Bool { hasDirectory && directory.trimmed.isEmpty }

  /// Whether ``directory`` is taken for a tenant, and not for the host of a service.
  var hasTenant: Bool {
    switch accounts {
    case .oneOrganization: !Authority.isServiceHost(String(directory.trimmed))
    case .customers: !directory.contains(".")
    case .everyone, .organizations, .personal, .other: false
    }
  }

  /// Whether the address fits another kind of service than the one that it indicates by itself.
  var hasAddressOfAnotherKind: Bool {
    accounts == .other && draft.authorityKind == nil
      && (try? Authority(filled.authority, kind: .oidc)) != nil
  }

  /// The connection as it is to be written down.
  public var filled: ConnectionDraft {
    var result = draft
    for field in ConnectionFields.rows { result[field] = String(draft[field].trimmed) }
    result.api = result.api.withScheme
    // What the portal shows beside the ID is easily copied with it.
    if accounts != .other, !GUID.isValid(result.clientID),
      let copied = ConnectionDraft(copied: result.clientID)
    {
      result.clientID = copied.clientID
    }
    result.scopes = Connection.scopes(in: permissions)
    result.cache = cache.json
    writeAuthority(to: &result)
    // Whoever saves an address in sight trusts it.
    return accounts == .other ? result.trustingAuthority : result
  }

  // MARK: The authority

  private mutating func readAuthority() {
    let isEntra = draft.authorityKind == nil || draft.authorityKind == .entra
    guard !draft.authority.isEmpty else {
      if !isEntra { accounts = .other }
      return
    }
    (accounts, address) = (.other, draft.authority)
    guard draft.knownAuthorities.isEmpty, let (host, path) = Self.parts(of: draft.authority) else {
      return
    }
    if isEntra, let cloud = Cloud(rawValue: host) {
      switch path {
      case "common": accounts = .everyone
      case "organizations": accounts = .organizations
      case "consumers": accounts = cloud == .global ? .personal : .other
      default: (accounts, directory) = (.oneOrganization, path)
      }
      self.cloud = cloud
    } else if host.hasSuffix(Self.externalSuffix), path.isEmpty {
      (accounts, directory) = (.customers, String(host.dropLast(Self.externalSuffix.count)))
    }
    if accounts != .other { address = "" }
  }

  private func writeAuthority(to draft: inout ConnectionDraft) {
    let read = Self(self.draft)
    // What was not changed stays as it was written.
    guard
      (read.accounts, read.cloud, read.directory, read.address)
        != (accounts, cloud, directory, address)
    else { return }
    let directory = directory.trimmed
    draft.knownAuthorities = []
    draft.authorityKind = accounts == .other ? draft.authorityKind : nil
    switch accounts {
    case .everyone: draft.authority = "https://\(cloud.rawValue)/common"
    case .organizations: draft.authority = "https://\(cloud.rawValue)/organizations"
    case .personal: draft.authority = "https://\(Cloud.global.rawValue)/consumers"
    case .oneOrganization where Authority.isServiceHost(directory):
      draft.authority = "https://\(directory)"
    case .oneOrganization: draft.authority = "https://\(cloud.rawValue)/\(directory)"
    case .customers where directory.contains("."):
      // A domain of one's own, for which the person vouches.
      draft.authority = "https://\(directory)"
      draft.authorityKind = .externalID
      draft = draft.trustingAuthority
    case .customers: draft.authority = "https://\(directory)\(Self.externalSuffix)"
    case .other: draft.authority = String(address.trimmed).withScheme
    }
  }

  private static let externalSuffix = ".ciamlogin.com"

  /// Host and path of an `https` URL without port, query and fragment; nil for another.
  private static func parts(of url: String) -> (host: String, path: String)? {
    let start = "https://"
    guard url.lowercased().hasPrefix(start) else { return nil }
    let rest = url.dropFirst(start.count)
    let host = rest.prefix { $0 != "/" }
    let path = rest.dropFirst(host.count).split(separator: "/")
    guard path.count <= 1, !rest.contains(where: { "?#@:".contains($0) }) else { return nil }
    return (host.lowercased(), path.first.map(String.init) ?? "")
  }
}
