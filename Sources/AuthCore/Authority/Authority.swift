import Sentences

/// The service that signs people in: a host and, for most kinds, a tenant.
///
/// The default is `https://login.microsoftonline.com/common`. For the kinds, see ``Kind``. The host
/// is converted to lower case and `:443` is removed; as in MSAL, path components after the
/// significant ones are dropped.
public struct Authority: Sendable, Hashable, CustomStringConvertible {
  /// The kind of service.
  public let kind: Kind
  /// The host, with its port when that is not 443.
  public let environment: String
  /// `common`, `organizations`, `consumers`, a tenant's domain or its ID.
  ///
  /// It is `adfs` for AD FS, and empty for OpenID Connect, which have no tenants.
  public let tenant: String
  /// The user flow or custom policy; only for Azure AD B2C.
  public let policy: String?
  /// The path: empty, or starting with a slash.
  let path: String

  /// The tenant of all personal Microsoft accounts.
  public static let personalAccountsTenant = "9188040d-6c67-4c5b-b112-36a304b66dad"

  /// The authority for work, school and personal accounts, worldwide.
  public static let common = Authority(
    environment: "login.microsoftonline.com", tenant: "common")

  /// Parses an authority's URL.
  ///
  /// - Parameters:
  ///   - url: the URL.
  ///   - kind: the kind of service; nil to derive it from the URL. ``Kind/oidc`` and custom domains
  ///     cannot be derived.
  /// - Throws: ``AuthenticationError`` with code ``AuthenticationError/Code/invalidConfiguration``
  ///   when the URL is not `https`, lacks a part that its kind needs, or has a part that no
  ///   authority has.
  public init(_ url: String, kind: Kind? = nil) throws(AuthenticationError) {
    do throws(AuthorityURL.Fault) {
      let url = try AuthorityURL(url)
      let kind = kind ?? url.kind
      let parts = try url.parts(for: kind)
      self.init(
        kind: kind, environment: url.environment, tenant: parts.tenant, policy: parts.policy,
        path: parts.path)
    } catch {
      throw AuthenticationError(
        .invalidConfiguration,
        Sentence(
          "The address “{url}” of a sign-in service cannot be used: {reason}.",
          ["url": url, "reason": error.reason]))
    }
  }

  /// An authority of Microsoft Entra ID.
  init(environment: String, tenant: String) {
    self.init(
      kind: .entra, environment: environment, tenant: tenant, policy: nil, path: "/\(tenant)")
  }

  private init(kind: Kind, environment: String, tenant: String, policy: String?, path: String) {
    self.kind = kind
    self.environment = environment
    self.tenant = tenant
    self.policy = policy
    self.path = path
  }

  /// The authority's URL.
  ///
  /// It has no trailing slash, except for an OpenID Connect issuer that is written with one.
  public var description: String { "https://\(environment)\(path)" }

  /// Whether the tenant is a specific directory, not `common`, `organizations` or `consumers`.
  public var isTenanted: Bool {
    // `organizations`, the longest of the three, has 13 characters; a tenant ID has more.
    kind != .entra || tenant.utf8.count > 13
      || !["common", "organizations", "consumers"].contains(tenant)
  }

  /// The first host of the authority's cloud; nil when it is in none of Microsoft's clouds.
  package var cloud: String? { KnownClouds.preferredHost(of: environment) }

  /// The service's name in sentences: Microsoft, or the host of another service.
  var serviceName: String { kind.isMicrosofts ? "Microsoft" : environment }

  /// The subject of sentences about the service.
  var signInService: Sentence {
    kind.isMicrosofts
      ? Sentence("Microsoft’s sign-in service")
      : Self.signInService(at: environment)
  }

  /// The subject of sentences about the service at `host`.
  static func signInService(at host: String) -> Sentence {
    Sentence("The sign-in service “{host}”", ["host": host])
  }

  /// Whether `text` is the host of one of Microsoft's sign-in services, such as
  /// `contoso.ciamlogin.com`, and so no organization's domain.
  package static func isServiceHost(_ text: some StringProtocol) -> Bool {
    MicrosoftHosts.isService(text.lowercased())
  }

  /// The same authority with another tenant.
  package func with(tenant: String) -> Authority {
    Authority(environment: environment, tenant: tenant)
  }

  /// The same tenant in the cloud of `host`.
  ///
  /// Nil when `host` is in no cloud or in the same one, and for kinds that have no clouds.
  func moved(toCloudOf host: String) -> Authority? {
    guard kind == .entra, KnownClouds.contains(environment),
      let host = KnownClouds.preferredHost(of: host),
      !KnownClouds.aliases(of: environment).contains(host)
    else { return nil }
    return Authority(environment: host, tenant: tenant)
  }
}
