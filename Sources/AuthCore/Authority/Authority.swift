/// The place that signs people in: a host and a tenant on it.
///
/// `https://login.microsoftonline.com/common` is the usual one. What stands behind the tenant is
/// dropped, the host and the tenant are made lower case, and `:443` is taken off, as MSAL does.
public struct Authority: Sendable, Hashable, CustomStringConvertible {
  /// Host, with its port when that is not 443.
  ///
  /// It is the `environment` of what is cached.
  public let environment: String
  /// `common`, `organizations`, `consumers`, a tenant's domain or its ID.
  public let tenant: String

  /// The tenant in which all personal Microsoft accounts live.
  public static let personalAccountsTenant = "9188040d-6c67-4c5b-b112-36a304b66dad"

  /// Where people with a work, school or personal account sign in, worldwide.
  public static let common = Authority(
    environment: "login.microsoftonline.com", tenant: "common")

  /// Reads an authority's URL.
  ///
  /// - Throws: ``AuthenticationError`` with code ``AuthenticationError/Code/invalidConfiguration``
  ///   when it is not `https`, has no tenant, or has anything in it that an authority never has.
  public init(_ url: String) throws(AuthenticationError) {
    func invalid(_ reason: String) -> AuthenticationError {
      AuthenticationError(
        .invalidConfiguration, "The authority '\(url)' cannot be used: \(reason).")
    }
    guard url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "\\") }) else {
      throw invalid("it may hold letters, digits and URL characters only")
    }
    let lowercased = url.lowercased()
    guard lowercased.hasPrefix("https://") else {
      throw invalid("authority must use HTTPS")
    }
    let behindScheme = lowercased.dropFirst("https://".count)
    let hostAndPort = behindScheme.prefix { !"/?#".contains($0) }
    guard let environment = Self.environment(hostAndPort) else {
      throw invalid("'\(hostAndPort)' is not the name of a host")
    }
    let path = behindScheme.dropFirst(hostAndPort.count).prefix { !"?#".contains($0) }
    guard let tenant = path.split(separator: "/").first else {
      throw invalid("authority must have a tenant, such as '/common' or '/contoso.com'")
    }
    guard tenant != "adfs" else { throw invalid("AD FS is another kind of authority") }
    guard Self.isTenant(tenant) else { throw invalid("'\(tenant)' is not a tenant") }
    self.init(environment: environment, tenant: String(tenant))
  }

  init(environment: String, tenant: String) {
    self.environment = environment
    self.tenant = tenant
  }

  /// The authority's URL, without a slash at its end.
  public var description: String { "https://\(environment)/\(tenant)" }

  /// Whether the tenant is a directory's own, and not one of the three that stand for many.
  public var isTenanted: Bool { !["common", "organizations", "consumers"].contains(tenant) }

  /// The same place, for another tenant.
  func with(tenant: String) -> Authority {
    Authority(environment: environment, tenant: tenant)
  }

  private static func environment(_ text: Substring) -> String? {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let host = parts[0]
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    let isName = labels.allSatisfy { label in
      !label.isEmpty && !label.hasPrefix("-") && !label.hasSuffix("-")
        && label.utf8.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: "-") }
    }
    // A last label of digits alone would be an IP address, which no certificate of a sign-in
    // service stands for.
    guard isName, let last = labels.last, !last.allSatisfy(\.isNumber) else { return nil }
    guard parts.count == 2 else { return String(host) }
    guard !parts[1].isEmpty, parts[1].utf8.allSatisfy({ isDigit($0) }),
      let port = UInt16(parts[1]), port > 0
    else { return nil }
    return port == 443 ? String(host) : "\(host):\(port)"
  }

  private static func isTenant(_ text: Substring) -> Bool {
    text != "." && text != ".."
      && text.utf8.allSatisfy { isLetterOrDigit($0) || ".-_".utf8.contains($0) }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
  }
}
