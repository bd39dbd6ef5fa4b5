import AuthCore
import Connections
import Testing

/// The texts are those of Microsoft's documentation and samples, with IDs that belong to nobody.
@Suite("Importing source code and addresses")
struct CopiedTextTests {
  static let id = ConnectionImportTests.id
  static let tenant = ConnectionImportTests.tenant

  /// Checks the draft, and that the person can save it.
  static func check(
    _ text: String, _ authority: String, scopes: [String] = [], name: String = "",
    redirectURI: String = ""
  ) throws {
    let draft = try ConnectionImportTests.draft(text)
    #expect(draft.clientID == id)
    #expect(draft.authority == authority)
    #expect(draft.scopes == scopes)
    #expect(draft.name == name)
    #expect(draft.redirectURI == redirectURI)
    try ConnectionImportTests.check(draft)
  }

  @Test("MSAL.js: authConfig.js")
  func javaScript() throws {
    try Self.check(
      """
      export const msalConfig = {
          auth: {
              clientId: "\(Self.id)", // This is the ONLY mandatory field that you need to supply.
              authority: 'https://login.microsoftonline.us/\(Self.tenant)',
              knownAuthorities: [],
              redirectUri: "http://localhost:3000/",
              navigateToLoginRequestUrl: true,
          },
          telemetry: { application: { appName: "Contoso Mail", appVersion: "1.0.0" } },
      };
      // Add scopes here for ID token to be used at Microsoft identity platform endpoints.
      export const loginRequest = {
          scopes: ["openid", "User.Read",
                   "Mail.Read"],
      };
      """, "https://login.microsoftonline.us/\(Self.tenant)", scopes: ["User.Read", "Mail.Read"],
      name: "Contoso Mail")
  }

  @Test(
    "A sign-in service of one's own is trusted, in source code and in JSON, as if it were typed",
    arguments: [
      #"const msalConfig = { auth: { clientId: "ID", authority: "https://login.contoso.example/common" } };"#,
      #"{ "clientId": "ID", "authority": "https://login.contoso.example/common" }"#,
    ])
  func ownService(text: String) throws {
    let draft = try ConnectionImportTests.draft(
      text.split(separator: "ID").joined(separator: Self.id))
    #expect(draft.knownAuthorities == ["https://login.contoso.example/common"])
    try ConnectionImportTests.check(draft)
  }

