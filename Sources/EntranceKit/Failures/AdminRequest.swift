import AuthCore
import Connections
import Localization

/// A message that asks an administrator to approve an app for the whole organization.
///
/// The address follows Microsoft Entra's "Grant tenant-wide admin consent to an application".
struct AdminRequest: Equatable {
  /// The message.
  let text: String

  /// Creates the message for the app registration of `connection`.
  init(_ connection: Connection) {
    let application = connection.application
    text = [
      tr("Please approve this app for our organization."),
      tr("App: {name}", ["name": connection.name]),
      tr("Application (client) ID: {id}", ["id": application.clientID]),
      tr("Permissions: {scopes}", ["scopes": connection.scopes.joined(separator: " ")]),
      tr("To approve it, open: {url}", ["url": Self.url(for: application)]),
    ].joined(separator: "\n")
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
