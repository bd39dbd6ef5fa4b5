package import AuthCore

/// The app registration that Entrance needs in Microsoft Entra ID, and what creates it.
///
/// Values and names are those of the application resource:
/// https://learn.microsoft.com/graph/api/resources/application
package enum AppRegistration {
  /// What sign-in pages call the app.
  private static let name = EntranceIdentity.name
  /// Who can sign in: the accounts of the organization in which it is registered.
  private static let audience = "AzureADMyOrg"
  /// Microsoft Graph, as an application of each tenant.
  private static let graph = "00000003-0000-0000-c000-000000000000"

  /// Where sign-in pages lead back to: the app's window, and a port for the browser.
  package static let redirectURIs = [EntranceIdentity.redirectURI, "http://localhost"]

  /// Delegated permissions of Microsoft Graph, with their IDs; others are asked for when needed.
  ///
  /// https://learn.microsoft.com/graph/permissions-reference
  package static let permissions = [
    (name: "User.Read", id: "e1fe6dd8-ba31-4d61-89e7-88639da4683d")
  ]

  /// The body of `POST /applications` of Microsoft Graph.
  package static let resource: JSON = [
    "displayName": .string(name),
    "signInAudience": .string(audience),
    // For sign-ins with a code.
    "isFallbackPublicClient": true,
    "publicClient": ["redirectUris": .array(redirectURIs.map { JSON.string($0) })],
    "requiredResourceAccess": requiredResourceAccess,
  ]

  /// The same as one line for Azure CLI: a command of a POSIX shell.
  ///
  /// `az ad app create` would change an existing app of the same name instead. The body has no
  /// single quotation mark, so it can be between two.
  /// https://learn.microsoft.com/cli/azure/reference-index#az-rest
  package static let azureCLI = [
    "az rest --method POST --url https://graph.microsoft.com/v1.0/applications",
    // Some people have set another format, which cannot be read as an app.
    "--headers Content-Type=application/json --output json",
    "--body '\(resource.compactText)'",
  ].joined(separator: " ")

  private static let requiredResourceAccess: JSON = [
    [
      "resourceAppId": .string(graph),
      "resourceAccess": .array(
        permissions.map { permission -> JSON in
          ["id": .string(permission.id), "type": "Scope"]
        }),
    ]
  ]
}
