import AuthCore
import TestSupport
import Testing

@Suite("The examples of 'Signing in with a device code'")
struct DeviceCodeExamples {
  let authority = ScriptedAuthority()

  @Test func signIn() async throws {
    let app = try TestApplication.make(authority)

    let parameters = DeviceCodeTokenParameters(scopes: ["User.Read"]) { code in
      print(code.message)
    }
    let result = try await app.acquireToken(parameters)
    print("Signed in as \(result.account.username).")

    #expect(result.account.username == "adele@contoso.example")
  }

  @Test func expired() async throws {
    for _ in 0..<2 {
      authority.next(.token, status: 400, "{\"error\": \"expired_token\"}")
    }
    let app = try TestApplication.make(authority)
    let parameters = DeviceCodeTokenParameters(scopes: ["User.Read"]) { _ in }

    func signIn() async throws(AuthenticationError) -> AuthenticationResult {
      while true {
        do {
          return try await app.acquireToken(parameters)
        } catch {
          guard error.code == .deviceCodeExpired else { throw error }
          print("That took too long. Here is a new code.")
        }
      }
    }

    #expect(try await signIn().account.username == "adele@contoso.example")
    #expect(authority.count(.deviceCode) == 3)
  }
}
