import Connections
import Testing

@Suite("The API of a connection")
struct ConnectionAPITests {
  static let id = "11111111-2222-3333-4444-555555555555"

  /// A tenant of External ID at a domain of its own.
  static func customers(_ authority: String) -> String {
    #""authorityKind": "externalID", "authority": "\#(authority)", "#
      + #""knownAuthorities": ["\#(authority)"]"#
  }

  @Test(
    "Tokens for Microsoft’s services are for their hosts, and for a service of one’s own",
    arguments: [
      (#""api": "https://evil.example/me""#, false),
      (#""api": "https://evil.example/me", "scopes": ["Mail.Read", "email"]"#, false),
      (#""api": "https://evil.example/me", "scopes": ["openid", "email"]"#, false),
      (
        #""api": "https://evil.example/me", "scopes": ["https://graph.microsoft.us/.default"]"#,
        false
      ),
      (#""api": "https://graph.microsoft.com.evil.example/v1.0/me""#, false),
      (#""api": "https://localhost.evil.example/v1.0/me""#, false),
      (#""api": "https://graph.microsoft.com:444/v1.0/me""#, false),
      (
        #""api": "https://evil.example/me", "authority": "https://contoso.ciamlogin.com""#, false
      ),
      (
        #""api": "https://evil.example", \#(customers("https://login.a.example/a"))"#, false
      ),
      (#""api": "https://sharepoint.com.evil.example", "scopes": ["Files.Read"]"#, false),
      (
        #""api": "https://login.a.example/me", \#(customers("https://login.a.example/a"))"#, true
      ),
      (
        #""api": "https://desk.example/me", \#(customers("https://localhost:5555/a"))"#, true
      ),
      (#""scopes": ["https://outlook.office.com/IMAP.AccessAsUser.All"]"#, true),
      (#""api": "https://a.sharepoint.com/_api", "scopes": ["https://b.sharepoint.com/x"]"#, true),
      (#""api": "https://api.example/me", "scopes": ["email", "api://x/read"]"#, true),
      (#""api": "https://api.example/me", "scopes": ["\#(id)/.default"]"#, true),
      (#""api": "HTTPS://graph.microsoft.us:443/beta/me", "scopes": ["Mail.Read"]"#, true),
      (#""api": "https://localhost:5555/v1.0/me""#, true),
      (#""api": "https://[::1]:5555/v1.0/me""#, true),
      (
        #""api": "https://desk.example/v1.0/me", "authority": "https://desk.example/common""#, true
      ),
    ] as [(String, Bool)])
  func graphTokens(members: String, isTaken: Bool) {
    let text = #"{"version": 1, "apps": [{"name": "N", "clientID": "\#(Self.id)", \#(members)}]}"#
    do throws(ConnectionFileError) {
      _ = try ConnectionFile.parse(text.utf8)
      #expect(isTaken)
    } catch {
      #expect(!isTaken && error.field == "apps[0].api", "\(error)")
    }
  }

  @Test(
    "An app’s API gets no token for another service, whichever scopes are asked for",
    arguments: [
      ("Mail.Read", false), ("offline_access", false), ("user_impersonation", false),
      ("https://graph.microsoft.com/Mail.Read", false),
      ("HTTPS://Graph.Microsoft.com//.default", false),
      ("graph.microsoft.us/.default", false),
      ("https://canary.graph.microsoft.com/.default", false),
      ("00000003-0000-0000-c000-000000000000/.default", false),
      ("https://outlook.office.com/Mail.Read", false),
      ("https://outlook.office365.com/.default", false),
      ("https://graph.windows.net/.default", false),
      ("https://management.azure.com/.default", false),
      ("https://management.core.windows.net//.default", false),
      ("https://contoso-my.sharepoint.com/.default", false),
      ("https://api.contoso.example/.default", true), ("api://x/read", true),
      ("\(id)/.default", true), (id, true),
      ("https://sharepoint.com.contoso.example/.default", true),
    ])
  func otherScopes(scope: String, mayGetToken: Bool) throws {
    func app(_ api: String) throws -> Connection {
      let text = """
        {"version": 1, "apps": [{"name": "N", "clientID": "\(Self.id)", "api": "\(api)", \
        "scopes": ["\(Self.id)/read"]}]}
        """
      return try #require(try ConnectionFile.parse(text.utf8).first)
    }
    let own = try app("https://api.contoso.example/me")
    #expect(own.apiMayGetToken(with: own.scopes))
    #expect(own.apiMayGetToken(with: [scope]) == mayGetToken)
    let isOpenID = scope == "offline_access"
    #expect(own.apiMayGetToken(with: own.scopes + [scope]) == (mayGetToken || isOpenID))
    for api in ["https://graph.microsoft.com/v1.0/me", "https://localhost:5555/me"] {
      #expect(try app(api).apiMayGetToken(with: [scope]))
    }
  }
}
