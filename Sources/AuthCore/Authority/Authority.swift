import Sentences

/// The place that signs people in: a host, and what stands behind it: a tenant, for one.
///
/// `https://login.microsoftonline.com/common` is the usual one. There are several kinds of them, see
/// ``Kind``. The host is made lower case and `:443` is taken off; what stands behind the
/// part of the path that matters is dropped, as MSAL does.
public struct Authority: Sendable, Hashable, CustomStringConvertible {
  /// What kind of service it is.
  public let kind: Kind
  /// Host, with its port when that is not 443.
  public let environment: String
  /// `common`, `organizations`, `consumers`, a tenant's domain or its ID.
  ///
  /// It is `adfs` for AD FS, and empty for OpenID Connect, which have no tenants.
  public let tenant: String
  /// The user flow or custom policy; only Azure AD B2C has them.
  public let policy: String?
  /// What stands behind the host: empty, or from a slash on.
  let path: String

  /// The tenant in which all personal Microsoft accounts live.
  public static let personalAccountsTenant = "9188040d-6c67-4c5b-b112-36a304b66dad"

  /// Where people with a work, school or personal account sign in, worldwide.
  public static let common = Authority(
    environment: "login.microsoftonline.com", tenant: "common")

  /// Reads an authority's URL.
  ///
  /// - Parameters:
  ///   - url: Where people sign in.
  ///   - kind: What kind of service it is; told from the URL when nil. Only ``Kind/oidc`` and
  ///     domains of one's own cannot be told.
  /// - Throws: ``AuthenticationError`` with code ``AuthenticationError/Code/invalidConfiguration``
  ///   when it is not `https`, lacks a part that its kind needs, or has anything in it that an
  ///   authority never has.
  public init(_ url: String, kind: Kind? = nil) throws(AuthenticationError) {
    do throws(AuthorityURL.Fault) {
      let url = try AuthorityURL(url)
      let kind = kind ?? url.kind
      let place = try url.place(for: kind)
      self.init(
        kind: kind, environment: url.environment, tenant: place.tenant, policy: place.policy,
        path: place.path)
    } catch {
      throw AuthenticationError(
        .invalidConfiguration,
        Sentence(
          "The authority '{url}' cannot be used: {reason}.", ["url": url, "reason": error.reason]))
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
  /// It has no slash at its end, unless it is an OpenID Connect issuer that is written with one.
  public var description: String { "https://\(environment)\(path)" }

  /// Whether the tenant is a directory's own, and not one of the three that stand for many.
  public var isTenanted: Bool {
    // None of the three is as long as a tenant's ID.
    kind != .entra || tenant.utf8.count > 13
      || !["common", "organizations", "consumers"].contains(tenant)
  }

  /// Who signs people in, for sentences: Microsoft, or the host of someone else's service.
  var serviceName: String { kind.isMicrosofts ? "Microsoft" : environment }

  /// The subject of sentences about the service.
  var signInService: Sentence {
    kind.isMicrosofts
      ? Sentence("Microsoft's sign-in service")
      : Sentence("The sign-in service '{host}'", ["host": environment])
  }

  /// The same place, for another tenant.
  func with(tenant: String) -> Authority {
    Authority(environment: environment, tenant: tenant)
  }

  /// The same tenant in the cloud that has `host`.
  ///
  /// Nil for a host that is no cloud's, or one of the same cloud, and for kinds that are in no cloud.
  func moved(toCloudOf host: String) -> Authority? {
    guard kind == .entra, KnownClouds.contains(environment),
      let host = KnownClouds.preferredHost(of: host),
      !KnownClouds.aliases(of: environment).contains(host)
    else { return nil }
    return Authority(environment: host, tenant: tenant)
  }
}