  @Test(
    "Microsoft's own services need no trust of the person",
    arguments: [
      "https://login.microsoftonline.com/common", "https://login.microsoftonline.us/organizations",
      "https://contoso.ciamlogin.com",
    ])
  func microsoftsServices(authority: String) throws {
    let draft = try ConnectionImportTests.draft(
      #"const auth = { clientId: "\#(Self.id)", authority: "\#(authority)" };"#)
    #expect(draft.knownAuthorities.isEmpty)
  }

  @Test("MSAL Node: the tenant in a variable of its own")
  func node() throws {
    try Self.check(
      """
      TENANT_SUBDOMAIN=contoso
      CLOUD_INSTANCE="https://login.microsoftonline.com/" # cloud instance string should end with a trailing slash
      TENANT_ID="\(Self.tenant)"
      CLIENT_ID="\(Self.id)"
      const msalConfig = { auth: { clientId: process.env.CLIENT_ID,
        authority: process.env.CLOUD_INSTANCE + process.env.TENANT_ID } };
      """, "https://login.microsoftonline.com/\(Self.tenant)")
  }

  @Test("MSAL for iOS and macOS: the constants of the tutorial")
  func swift() throws {
    try Self.check(
      """
      // Update the below to your client ID. The below is for running the demo only
      let kClientID = "\(Self.id)"
      let kGraphEndpoint = "https://graph.microsoft.com/" // the Microsoft Graph endpoint
      let kAuthority = "https://login.microsoftonline.com/contoso.onmicrosoft.com"
      let kRedirectUri = "msauth.com.contoso.app://auth"

      let kScopes: [String] = ["user.read", "calendars.read"]
      """, "https://login.microsoftonline.com/contoso.onmicrosoft.com",
      scopes: ["user.read", "calendars.read"], redirectURI: "msauth.com.contoso.app://auth")
  }

  @Test("The address of a sign-in page")
  func address() throws {
    try Self.check(
      "https://login.partner.microsoftonline.cn/\(Self.tenant)/oauth2/v2.0/authorize?client_id=\(Self.id)"
        + "&response_type=code&redirect_uri=http%3A%2F%2Flocalhost%2Fmyapp%2F&response_mode=query"
        + "&scope=offline_access%20https%3A%2F%2Fmicrosoftgraph.chinacloudapi.cn%2Fmail.read+user.read&state=12345",
      "https://login.partner.microsoftonline.cn/\(Self.tenant)",
      scopes: ["https://microsoftgraph.chinacloudapi.cn/mail.read", "user.read"])
  }

  @Test(
    "The address of a sign-in page: who can sign in",
    arguments: [
      ("login.windows.net/common", "login.microsoftonline.com/common"),
      ("login.microsoftonline.com/consumers", "login.microsoftonline.com/consumers"),
      (
        "contoso.ciamlogin.com/contoso.onmicrosoft.com",
        "contoso.ciamlogin.com/contoso.onmicrosoft.com"
      ),
    ])
  func audiences(_ page: String, _ authority: String) throws {
    try Self.check(
      "https://\(page)/oauth2/v2.0/authorize?client_id=\(Self.id)&scope=openid",
      "https://\(authority)")
  }

  @Test("MSAL.NET: the constants of the desktop tutorial")
  func dotNET() throws {
    try Self.check(
      """
      private static string ClientId = "\(Self.id)";
      // Note: Tenant is important for the quickstart.
      private static string Tenant = "organizations";
      private static string Instance = "https://login.microsoftonline.com/";
      string[] scopes = new string[] { "user.read" };
      """, "https://login.microsoftonline.com/organizations", scopes: ["user.read"])
  }

  @Test("MSAL Python: the tenant in the middle of a text")
  func python() throws {
    try Self.check(
      """
      AUTHORITY = f"https://login.microsoftonline.com/{os.environ['TENANT_ID']}"
      app = PublicClientApplication("\(Self.id)", authority=AUTHORITY)
      os.environ["TENANT_ID"] = "\(Self.tenant)"
      result = app.acquire_token_interactive(scopes=["Files.Read"])
      """, "https://login.microsoftonline.com/\(Self.tenant)", scopes: ["Files.Read"])
  }

  @Test(
    "Settings of Azure Identity, in a national cloud",
    arguments: ["https://login.microsoftonline.us", "login.microsoftonline.us"])
  func environment(_ host: String) throws {
    try Self.check(
      "AZURE_AUTHORITY_HOST=\(host)\nAZURE_TENANT_ID=\(Self.tenant)\nAZURE_CLIENT_ID=\(Self.id)\n",
      "https://login.microsoftonline.us/\(Self.tenant)")
  }

  @Test("MSAL.NET's configuration: the cloud by its name")
  func cloud() throws {
    try Self.check(
      #"{"AzureAd": {"AzureCloudInstance": "AzureUsGovernment", "TenantId": "\#(Self.tenant)", "ClientId": "\#(Self.id)", "ClientName": "Contoso"}}"#,
      "https://login.microsoftonline.us/\(Self.tenant)", name: "Contoso")
  }

  @Test("MSAL.js as JSON: the permissions of the request beside the app")
  func json() throws {
    try Self.check(
      """
      {"auth": {"clientId": "\(Self.id)", "authority": "https://login.microsoftonline.com/common"},
       "loginRequest": {"scopes": ["openid", "Mail.Read"]}}
      """, "https://login.microsoftonline.com/common", scopes: ["Mail.Read"])
  }

  @Test("The overview page of the portal: name and tenant")
  func portal() throws {
    try Self.check(
      "Display name\n:\nContoso Desktop\nApplication (client) ID\n:\n\(Self.id)\nObject ID\n:\n"
        + "88888888-2222-3333-4444-555555555555\nDirectory (tenant) ID\n:\n\(Self.tenant)\n"
        + "Supported account types\n:\nMy organization only\n",
      "https://login.microsoftonline.com/\(Self.tenant)", name: "Contoso Desktop")
  }

  @Test("The permissions in an address, however many")
  func manyScopes() throws {
    let scopes = (1...60).map { "https://graph.microsoft.com/Scope\($0).Read" }
    let encoded = scopes.map { $0.replacing(":", with: "%3A").replacing("/", with: "%2F") }
    try Self.check(
      "https://login.microsoftonline.com/common/oauth2/v2.0/authorize?client_id=\(Self.id)"
        + "&scope=openid%20\(encoded.joined(separator: "%20"))&state=1",
      "https://login.microsoftonline.com/common", scopes: scopes)
  }

  /// The form is that of mutt_oauth2.py, which mutt has in its folder contrib.
  private static let google = """
        'google': {
            'authorize_endpoint': 'https://accounts.google.com/o/oauth2/auth',
            'redirect_uri': 'urn:ietf:wg:oauth:2.0:oob',
            'sasl_method': 'OAUTHBEARER',
            'scope': 'https://mail.google.com/',
            'client_id': '1234567890-abc.apps.googleusercontent.com',
            'client_secret': '',
        },

    """

  private static let microsoft = """
        'microsoft': {
            'authorize_endpoint': 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize',
            'redirect_uri': 'https://login.microsoftonline.com/common/oauth2/nativeclient',
            'tenant': 'common',
            'sasl_method': 'XOAUTH2',
            'scope': ('offline_access https://outlook.office.com/IMAP.AccessAsUser.All '
                      'https://outlook.office.com/POP.AccessAsUser.All '
                      'https://outlook.office.com/SMTP.Send'),
            'client_id': '\(id)',
            'client_secret': '',
        },
    }
            p.update({'scope': registration['scope'], 'client_id': registration['client_id']})

    """

  @Test(
    "mutt_oauth2.py: the permissions beside the client ID, all of them", arguments: ["", google])
  func mutt(other: String) throws {
    let draft = try ConnectionImportTests.draft("registrations = {\n\(other)\(Self.microsoft)")
    #expect(draft.clientID == Self.id && draft.remark == nil && draft.redirectURI == "")
    #expect(draft.authority == "https://login.microsoftonline.com/common")
    let host = "https://outlook.office.com"
    #expect(
      draft.scopes == [
        "\(host)/IMAP.AccessAsUser.All", "\(host)/POP.AccessAsUser.All", "\(host)/SMTP.Send",
      ])
    try ConnectionImportTests.check(draft)
  }

