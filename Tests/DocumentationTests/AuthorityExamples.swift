import AuthCore
import TestSupport
import Testing

@Suite("The examples of 'Choosing an authority'")
struct AuthorityExamples {
  @Test func entra() throws {
    let everyone = Authority.common
    let workAndSchool = try Authority("https://login.microsoftonline.com/organizations")
    let personal = try Authority("https://login.microsoftonline.com/consumers")
    let oneTenant = try Authority("https://login.microsoftonline.com/contoso.com")

    #expect(everyone.tenant == "common" && workAndSchool.tenant == "organizations")
    #expect(personal.tenant == "consumers" && oneTenant.isTenanted)
  }

  @Test func clouds() throws {
    let china = try Authority("https://login.partner.microsoftonline.cn/common")
    let governmentOfTheUS = try Authority("https://login.microsoftonline.us/common")

    #expect(china.kind == .entra && governmentOfTheUS.kind == .entra)
  }

  @Test func severalClouds() throws {
    var configuration = try PublicClientApplicationConfiguration(
      clientID: "11111111-2222-3333-4444-555555555555",
      redirectURI: RedirectURI("msauth.com.example.app://auth"))
    configuration.multipleCloudsSupported = true

    let app = PublicClientApplication(configuration: configuration)
    #expect(app.configuration.multipleCloudsSupported)
  }

  @Test func externalID() throws {
    let authority = try Authority("https://contoso.ciamlogin.com")

    let ownDomain = try Authority(
      "https://login.contoso.com/aaaabbbb-0000-cccc-1111-dddd2222eeee", kind: .externalID)
    let configuration = try PublicClientApplicationConfiguration(
      clientID: "11111111-2222-3333-4444-555555555555",
      redirectURI: RedirectURI("msauth.com.example.app://auth"),
      authority: ownDomain, knownAuthorities: [ownDomain])

    #expect(authority.kind == .externalID)
    #expect(configuration.authority.environment == "login.contoso.com")
  }

  @Test func b2c() throws {
    let signIn = try Authority(
      "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_sign_in")
    let resetPassword = try Authority(
      "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_reset_password")

    #expect(signIn.kind == .b2c && signIn.policy == "b2c_1_sign_in")
    #expect(resetPassword.policy == "b2c_1_reset_password")
  }

  @Test func passwordReset() async throws {
    let host = "contoso.b2clogin.com"
    let server = ScriptedAuthority(host: host, kind: .b2c)
    let place = "https://\(host)/contoso.onmicrosoft.com"
    let app = try TestApplication.make(server, authority: "\(place)/B2C_1_sign_in")
    let resetPassword = try Authority("\(place)/B2C_1_reset_password")
    let session = server.pages(redirect: { parameters, request in
      let state = parameters["state"] ?? ""
      return request.startURL.contains("sign_in")
        ? "\(request.redirectURI)?error=access_denied&state=\(state)&error_description=AADB2C90118"
        : "\(request.redirectURI)?code=code-canary&state=\(state)"
    })

    func signIn() async throws(AuthenticationError) -> AuthenticationResult {
      var parameters = InteractiveTokenParameters(
        scopes: ["https://contoso.onmicrosoft.com/api/read"], session: session)
      do {
        return try await app.acquireToken(parameters)
      } catch {
        let wantsNewPassword = error.serverDescription?.contains("AADB2C90118") == true
        guard wantsNewPassword else { throw error }
        parameters.authority = resetPassword
        return try await app.acquireToken(parameters)
      }
    }

    #expect(try await signIn().account.homeAccountID.objectID.hasSuffix("b2c_1_reset_password"))
  }

  @Test func others() throws {
    let adfs = try Authority("https://adfs.contoso.com/adfs", kind: .adfs)
    let anyProvider = try Authority("https://accounts.example.com/realms/staff", kind: .oidc)

    let configuration = try PublicClientApplicationConfiguration(
      clientID: "11111111-2222-3333-4444-555555555555",
      redirectURI: RedirectURI("msauth.com.example.app://auth"),
      authority: anyProvider, knownAuthorities: [anyProvider])

    #expect(adfs.kind == .adfs)
    #expect(configuration.knownAuthorities == [anyProvider])
  }
}
