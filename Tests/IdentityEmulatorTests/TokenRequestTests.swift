import CurlHTTP
import FoundationEssentials
import HTTPTypes
import Testing

@testable import IdentityEmulator

/// Requests to the token endpoint, and what ID tokens are good for.
struct TokenRequestTests {
  private static let clientID = ClientRegistration.demo.clientID

  private func json(_ reply: HTTPReply) throws -> JSON {
    try JSONDecoder().decode(JSON.self, from: reply.body)
  }

  /// An authorization code for a new sign-in at a URL.
  private func authorize(_ emulator: Emulator, at url: String) async throws -> String {
    let redirect = try await emulator.signIn("adele@contoso.example", at: url)
    return try #require(Form(encoded: redirect.split(separator: "?").last ?? "")["code"])
  }

  private func form(_ code: String) -> String {
    "client_id=\(Self.clientID)&grant_type=authorization_code&code=\(code)"
      + "&redirect_uri=\(Client.redirectURI)&code_verifier=\(Client.verifier)"
  }

  // MARK: Refresh

  // RFC 6749, section 6
  @Test(arguments: [
    ("/common/oauth2/v2.0", "User.Read"), ("/realms/Contoso", "demo.read"),
  ])
  func `A refresh without a scope is for the scopes of the grant`(
    path: String, scope: String
  ) async throws {
    try await withEmulator { emulator, client in
      let url = client.authorizationURL(scopes: "openid offline_access \(scope)")
      let code = try await authorize(
        emulator, at: url.replacing("/common/oauth2/v2.0", with: path))
      var tokens = try json(try await client.post("\(path)/token", form: form(code)))
      // The second one asks for less, which the refresh token does not keep.
      for scope in ["", "&scope=openid%20offline_access", ""] {
        let refreshToken = try #require(tokens["refresh_token"]?.string)
        tokens = try json(
          try await client.post(
            "\(path)/token",
            form: "client_id=\(Self.clientID)&grant_type=refresh_token"
              + "&refresh_token=\(refreshToken)\(scope)"))
        #expect(tokens["access_token"]?.string?.isEmpty == false)
      }
      let granted = tokens["scope"]?.string?.split(separator: " ").map(String.init)
      #expect(granted?.contains(scope) == true)
    }
  }

  // MARK: Web pages

  @Test func `A web page cannot redeem the code of a desktop program`() async throws {
    try await withEmulator { emulator, client in
      let code = try await authorize(emulator, at: client.authorizationURL())
      let token = "/common/oauth2/v2.0/token"
      let refused = try await client.post(
        token, form: form(code), fields: [.origin: "https://page.example"])
      #expect(refused.response.status == .badRequest)
      let error = try json(refused)
      #expect(error["error"]?.string == "invalid_request")
      #expect(error["error_codes"]?.text == "[9002326]")
      // The code is not used up.
      #expect(try await client.post(token, form: form(code)).response.status == .ok)
    }
  }

  // MARK: The login_hint claim

  /// The `login_hint` of an ID token of the demo user.
  private func loginHint(_ emulator: Emulator, _ client: Client) async throws -> String {
    let code = try await authorize(emulator, at: client.authorizationURL())
    let tokens = try json(try await client.redeem(code))
    let parts = try #require(tokens["id_token"]?.string).split(separator: ".")
    let payload = try #require(Data(base64URL: parts[1]))
    let claims = try JSONDecoder().decode(JSON.self, from: payload)
    return try #require(claims["login_hint"]?.string)
  }

  /// Signs a user in, in the session with a cookie or in a new one.
  ///
  /// - Returns: the cookie.
  private func signIn(
    _ username: String, _ client: Client, cookie: String? = nil
  ) async throws -> String {
    var fields = HTTPFields()
    fields[.cookie] = cookie
    let url = client.authorizationURL(extra: "&prompt=select_account&login_hint=\(username)")
    var request = HTTPRequest(url: url)
    request.headerFields = fields
    let page = try await client.http.execute(request)
    let set = try #require(page.response.headerFields[.setCookie])
    let cookie = String(set.prefix { $0 != ";" })
    let html = String(decoding: page.body, as: UTF8.self)
    let start = try #require(html.firstRange(of: "name=\"ctx\" value=\""))
    let context = html[start.upperBound...].prefix { $0 != "\"" }
    fields[.cookie] = cookie
    for answer in ["sign-in&password=\(User.demoPassword)", "accept", "stay-no"] {
      _ = try await client.post(
        "/common/signin", form: "ctx=\(context)&action=\(answer)", fields: fields)
    }
    return cookie
  }

  @Test func `The claim login_hint names its user`() async throws {
    try await withEmulator { emulator, client in
      let hint = try await loginHint(emulator, client)
      #expect(try await loginHint(emulator, client) == hint)
      #expect(!hint.contains("adele"))
      let url = client.authorizationURL(extra: "&login_hint=\(hint)")
      let page = try await client.http.execute(HTTPRequest(url: url))
      let html = String(decoding: page.body, as: UTF8.self)
      #expect(html.contains("id=\"identity\">adele@contoso.example<"))
    }
  }

  @Test func `The claim login_hint names the user who signs out`() async throws {
    try await withEmulator { emulator, client in
      let hint = try await loginHint(emulator, client)
      let adele = try await signIn("adele@contoso.example", client)
      let cookie = try await signIn("bram@contoso.example", client, cookie: adele)

      func open(_ url: String) async throws -> HTTPReply {
        var request = HTTPRequest(url: url)
        request.headerFields[.cookie] = cookie
        return try await client.http.execute(request)
      }
      let before = try await open(client.authorizationURL())
      #expect(String(decoding: before.body, as: UTF8.self).contains("id=\"pick-account\""))
      _ = try await open(
        "\(client.running.baseURL)/common/oauth2/v2.0/logout?logout_hint=\(hint)")
      // Only the other one is left, who needs no page.
      #expect(try await open(client.authorizationURL()).response.status == .found)
    }
  }
}
