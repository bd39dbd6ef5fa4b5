import CurlHTTP
import FoundationEssentials
import HTTPTypes
import Testing

@testable import IdentityEmulator

/// Applications, organizations and their users.
struct DirectoryTests {
  @Test func `A guest whose account is deleted is gone from the other organization`() async throws {
    let zoe = "zoe@fabrikam.example"
    let dara = "dara@contoso.example"
    var configuration = EmulatorConfiguration()
    configuration.colleagueCount = 0
    configuration.users = [UserRegistration(username: zoe, givenName: "Zoe", surname: "Lund")]
    try await withEmulator(configuration) { emulator, client in
      let contoso = try await GraphSession(
        emulator, client, scopes: "User.Read.All User.ReadWrite.All")
      let fabrikam = try await GraphSession(emulator, client, zoe, scopes: "User.Read.All")
      let before = try await fabrikam(.get, "/users").items.map { $0["mail"]?.string }
      #expect(Set(before) == [zoe, dara])

      #expect(try await contoso(.delete, "/users/\(dara)").status == 204)
      let after = try await fabrikam(.get, "/users").items.map { $0["mail"]?.string }
      #expect(after == [zoe])
      await #expect(throws: Emulator.SignInRefused.self) {
        try await emulator.signIn(dara, at: client.authorizationURL())
      }
    }
  }

  @Test(arguments: [("customers.example", ""), ("shop.example", "p=b2c_1_signin")])
  func `A configured object ID is the one in tokens`(domain: String, policy: String) async throws {
    let objectID = "5a6b7c8d-1111-4222-8333-944455556666"
    let username = "mia@\(domain)"
    var configuration = EmulatorConfiguration()
    configuration.users = [
      UserRegistration(username: username, givenName: "Mia", surname: "Lund", objectID: objectID)
    ]
    try await withEmulator(configuration) { emulator, client in
      let redirect = try await emulator.signIn(
        username,
        at: client.authorizationURL(tenant: domain, scopes: "openid", extra: "&\(policy)"))
      let code = try #require(Form(encoded: redirect.split(separator: "?").last ?? "")["code"])
      let reply = try await client.post(
        "/\(domain)/oauth2/v2.0/token?\(policy)",
        form: "client_id=\(ClientRegistration.demo.clientID)&grant_type=authorization_code"
          + "&code=\(code)&redirect_uri=\(Client.redirectURI)&code_verifier=\(Client.verifier)")
      let tokens = try JSONDecoder().decode(JSON.self, from: reply.body)
      let parts = try #require(tokens["id_token"]?.string).split(separator: ".")
      let payload = try #require(Data(base64URL: parts[1]))
      let claims = try JSONDecoder().decode(JSON.self, from: payload)
      #expect(claims["oid"]?.string == objectID)
    }
  }

  @Test func `An application is found by its ID in any case`() async throws {
    let clientID = "0D1F7C2A-6B3E-4F58-8A90-1C2D3E4F5A6B"
    var configuration = EmulatorConfiguration()
    configuration.clients.append(
      ClientRegistration(
        clientID: clientID, displayName: "App", redirectURIs: [Client.redirectURI]))
    try await withEmulator(configuration) { emulator, client in
      for id in [clientID, clientID.lowercased()] {
        let url = client.authorizationURL().replacing(ClientRegistration.demo.clientID, with: id)
        let redirect = try await emulator.signIn("adele@contoso.example", at: url)
        #expect(redirect.hasPrefix("\(Client.redirectURI)?code="))
      }
    }
  }
}
