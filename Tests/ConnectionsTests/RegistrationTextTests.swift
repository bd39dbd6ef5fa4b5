import AuthCore
import Connections
import Testing

/// What is missing in the registration of an app, and the pages of the admin center in the languages
/// of Entrance.
@Suite("Importing registrations")
struct RegistrationTextTests {
  static let id = ConnectionImportTests.id
  static let tenant = ConnectionImportTests.tenant
  static let object = "88888888-2222-3333-4444-555555555555"

  private static func remark(of text: String) throws -> String {
    try ConnectionImportTests.draft(text).remark.map { "\($0)" } ?? ""
  }

  /// The labels are those that Microsoft's documentation in these languages names.
  @Test(
    "The overview page in the languages of Entrance, in one line each or as a browser copies it",
    arguments: [
      ["Anzeigename", "Anwendungs-ID (Client)", "Objekt-ID", "Verzeichnis-ID (Mandant)"],
      [
        "Nom d’affichage", "ID d’application (client)", "ID de l’objet",
        "ID de l’annuaire (locataire)",
      ],
      [
        "Nombre para mostrar", "Id. de aplicación (cliente)", "Id. de objeto",
        "Id. de directorio (inquilino)",
      ],
      ["表示名", "アプリケーション (クライアント) ID", "オブジェクト ID", "ディレクトリ (テナント) ID"],
      ["اسم العرض", "معرف التطبيق (العميل)", "معرف الكائن", "معرف الدليل (المستأجر)"],
    ], [": ", "\u{A0}: ", "\n:\n"])
  func languages(_ labels: [String], _ sign: String) throws {
    let values = ["Contoso Desktop", Self.id, Self.object, Self.tenant]
    let text = zip(labels, values).map { $0 + sign + $1 }.joined(separator: "\n")
    try CopiedTextTests.check(
      text, "https://login.microsoftonline.com/\(Self.tenant)", name: "Contoso Desktop")
  }

  @Test("Of several IDs with unknown names, none is taken, and the way on is said")
  func unknownNames() {
    let text = "Klient: \(Self.id)\nKatalog: \(Self.tenant)"
    let error = #expect(throws: ConnectionFileError.self) {
      try ConnectionImport.drafts(from: text)
    }
    #expect(error.map { "\($0)" }?.contains("set the admin center to English") == true)
  }

  @Test(
    "An app for one organization whose name is missing",
    arguments: [
      #"{"appId": "@", "signInAudience": "AzureADMyOrg"}"#,
      #"{"client_id": "@", "authorities": [{"audience": {"type": "AzureADMyOrg"}}]}"#,
      "appId: @\nsignInAudience: AzureADMyOrg\n",
    ])
  func noOrganization(text: String) throws {
    let remark = try Self.remark(of: text.replacing("@", with: Self.id))
    #expect(remark.contains("domain or tenant ID"))
  }

  @Test("The domain of an app for one organization, in JSON and in YAML")
  func domain() throws {
    let domain = "contoso.example"
    for text in [
      #"{"appId": "\#(Self.id)", "signInAudience": "AzureADMyOrg", "publisherDomain": "\#(domain)"}"#,
      "appId: \(Self.id)\npublisherDomain: \(domain)\nsignInAudience: AzureADMyOrg\n",
    ] {
      let draft = try ConnectionImportTests.draft(text)
      #expect(draft.authority == "https://login.microsoftonline.com/\(domain)")
      #expect(draft.remark == nil)
    }
  }

  @Test(
    "A registration that is no public client needs a setting",
    arguments: [
      #""isFallbackPublicClient": null, "web": {"redirectUris": ["https://contoso.example/a"]}"#,
      #""isFallbackPublicClient": false, "publicClient": {"redirectUris": []}"#,
      #""spa": {"redirectUris": ["https://contoso.example/a"]}"#,
      #""allowPublicClient": null, "replyUrlsWithType": [{"type": "Web", "url": "https://a.example"}]"#,
    ])
  func confidential(members: String) throws {
    let remark = try Self.remark(of: #"{"appId": "\#(Self.id)", \#(members)}"#)
    #expect(remark.contains("not registered as a public client"))
    #expect(remark.contains("“Allow public client flows”") && remark.contains("“Authentication”"))
  }

  @Test(
    "A public client needs none",
    arguments: [
      #""isFallbackPublicClient": true, "web": {"redirectUris": ["https://contoso.example/a"]}"#,
      #""isFallbackPublicClient": null, "publicClient": {"redirectUris": ["http://localhost"]}"#,
      #""replyUrlsWithType": [{"type": "InstalledClient", "url": "http://localhost"}]"#,
      #""secret": """#,
    ])
  func publicClient(members: String) throws {
    #expect(try Self.remark(of: #"{"appId": "\#(Self.id)", \#(members)}"#) == "")
  }

  @Test(
    "A client secret is not kept, and the person is told",
    arguments: [
      #"{"client_id": "@", "secret": "abc~DEF.ghi-JKL_0123456789"}"#,
      #"{"AzureAd": {"ClientId": "@", "ClientSecret": "abc~DEF.ghi-JKL_0123456789"}}"#,
      "AZURE_CLIENT_ID=\"@\"\nAZURE_CLIENT_SECRET=abc~DEF.ghi-JKL_0123456789\n",
      "client_id = \"@\"\nclient_secret = 'abc~DEF.ghi-JKL_0123456789'\n",
    ])
  func secret(text: String) throws {
    let draft = try ConnectionImportTests.draft(text.replacing("@", with: Self.id))
    #expect(draft.remark.map { "\($0)" }?.contains("not used here and was not kept") == true)
    #expect(!"\(draft)".contains("0123456789"))
  }

  @Test("The name of a variable is no client secret")
  func noSecret() throws {
    let text = """
      clientId: "\(Self.id)", clientSecret: process.env.CLIENT_SECRET
      client_secret = os.environ["AZURE_CLIENT_SECRET_2"]
      'client_secret': '',
      """
    #expect(try Self.remark(of: text) == "")
  }
}
