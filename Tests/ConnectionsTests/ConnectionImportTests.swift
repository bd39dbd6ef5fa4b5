import AuthCore
import Connections
import Testing

/// The texts are shaped like the files of Microsoft's samples, with IDs that belong to nobody.
@Suite("Importing connections")
struct ConnectionImportTests {
  static let id = "11111111-2222-3333-4444-555555555555"
  static let tenant = "99999999-2222-3333-4444-555555555555"

  static func draft(_ text: String) throws -> ConnectionDraft {
    let drafts = try ConnectionImport.drafts(from: text)
    #expect(drafts.count == 1)
    return try #require(drafts.first)
  }

  /// The draft with a name, which the person gives, can be used.
  static func check(_ draft: ConnectionDraft) throws {
    var draft = draft
    draft.name = "Imported"
    _ = try draft.connection()
  }

  @Test("MSAL for Android: auth_config.json of an app for one organization")
  func android() throws {
    let draft = try Self.draft(
      """
      {
        "client_id": "\(Self.id)",
        "authorization_user_agent": "DEFAULT",
        "redirect_uri": "msauth://com.contoso.app/1wIqXSqBj7w%2Bh11ZifsnqwgyKrY%3D",
        "account_mode": "SINGLE",
        "authorities": [
          { "type": "AAD", "audience": { "type": "AzureADMultipleOrgs" } },
          { "type": "AAD", "default": true,
            "audience": { "type": "AzureADMyOrg", "tenant_id": "\(Self.tenant)" } }
        ]
      }
      """)
    #expect(draft.clientID == Self.id)
    #expect(draft.authority == "https://login.microsoftonline.com/\(Self.tenant)")
    // That one belongs to an Android app with this signature, and to nothing else.
    #expect(draft.redirectURI == "")
    try Self.check(draft)
  }

  @Test(
    "MSAL for Android: who can sign in",
    arguments: [
      ("AzureADMultipleOrgs", "organizations"), ("AzureADandPersonalMicrosoftAccount", "common"),
      ("PersonalMicrosoftAccount", "consumers"),
    ])
  func androidAudiences(_ audience: String, _ tenant: String) throws {
    let draft = try Self.draft(
      #"{"client_id": "\#(Self.id)", "authorities": [{"type": "AAD", "audience": {"type": "\#(audience)"}}]}"#
    )
    #expect(draft.authority == "https://login.microsoftonline.com/\(tenant)")
    try Self.check(draft)
  }

  @Test("MSAL for Android: External ID and Azure AD B2C")
  func androidCustomers() throws {
    let external = try Self.draft(
      #"{"client_id": "\#(Self.id)", "authorities": [{"type": "CIAM", "authority_url": "https://contoso.ciamlogin.com/"}]}"#
    )
    #expect(external.authorityKind == .externalID)
    #expect(external.authority == "https://contoso.ciamlogin.com/")
    try Self.check(external)

    var b2c = try Self.draft(
      #"{"client_id": "\#(Self.id)", "authorities": [{"type": "B2C", "authority_url": "https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/B2C_1_SUSI/"}]}"#
    )
    #expect(b2c.authorityKind == .b2c)
    b2c.api = "https://api.contoso.example/"
    try Self.check(b2c)
  }

  @Test("MSAL Python's samples: parameters.json")
  func python() throws {
    let draft = try Self.draft(
      """
      {
        "authority": "https://login.microsoftonline.com/organizations",
        "client_id": "\(Self.id)",
        "scope": ["User.ReadBasic.All"],
        "endpoint": "https://graph.microsoft.com/v1.0/users"
      }
      """)
    #expect(draft.authority == "https://login.microsoftonline.com/organizations")
    #expect(draft.scopes == ["User.ReadBasic.All"])
    #expect(draft.api == "https://graph.microsoft.com/v1.0/users")
    try Self.check(draft)
  }

