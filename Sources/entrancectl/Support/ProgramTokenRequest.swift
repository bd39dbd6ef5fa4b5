import AuthCore
import CurlHTTP
import FoundationEssentials
import Sentences

/// The token that a program requests, with the parameters of the Azure Developer CLI.
struct ProgramTokenRequest: Sendable {
  /// The permissions.
  let scopes: [String]
  /// The claims that a service has requested in addition; nil for none.
  let claims: ClaimsRequest?
  private let tenant: String?

  /// - Parameters:
  ///   - tenant: the ID or a domain of the tenant; nil for the app's own.
  ///   - claims: a claims request as JSON, in Base64.
  /// - Throws: when one of them is invalid.
  init(
    scopes: [String], tenant: String? = nil, claims: String? = nil
  ) throws(CommandError) {
    if let tenant, !Self.isTenant(tenant) {
      throw CommandError(
        option: "--tenant-id",
        Sentence("Enter the directory (tenant) ID or a domain of the organization."))
    }
    self.scopes = scopes
    self.tenant = tenant?.lowercased()
    self.claims = try Self.claims(claims)
  }

  /// Who signs the account in; nil for the app's own authority.
  ///
  /// - Parameter own: the app's own authority.
  /// - Throws: when it has no tenants.
  func authority(of own: Authority) throws(CommandError) -> Authority? {
    guard let tenant else { return nil }
    guard own.kind == .entra else {
      throw CommandError(
        option: "--tenant-id", Sentence("The sign-in service of the app has no tenants."))
    }
    return own.with(tenant: tenant)
  }

  private static func isTenant(_ text: String) -> Bool {
    // As a path component of a URL, ".." would remove another one.
    guard let first = text.utf8.first, first.isAlphanumeric else { return false }
    return text.utf8.allSatisfy { $0.isAlphanumeric || ".-".utf8.contains($0) }
  }

  private static func claims(_ text: String?) throws(CommandError) -> ClaimsRequest? {
    guard let text else { return nil }
    guard let bytes = Data(base64Encoded: text),
      let json = String(validating: bytes, as: UTF8.self)
    else { throw CommandError(option: "--claims", Sentence("The value is not Base64.")) }
    do throws(AuthenticationError) {
      return try ClaimsRequest(json: json)
    } catch {
      throw CommandError(option: "--claims", error.sentence)
    }
  }
}
