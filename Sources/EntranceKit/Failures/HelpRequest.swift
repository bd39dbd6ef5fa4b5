import AuthCore
import Connections
import Localization
import MicrosoftGraph

/// A message to someone who can help.
public struct HelpRequest: Equatable {
  /// The message, as it is shown and mailed.
  public let text: String
  /// What is copied after the message; nil for nothing.
  private var postscript: String?

  /// The message to copy: with a command, for which an email's address may not have room.
  public var copiedText: String { [text, postscript].compactMap(\.self).joined(separator: "\n\n") }

  /// Asks an administrator to register an app that Entrance can sign people in with.
  public init() {
    let permissions = AppRegistration.permissions.map { $0.name }.joined(separator: " ")
    var lines = [
      tr("To sign in with Entrance on Linux, I need an app registration in Microsoft Entra ID."),
      tr(
        "Entrance is an open-source app that signs in with Microsoft and calls Microsoft Graph: {url}",
        ["url": EntranceIdentity.website]),
      "",
      tr("Where: {url}", ["url": EntranceIdentity.portal]),
      tr("Name: {name}", ["name": EntranceIdentity.name]),
      tr("Supported account types: accounts in our organization only"),
      tr("Platform: “Mobile and desktop applications”"),
    ]
    lines += AppRegistration.redirectURIs.map { tr("Redirect URI: {uri}", ["uri": $0]) }
    lines += [
      tr("For sign-in with a code: set “Allow public client flows” to “Yes”."),
      tr("Permissions: Microsoft Graph, delegated: {scopes}", ["scopes": permissions]),
      tr("A client secret is not needed."),
      "",
      tr(
        "If users may not accept permissions themselves, also choose “Grant admin consent” under"
          + " “API permissions”."),
      tr("Then send me the “Application (client) ID” and the “Directory (tenant) ID”."),
    ]
    text = lines.joined(separator: "\n")
    postscript = [
      tr("In place of these steps, this command of Azure CLI creates the app registration:"),
      AppRegistration.azureCLI,
    ].joined(separator: "\n")
  }

  /// The address that opens an email with the message (RFC 6068).
  public func mailto(subject: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let query = FormEncoding.query([
      ("subject", subject), ("body", lines.joined(separator: "\r\n")),
    ])
    return "mailto:?\(query)"
  }

  /// Asks an administrator to approve the app registration of `connection` for the whole
  /// organization.
  ///
  /// The address follows Microsoft's "Admin consent on the Microsoft identity platform".
  ///
  /// - Parameter permissions: more permissions than the app asks for by itself.
  init(toApprove connection: Connection, adding permissions: [String] = []) {
    let scopes = connection.scopes + permissions.filter { !connection.scopes.contains($0) }
    text = Self.text(
      about: connection, first: tr("I need your approval of this app for our organization."),
      last: [
        tr("Permissions: {scopes}", ["scopes": scopes.joined(separator: " ")]),
        tr("To approve it, open: {url}", ["url": Self.url(toApprove: scopes, of: connection)]),
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

  /// The page where an administrator approves these scopes, also those that the app's registration
  /// does not list.
  private static func url(toApprove scopes: [String], of connection: Connection) -> String {
    let application = connection.application
    let authority = application.authority
    // These stand for no single organization: the page asks the administrator to sign in.
    let isShared = ["common", "consumers", "organizations"].contains(authority.tenant)
    let tenant = isShared ? "organizations" : authority.tenant
    let query = FormEncoding.query([
      ("client_id", application.clientID),
      ("scope", scopes.map { whole($0, of: connection) }.joined(separator: " ")),
      ("redirect_uri", application.redirectURI.description),
    ])
    return "https://\(authority.environment)/\(tenant)/v2.0/adminconsent?\(query)"
  }

  /// A scope with its API, which is Microsoft Graph where it names none.
  private static func whole(_ scope: String, of connection: Connection) -> String {
    let environment = connection.application.authority.environment
    let cloud =
      GraphCloud.all.first { connection.api.hasPrefix("https://\($0.host)/") }
      ?? GraphCloud.all.first { $0.signInHosts.contains(environment) }
    let hasNoAPI = ["openid", "profile", "email", "offline_access"].contains(scope)
    guard let cloud, !hasNoAPI, !scope.contains("/"), !GUID.isValid(scope) else { return scope }
    return "https://\(cloud.host)/\(scope)"
  }
}