  @Test(
    "An API that would get tokens for a Microsoft service is left out, and the draft says so",
    arguments: [
      #""endpoint": "https://evil.example/me""#,
      #""endpoint": "https://evil.example/me", "scope": ["User.Read", "Mail.Read"]"#,
      #""endpoint": "https://evil.example/v1.0", "authority": "https://login.a.example/common""#,
      #""graphMeEndpoint": "http://evil.example/me""#,
      #""endpoint": "https://evil.example", "scope": "https://outlook.office.com/Mail.Read""#,
      #""endpoint": "https://graph.microsoft.com@evil.example/me""#,
    ])
  func foreignAPI(members: String) throws {
    let draft = try Self.draft(#"{"client_id": "\#(Self.id)", \#(members)}"#)
    #expect(draft.api == "")
    #expect(draft.remark.map { "\($0)" }?.contains("evil.example") == true)
    try Self.check(draft)
  }

  @Test(
    "An API that gets its own tokens, and one on this computer, is taken over",
    arguments: [
      #""endpoint": "https://api.example/me", "scope": ["api://x/read"]"#,
      #""endpoint": "https://localhost:5555/v1.0/me", "scope": ["User.Read"]"#,
    ])
  func ownAPI(members: String) throws {
    let draft = try Self.draft(#"{"client_id": "\#(Self.id)", \#(members)}"#)
    #expect(draft.api.hasSuffix("/me") && draft.remark == nil)
    try Self.check(draft)
  }

  @Test("Microsoft.Identity.Web: appsettings.json, with its comments and byte order mark")
  func dotNET() throws {
    let draft = try Self.draft(
      """
      \u{FEFF}{
        // The registration.
        "AzureAd": {
          "Instance": "https://login.microsoftonline.com/",
          "Domain": "contoso.onmicrosoft.com",
          "TenantId": "\(Self.tenant)",
          "ClientId": "\(Self.id)",
          "CallbackPath": "/signin-oidc"
        },
        "DownstreamApi": {
          "BaseUrl": "https://graph.microsoft.com/v1.0",
          "Scopes": "openid user.read mail.read"
        }
      }
      """)
    #expect(draft.authority == "https://login.microsoftonline.com/\(Self.tenant)")
    #expect(draft.scopes == ["user.read", "mail.read"])
    #expect(draft.api == "https://graph.microsoft.com/v1.0/me")
    try Self.check(draft)
  }

  @Test("The .NET console samples: an instance with a place for the tenant")
  func dotNETConsole() throws {
    let draft = try Self.draft(
      #"{"Instance": "https://login.microsoftonline.us/{0}", "Tenant": "\#(Self.tenant)", "ClientId": "\#(Self.id)"}"#
    )
    #expect(draft.authority == "https://login.microsoftonline.us/\(Self.tenant)")
    try Self.check(draft)
  }

  @Test(
    "az ad app list: each app with its name, and the redirect URI of this app if it is registered")
  func azureCLI() throws {
    let drafts = try ConnectionImport.drafts(
      from: """
        [
          { "appId": "\(Self.id)", "displayName": "Desktop", "signInAudience": "AzureADMyOrg",
            "publisherDomain": "contoso.onmicrosoft.com",
            "publicClient": { "redirectUris": [
              "http://localhost", "msauth.com.contoso.app://auth",
              "msauth.io.github.entrance.entrance://auth" ] },
            "requiredResourceAccess": [ { "resourceAppId": "\(Self.tenant)" } ] },
          { "appId": "\(Self.tenant)", "displayName": "Phone",
            "signInAudience": "AzureADandPersonalMicrosoftAccount",
            "publicClient": { "redirectUris": [ "http://localhost", "msauth.com.contoso.app://auth" ] } }
        ]
        """)
    #expect(drafts.map(\.name) == ["Desktop", "Phone"])
    #expect(drafts.map(\.redirectURI) == ["", "msauth.com.contoso.app://auth"])
    #expect(
      drafts.map(\.authority) == [
        "https://login.microsoftonline.com/contoso.onmicrosoft.com",
        "https://login.microsoftonline.com/common",
      ])
    for draft in drafts { try Self.check(draft) }
  }

  @Test("An app that is described twice is found once, with the name that one of them has")
  func twice() throws {
    let unnamed = #"{"client_id": "\#(Self.id)"}"#
    let named = #"{"appId": "\#(Self.id)", "displayName": "Desktop"}"#
    let other = #"{"appId": "\#(Self.id)", "displayName": "Phone"}"#
    #expect(try Self.draft("[\(unnamed), \(unnamed)]").name == "")
    for two in [[unnamed, named], [named, unnamed], [named, named]] {
      #expect(try Self.draft("[\(two.joined(separator: ", "))]").name == "Desktop")
    }
    let drafts = try ConnectionImport.drafts(from: "[\(named), \(unnamed), \(other), \(named)]")
    #expect(drafts.map(\.name) == ["Desktop", "Phone"])
  }

  @Test("An app that is described twice has what both say, and the first counts where they differ")
  func union() throws {
    let registration =
      #"{"appId": "\#(Self.id)", "displayName": "Desktop", "signInAudience": "AzureADMultipleOrgs"}"#
    let configuration = """
      {"client_id": "\(Self.id.uppercased())", "authority": "https://login.microsoftonline.com/common",
        "redirect_uri": "msauth.com.contoso.app://auth", "scope": ["Mail.Read"],
        "endpoint": "https://graph.microsoft.com/v1.0/me/messages"}
      """
    let entry = #"{"clientID": "\#(Self.id)", "scopes": ["User.Read", "Mail.Read"], "typo": 1}"#
    let draft = try Self.draft("[\(registration), \(configuration), \(entry)]")
    #expect(draft.name == "Desktop" && draft.clientID == Self.id)
    #expect(draft.authority == "https://login.microsoftonline.com/organizations")
    #expect(draft.redirectURI == "msauth.com.contoso.app://auth")
    #expect(draft.api == "https://graph.microsoft.com/v1.0/me/messages")
    #expect(draft.scopes == ["Mail.Read", "User.Read"])
    #expect(draft.remark.map { "\($0)" }?.contains("typo") == true)
    try Self.check(draft)
    // Each of several apps with this client ID has its own.
    let named = #"{"clientID": "\#(Self.id)", "name": "Phone", "scopes": ["Files.Read"]}"#
    let api = "https://graph.microsoft.com/x"
    let more = #"{"clientID": "\#(Self.id)", "name": "Phone", "api": "\#(api)"}"#
    let drafts = try ConnectionImport.drafts(from: "[\(registration), \(named), \(more)]")
    #expect(drafts.map(\.name) == ["Desktop", "Phone"])
    #expect(drafts.map(\.scopes) == [[], ["Files.Read"]])
    #expect(drafts.map(\.api) == ["", api])
  }

  @Test("What a second description says about another sign-in service or API is not taken")
  func otherService() throws {
    let own = """
      {"clientID": "\(Self.id)", "authority": "https://login.microsoftonline.com/common",
        "api": "https://graph.microsoft.com/v1.0/me"}
      """
    let authority = "https://contoso.b2clogin.com/contoso/B2C_1_SUSI"
    let other = """
      {"clientID": "\(Self.id)", "authority": "\(authority)", "authorityKind": "b2c",
        "knownAuthorities": ["\(authority)"], "api": "https://api.contoso.example/",
        "scopes": ["https://contoso.example/api/read"]}
      """
    let draft = try Self.draft("[\(own), \(other)]")
    #expect(draft.authority == "https://login.microsoftonline.com/common")
    #expect(draft.authorityKind == nil && draft.knownAuthorities.isEmpty && draft.scopes.isEmpty)
    #expect(draft.api == "https://graph.microsoft.com/v1.0/me")
    try Self.check(draft)
  }

  @Test("An API is left out if it would get tokens for the permissions of another description")
  func foreignAPIOfTwo() throws {
    let api = """
      {"clientID": "\(Self.id)", "api": "https://evil.example/me", "scopes": ["api://x/read"]}
      """
    let scopes = #"{"clientID": "\#(Self.id)", "scopes": ["Mail.Read"]}"#
    let draft = try Self.draft("[\(api), \(scopes)]")
    #expect(draft.api.isEmpty && draft.remark.map { "\($0)" }?.contains("evil.example") == true)
  }

  @Test("Very many descriptions of one app are read in a moment, with some of their remarks")
  func many() throws {
    let entries = (0..<2500).map {
      #"{"clientID": "\#(Self.id)", "scopes": ["s\#($0)"], "x\#($0)": 1}"#
    }
    let draft = try Self.draft("[\(entries.joined(separator: ","))]")
    #expect(draft.scopes.count == 256)
    let remark = "\(try #require(draft.remark))"
    #expect(remark.utf8.count < 2000)
  }

  @Test(
    "Text copied from the portal, an .env file, a command line, or an ID alone",
    arguments: [
      (
        "Display name\n:\nDesktop\nApplication (client) ID\n:\n\(id)\nObject ID\n:\n"
          + "88888888-2222-3333-4444-555555555555\nDirectory (tenant) ID\n:\n\(tenant)\n",
        "https://login.microsoftonline.com/\(tenant)"
      ),
      (
        "AZURE_TENANT_ID=\(tenant)\nAZURE_CLIENT_ID=\"\(id.uppercased())\"\n",
        "https://login.microsoftonline.com/\(tenant)"
      ),
      ("app --client-id \(id) --verbose", ""),
      ("  \(id)\n", ""),
    ])
  func copied(_ text: String, _ authority: String) throws {
    let draft = try Self.draft(text)
    #expect(draft.clientID == Self.id)
    #expect(draft.authority == authority)
    try Self.check(draft)
  }

  @Test(
    "Say so when there is no client ID",
    arguments: [
      "", "{}", "[]", "null", #"{"client_id": 5}"#, "\(id) \(tenant)", "{\"client_id\":",
      String(repeating: "[", count: 100_000), String(repeating: "{\"a\":", count: 60_000),
    ])
  func nothing(_ text: String) {
    #expect(throws: ConnectionFileError.self) { try ConnectionImport.drafts(from: text) }
  }
}
