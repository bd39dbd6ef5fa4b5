import CurlHTTP
import FoundationEssentials
import HTTPTypes
import Testing

@testable import IdentityEmulator

/// Applications that Microsoft Graph is asked to create, and sign-ins to them.
///
/// https://learn.microsoft.com/graph/api/application-post-applications
struct GraphApplicationsTests {
  private static let scopes = "User.Read Application.ReadWrite.All"

  /// A public client for one organization.
  private static let body = #"""
    {
      "displayName": "Notes", "signInAudience": "AzureADMyOrg", "isFallbackPublicClient": true,
      "publicClient": { "redirectUris": ["\#(Client.redirectURI)", "http://localhost"] },
      "requiredResourceAccess": [{
        "resourceAppId": "00000003-0000-0000-c000-000000000000",
        "resourceAccess": [{ "id": "e1fe6dd8-ba31-4d61-89e7-88639da4683d", "type": "Scope" }]
      }]
    }
    """#

  private func withGraph(
    _ username: String = "adele@contoso.example", scopes: String = Self.scopes,
    _ body: (Emulator, Client, GraphSession) async throws -> Void
  ) async throws {
    var configuration = EmulatorConfiguration()
    configuration.colleagueCount = 0
    try await withEmulator(configuration) { emulator, client in
      let graph = try await GraphSession(emulator, client, username, scopes: scopes)
      try await body(emulator, client, graph)
    }
  }

  /// The address that begins a sign-in to an application.
  private func url(
    _ client: Client, _ clientID: String, tenant: String = "contoso.example"
  ) -> String {
    client.authorizationURL(tenant: tenant)
      .replacing(ClientRegistration.demo.clientID, with: clientID)
  }

  private func token(
    _ client: Client, _ clientID: String, _ form: String, tenant: String = "contoso.example"
  ) async throws -> TokenReply {
    try TokenReply(
      try await client.post(
        "/\(tenant)/oauth2/v2.0/token", form: "client_id=\(clientID)&\(form)"))
  }

  private func code(in redirect: String) throws -> String {
    try #require(Form(encoded: redirect.split(separator: "?").last ?? "")["code"])
  }

  @Test func `What was created has both IDs and all that was sent`() async throws {
    try await withGraph { _, _, graph in
      let made = try await graph(.post, "/applications", Self.body)
      #expect(made.status == 201)
      let id = try #require(made.json["id"]?.string)
      let appID = try #require(made.json["appId"]?.string)
      #expect(UUID(uuidString: id) != nil && UUID(uuidString: appID) != nil && id != appID)
      #expect(made.json["displayName"]?.string == "Notes")
      #expect(made.json["signInAudience"]?.string == "AzureADMyOrg")
      #expect(made.json["publisherDomain"]?.string == "contoso.example")
      let uris = made.json["publicClient"]?["redirectUris"]?.items?.map(\.string)
      #expect(uris == [Client.redirectURI, "http://localhost"])
      #expect(made.json["requiredResourceAccess"]?.items?.count == 1)

      #expect(try await graph(.get, "/applications/\(id)").json["appId"]?.string == appID)
      let found = try await graph(.get, "/applications?$filter=appId%20eq%20'\(appID)'").items
      #expect(found.map { $0["id"]?.string } == [id])
      let others = try await graph(.get, "/applications?$filter=appId%20eq%20'\(id)'").items
      #expect(others.isEmpty)
    }
  }

  @Test func `People of the organization sign in to it until it is deleted`() async throws {
    try await withGraph { emulator, client, graph in
      let made = try await graph(.post, "/applications", Self.body).json
      let (id, appID) = (
        try #require(made["id"]?.string), try #require(made["appId"]?.string)
      )
      let redirect = try await emulator.signIn(
        "bram@contoso.example", at: url(client, appID))
      let tokens = try await token(
        client, appID,
        "grant_type=authorization_code&code=\(try code(in: redirect))"
          + "&redirect_uri=\(Client.redirectURI)&code_verifier=\(Client.verifier)")
      #expect(tokens.accessToken != nil && tokens.refreshToken != nil)
      // Of the loopback address, the port may be any.
      let loopback = url(client, appID).replacing(Client.redirectURI, with: "http://localhost:1234")
      #expect(
        try await emulator.signIn("bram@contoso.example", at: loopback)
          .hasPrefix("http://localhost:1234?code="))
      await #expect(throws: Emulator.SignInRefused.self) {
        try await emulator.signIn(
          "bram@contoso.example",
          at: url(client, appID).replacing(Client.redirectURI, with: "https://other.example"))
      }

      #expect(try await graph(.delete, "/applications/\(id)").status == 204)
      await #expect(throws: Emulator.SignInRefused.self) {
        try await emulator.signIn("bram@contoso.example", at: url(client, appID))
      }
    }
  }

  // https://learn.microsoft.com/entra/identity-platform/reference-error-codes
  @Test(arguments: [
    ("common", "AADSTS50194"), ("organizations", "AADSTS50194"),
    ("fabrikam.example", "AADSTS700016"), ("consumers", "AADSTS700016"),
  ])
  func `One of a single organization is known to no other`(
    tenant: String, number: String
  ) async throws {
    try await withGraph { emulator, client, graph in
      let made = try await graph(.post, "/applications", Self.body).json
      let appID = try #require(made["appId"]?.string)
      let refusal = await #expect(throws: Emulator.SignInRefused.self) {
        try await emulator.signIn(
          "adele@contoso.example", at: url(client, appID, tenant: tenant))
      }
      #expect(refusal?.message.hasPrefix(number) == true)
    }
  }

  @Test(arguments: [true, false])
  func `Codes for other devices are for public clients`(isPublic: Bool) async throws {
    try await withGraph { emulator, client, graph in
      let body = Self.body.replacing(
        #""isFallbackPublicClient": true"#, with: #""isFallbackPublicClient": \#(isPublic)"#)
      let made = try await graph(.post, "/applications", body).json
      let appID = try #require(made["appId"]?.string)
      let reply = try await client.post(
        "/contoso.example/oauth2/v2.0/devicecode",
        form: "client_id=\(appID)&scope=User.Read")
      let device = try JSONDecoder().decode(JSON.self, from: reply.body)
      let userCode = try #require(device["user_code"]?.string)
      try await emulator.enterDeviceCode(userCode, as: "adele@contoso.example")
      let tokens = try await token(
        client, appID,
        "grant_type=urn:ietf:params:oauth:grant-type:device_code"
          + "&device_code=\(try #require(device["device_code"]?.string))")
      #expect((tokens.accessToken != nil) == isPublic)
      #expect(tokens.error == (isPublic ? nil : "invalid_client"))
    }
  }

  @Test func `Without the permission, nothing is created`() async throws {
    try await withGraph(scopes: "User.Read Application.Read.All") { _, _, graph in
      let refused = try await graph(.post, "/applications", Self.body)
      #expect(refused.status == 403 && refused.code == "Authorization_RequestDenied")
      #expect(refused.message == "Insufficient privileges to complete the operation.")
      #expect(try await graph(.get, "/applications").items.isEmpty)
    }
  }

  @Test func `A personal account may not create one`() async throws {
    try await withGraph("chiara@outlook.example") { _, _, graph in
      let refused = try await graph(.post, "/applications", Self.body)
      #expect(refused.status == 403 && refused.code == "Authorization_RequestDenied")
    }
  }

  @Test func `A guest may not create one`() async throws {
    try await withEmulator { emulator, client in
      let tenant = "fabrikam.example"
      let redirect = try await emulator.signIn(
        "dara@contoso.example", at: client.authorizationURL(tenant: tenant, scopes: Self.scopes))
      let tokens = try await token(
        client, ClientRegistration.demo.clientID,
        "grant_type=authorization_code&code=\(try code(in: redirect))"
          + "&redirect_uri=\(Client.redirectURI)&code_verifier=\(Client.verifier)", tenant: tenant)
      var request = HTTPRequest(url: "\(client.running.baseURL)/v1.0/applications")
      request.method = .post
      request.headerFields[.authorization] = "Bearer \(try #require(tokens.accessToken))"
      let reply = try await client.http.execute(
        request, body: Data(Self.body.utf8), limits: Client.timeout)
      #expect(reply.response.status.code == 403)
    }
  }

  @Test(arguments: [
    "", "[]", "{}", #"{"displayName": ""}"#, #"{"displayName": 1}"#,
    #"{"displayName": "A", "color": "red"}"#, #"{"displayName": "A", "appId": "1"}"#,
    #"{"displayName": "A", "signInAudience": "Everyone"}"#,
    #"{"displayName": "A", "isFallbackPublicClient": "yes"}"#,
    #"{"displayName": "A", "publicClient": []}"#,
    #"{"displayName": "A", "publicClient": {"redirectUris": ["no URI"]}}"#,
    #"{"displayName": "A", "spa": {"redirectUris": [1]}}"#,
    #"{"displayName": "A", "requiredResourceAccess": [{"resourceAppId": "Graph"}]}"#,
  ])
  func `A body that does not fit is refused`(body: String) async throws {
    try await withGraph { _, _, graph in
      let refused = try await graph(.post, "/applications", body)
      #expect(refused.status == 400)
      #expect(try await graph(.get, "/applications").items.isEmpty)
    }
  }
}
