import AuthCore
import Connections
import Testing

/// Names and values are those of Microsoft's documentation: the application resource of Microsoft
/// Graph, its permissions reference, and `az rest`.
@Suite("The app registration")
struct AppRegistrationTests {
  @Test("Microsoft Graph is sent a public client for one organization, with one permission")
  func resource() throws {
    // As it is sent: a text.
    let sent = try JSON(parsing: AppRegistration.resource.prettyText.utf8)
    let expected = try JSON(
      parsing: #"""
        {
          "displayName": "Entrance",
          "signInAudience": "AzureADMyOrg",
          "isFallbackPublicClient": true,
          "publicClient": {
            "redirectUris": ["msauth.io.github.entrance.entrance://auth", "http://localhost"]
          },
          "requiredResourceAccess": [{
            "resourceAppId": "00000003-0000-0000-c000-000000000000",
            "resourceAccess": [{ "id": "e1fe6dd8-ba31-4d61-89e7-88639da4683d", "type": "Scope" }]
          }]
        }
        """#.utf8)
    #expect(sent.object?.count == expected.object?.count)
    for member in expected.object ?? [] { #expect(sent[member.name] == member.value) }
  }

  @Test("Azure CLI gets the same in one line, with JSON in the quotes of a shell")
  func azureCLI() {
    let line = #"""
      az rest --method POST --url https://graph.microsoft.com/v1.0/applications \#
      --headers Content-Type=application/json --output json --body \#
      '{"displayName":"Entrance","signInAudience":"AzureADMyOrg",\#
      "isFallbackPublicClient":true,\#
      "publicClient":{"redirectUris":\#
      ["msauth.io.github.entrance.entrance://auth","http://localhost"]},\#
      "requiredResourceAccess":[{"resourceAppId":"00000003-0000-0000-c000-000000000000",\#
      "resourceAccess":[{"id":"e1fe6dd8-ba31-4d61-89e7-88639da4683d","type":"Scope"}]}]}'
      """#
    #expect(AppRegistration.azureCLI == line)
    // It would end the shell's quotes.
    #expect(!AppRegistration.resource.compactText.contains("'"))
  }

  @Test(
    "What creates an app is none, and is refused as what it is",
    arguments: [
      AppRegistration.azureCLI, AppRegistration.resource.prettyText,
      AppRegistration.resource.compactText,
      "Request body:\n" + AppRegistration.resource.prettyText,
      // Other apps that may ask for its permissions.
      #"""
      { "displayName": "A", "requiredResourceAccess": [],
        "api": { "preAuthorizedApplications": [{ "appId": "\#(ConnectionImportTests.id)" }] } }
      """#,
      // Terraform.
      """
      resource "azuread_application" "example" {
        required_resource_access {
          resource_app_id = "00000003-0000-0000-c000-000000000000"
        }
      }
      """,
    ])
  func request(text: String) {
    let error = #expect(throws: ConnectionFileError.self) {
      try ConnectionImport.drafts(from: text)
    }
    let reason = error.map { "\($0)" } ?? ""
    #expect(reason.hasPrefix("this is what creates the app, not the response; "))
  }

  @Test("The ID of an API is no client ID, also where it is the only one, or the first one")
  func resourceAppID() throws {
    let resource = "resourceAppId: 00000003-0000-0000-c000-000000000000"
    #expect(throws: ConnectionFileError.self) { try ConnectionImport.drafts(from: resource) }
    let draft = try ConnectionImportTests.draft(
      "\(resource)\nappId: \(ConnectionImportTests.id)\n")
    #expect(draft.clientID == ConnectionImportTests.id)
    // The command with its response below it, as a terminal has them.
    let both = try ConnectionImportTests.draft(
      AppRegistration.azureCLI + "\n{ \"appId\": \"\(ConnectionImportTests.id)\" }\n")
    #expect(both.clientID == ConnectionImportTests.id)
  }

  @Test(
    "What either answers is an app to sign in with, for the organization alone, also in a terminal")
  func answer() throws {
    let added = #"""
      {
        "@odata.context": "https://graph.microsoft.com/v1.0/$metadata#applications/$entity",
        "id": "03ef14b0-ca33-4840-8f4f-d6e91916010e",
        "appId": "\#(ConnectionImportTests.id)",
        "publisherDomain": "contoso.onmicrosoft.com",
        "api": { "requestedAccessTokenVersion": 2, "oauth2PermissionScopes": [] },
        "web": { "redirectUris": [], "homePageUrl": null }
      }
      """#
    let members = try JSON(parsing: added.utf8).object ?? []
    let resource = JSON.object(members + (AppRegistration.resource.object ?? []))
    let prompt = "[adele@contoso ~]$ "
    for text in [
      resource.prettyText,
      "\(prompt)\(AppRegistration.azureCLI)\n\(resource.prettyText)\n\(prompt)",
    ] {
      let draft = try ConnectionImportTests.draft(text)
      #expect(draft.clientID == ConnectionImportTests.id)
      #expect(draft.name == "Entrance")
      #expect(draft.authority == "https://login.microsoftonline.com/contoso.onmicrosoft.com")
      // Entrance's own needs no field.
      #expect(draft.redirectURI == "")
      #expect(draft.scopes.isEmpty)
      try ConnectionImportTests.check(draft)
    }
  }
}
