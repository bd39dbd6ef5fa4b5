import AuthCore
import MicrosoftGraph
import TestSupport
import Testing

@Suite("A client of Microsoft Graph for an account of an app")
struct AppGraphTests {
  private let authority = ScriptedAuthority()

  private func signedIn() async throws -> (PublicClientApplication, Account) {
    let app = try TestApplication.make(authority)
    let result = try await app.acquireToken(
      InteractiveTokenParameters(scopes: ["User.Read"], session: authority.pages))
    return (app, result.account)
  }

  @Test("Its requests are sent by the app's HTTP client")
  func transport() async throws {
    let (app, account) = try await signedIn()
    let graph = GraphClient(app: app, account: account, scopes: ["User.Read"])
    #expect(try await graph.get("/me").json()["displayName"]?.string == "Adele Vance")
    #expect(authority.calls.last?.url == "https://graph.microsoft.com/v1.0/me")
  }

  @Test("Its tokens can be those of another tenant, which the account is a guest of")
  func guest() async throws {
    let (app, account) = try await signedIn()
    authority.willSignIn(Person.adele.asGuest(in: Person.fabrikam, objectID: Person.fabrikam))
    let tenant = try Authority("https://login.microsoftonline.com/\(Person.fabrikam)")
    let graph = GraphClient(
      app: app, account: account, scopes: ["User.Read"], authority: tenant)
    _ = try await graph.get("/me")
    let request = authority.calls.last { $0.endpoint == .token }
    #expect(request?.url.hasPrefix(tenant.description + "/") == true)
  }
}