  @Test(
    "The forms of a list of permissions",
    arguments: [
      #"Connect-MgGraph -Scopes "User.Read","Mail.Read" -ClientId ID"#,
      "clientId: 'ID', scopes: [\n 'User.Read', // who\n 'Mail.Read', # what\n],",
      "client_id = 'ID'\nscope = 'User.Read ' \\\n  'Mail.Read'",
      #"var scopes = Arrays.asList("User.Read", "Mail.Read"); var clientId = "ID";"#,
      #"clientId: "ID", scope: "User.Read " + "Mail.Read", tenant: "common""#,
      #"{'scope': 'User.Read,Mail.Read', 'client_id': 'ID', }"#,
    ])
  func lists(text: String) throws {
    let draft = try ConnectionImportTests.draft(text.replacing("ID", with: Self.id))
    #expect(draft.scopes == ["User.Read", "Mail.Read"])
    #expect(draft.remark == nil)
  }

  @Test(
    "A name in the text is no permission, and a list that cannot be read is left out as a whole",
    arguments: [
      #"CLIENT_ID="ID"; scopes = [BASE_SCOPE, "Mail.Read"]"#,
      #"CLIENT_ID="ID"; scopes = ["User.Read", MAIL_SCOPE]"#,
      #"CLIENT_ID="ID"; scopes = {"mail": "Mail.Read"}"#,
      #"CLIENT_ID="ID"; scope = os.environ["SCOPE"]"#,
      #"CLIENT_ID="ID"; scope = os.getenv("SCOPE")"#,
    ])
  func unread(text: String) throws {
    let draft = try ConnectionImportTests.draft(
      text.replacing("ID=\"ID", with: "ID=\"\(Self.id)"))
    #expect(draft.scopes == [])
    #expect(draft.remark.map { "\($0)" }?.contains("permissions cannot be read") == true)
  }

  @Test(
    "A text that repeats a name is read at once", .timeLimit(.minutes(5)),
    arguments: [
      "tenant", "scope", "scope%20", "scope \"?\",", "scope [\"?\"#", "app_name", "redirect_uri",
      "authority", "https://", "(client)", "client_secret",
    ])
  func repetition(text: String) throws {
    let count = ConnectionFile.maximumSize / 2 / text.utf8.count
    let draft = try ConnectionImportTests.draft(
      "client_id=\(Self.id)\n" + String(repeating: text, count: count))
    #expect(draft.clientID == Self.id)
  }

  @Test("Take no placeholder for a tenant, and no redirect URI for who signs people in")
  func placeholders() throws {
    try Self.check(
      """
      clientId: "\(Self.id)", authority: "https://login.microsoftonline.com/Enter_the_Tenant_Info_Here",
      redirectUri: "https://login.microsoftonline.com/common/oauth2/nativeclient"
      """, "https://login.microsoftonline.com/common")
    try Self.check(
      "ClientId = \(Self.id)\nRedirectUri = http://localhost\nThe scope of this is wide.", "")
  }
}
