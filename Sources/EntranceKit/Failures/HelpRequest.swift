import AuthCore
import Connections
import Localization

/// A message to someone who can help.
struct HelpRequest: Equatable {
  /// The message.
  let text: String

  /// Asks an administrator to approve the app registration of `connection` for the whole
  /// organization.
  ///
  /// The address follows Microsoft Entra's "Grant tenant-wide admin consent to an application".
  init(toApprove connection: Connection) {
    text = Self.text(
      about: connection, first: tr("Please approve this app for our organization."),
      last: [
        tr("Permissions: {scopes}", ["scopes": connection.scopes.joined(separator: " ")]),
        tr("To approve it, open: {url}", ["url": Self.url(for: connection.application)]),
      ])
  }

  /// Says what failed with `connection`.
  ///
  /// - Parameters:
  ///   - reason: why, in words.
  ///   - details: the lines for support.
  init(_ reason: String, details: [String], with connection: Connection) {
    text = Self.text(about: connection, first: reason, last: details)
  }

  private static func text(
    about connection: Connection, first: String, last: [String]
  ) -> String {
    let app = [
      tr("App: {name}", ["name": connection.name]),
      tr("Application (client) ID: {id}", ["id": connection.application.clientID]),
    ]
    return ([first] + app + last).map(\.plain).joined(separator: "\n")
  }

  /// The page where an administrator approves the app.
  private static func url(for application: PublicClientApplicationConfiguration) -> String {
    let authority = application.authority
    // These stand for no single organization: the page asks the administrator to sign in.
    let isShared = ["common", "consumers", "organizations"].contains(authority.tenant)
    let tenant = isShared ? "organizations" : authority.tenant
    return "https://\(authority.environment)/\(tenant)/adminconsent"
      + "?client_id=\(application.clientID)"
  }
}
