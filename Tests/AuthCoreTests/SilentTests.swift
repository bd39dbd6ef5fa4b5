import AuthCore
import CurlHTTP
import FoundationEssentials
import TestSupport
import Testing

@Suite("Silent requests")
struct SilentTests {
  let authority = ScriptedAuthority()
  let clock = ManualClock()
  let store = ScriptedStore()
  let app: PublicClientApplication

  init() throws {
    app = try TestApplication.make(authority, clock: clock, store: store)
  }

  func signIn(scopes: [String] = ["User.Read", "Mail.Read"]) async throws -> Account {
    try await app.acquireToken(
      InteractiveTokenParameters(scopes: scopes, session: authority.pages)
    ).account
  }

  func refusal(_ account: Account) async throws -> AuthenticationError {
    let error = try #require(
      await #expect(throws: AuthenticationError.self) { try await app.silently(account) })
    #expect(error.correlationID?.isEmpty == false)
    let shown = "\(error) \(error.details)"
    for secret in authority.secrets { #expect(!shown.contains(secret)) }
    return error
  }

  @Test("A token of one cloud is never sent to another")
  func otherCloud() async throws {
    let account = try await signIn()
    let calls = authority.calls.count
    let error = await #expect(throws: AuthenticationError.self) {
      try await app.silently(account, force: true) {
        $0.authority = try? Authority("https://login.microsoftonline.us/common")
      }
    }
    #expect(error?.code == .interactionRequired)
    #expect(authority.calls.count == calls)
  }

  @Test(
    "A renewal that the service denies is no cancellation by the user",
    arguments: ["access_denied", "authorization_declined"])
  func deniedRenewal(name: String) async throws {
    let account = try await signIn()
    clock.advance(by: 3600)
    for (words, message) in [
      ("", "refused the request (\(name))"),
      (#","error_description":"Not assigned. Trace ID: 1""#, "refused the request: Not assigned."),
    ] {
      authority.next(.token, status: 400, "{\"error\":\"\(name)\"\(words)}")
      let error = try await refusal(account)
      #expect(error.code == .serverError && error.nextStep == .signIn)
      #expect(error.oauthError == name && !error.isDeclined)
      #expect(error.message.contains(message), "\(error.message)")
    }
  }

  // MARK: - From the cache

  @Test("A cached token is used without a request, also for fewer scopes in another case")
  func cached() async throws {
    let account = try await signIn()
    let asked = authority.calls.count
    for scopes in [["User.Read"], ["mail.read", "USER.READ"], ["User.Read", "email"]] {
      let result = try await app.silently(account, scopes: scopes)
      #expect(result.accessToken.exposed == "access-canary-1")
      #expect(result.source == .cache)
      #expect(result.idToken != nil)
    }
    #expect(authority.calls.count == asked)
  }

  @Test("When the clock was set back, a token's age is unknown")
  func clockSetBack() async throws {
    let account = try await signIn()
    clock.advance(by: -1)
    #expect(try await app.silently(account).source == .server)
  }

  @Test("Missing scopes, claims and a forced renewal send a request")
  func bypass() async throws {
    let account = try await signIn(scopes: ["User.Read"])
    #expect(try await app.silently(account, scopes: ["User.Read", "Mail.Read"]).source == .server)
    #expect(try await app.silently(account, force: true).source == .server)
    let claims = "{\"access_token\":{\"nbf\":null}}"
    let request = try ClaimsRequest(json: claims)
    #expect(try await app.silently(account) { $0.claims = request }.source == .server)
    #expect(authority.lastForm["claims"] == claims)
  }

  @Test("'common' means the home tenant; a known tenant name means its tenant")
  func tenants() async throws {
    let account = try await signIn()
    let asked = authority.calls.count
    let home = try Authority("https://login.microsoftonline.com/\(Person.contoso)")
    #expect(try await app.silently(account) { $0.authority = home }.source == .cache)
    let alias = try Authority("https://login.windows.net/\(Person.contoso)")
    #expect(try await app.silently(account) { $0.authority = alias }.source == .cache)
    #expect(authority.calls.count == asked)

    let named = try Authority("https://login.microsoftonline.com/contoso.example")
    #expect(try await app.silently(account) { $0.authority = named }.source == .server)
    #expect(try await app.silently(account) { $0.authority = named }.source == .cache)
  }

  @Test("A renewal at another host of the cloud is stored with the account")
  func otherNameOfTheCloud() async throws {
    let account = try await signIn()
    let alias = try Authority("https://login.windows.net/\(Person.contoso)")
    _ = try await app.silently(account, force: true) { $0.authority = alias }
    #expect(try await app.silently(account).accessToken.exposed == "access-canary-2")
    clock.advance(by: 3600)
    _ = try await app.silently(account)
    #expect(authority.lastForm["refresh_token"] == "refresh-canary-2")
    authority.edit(.configuration) {
      $0["issuer"] = .string("https://login.microsoftonline.com/{tenantid}/v2.0")
    }
    var parameters = InteractiveTokenParameters(scopes: ["User.Read"], session: authority.pages)
    parameters.authority = try Authority("https://login.windows.net/common")
    _ = try await app.acquireToken(parameters)
    #expect(await app.accounts() == [account])
    #expect(store.records.count == 1)
  }

  @Test("A guest tenant has its own token, acquired with the same refresh token")
  func guestTenant() async throws {
    let account = try await signIn()
    authority.willSignIn(.adele.asGuest(in: Person.fabrikam, objectID: "guest-id"))
    let fabrikam = try Authority("https://login.microsoftonline.com/\(Person.fabrikam)")
    let result = try await app.silently(account) { $0.authority = fabrikam }
    #expect(result.tenantID == Person.fabrikam)
    #expect(authority.lastForm["refresh_token"] == "refresh-canary-1")
    #expect(try await app.silently(account).accessToken.exposed == "access-canary-1")
    #expect(await app.accounts().first?.tenantProfiles.count == 2)
  }

  // MARK: - With the refresh token

  @Test("A new refresh token replaces the old one, also in the store")
  func rotation() async throws {
    let account = try await signIn()
    _ = try await app.silently(account, force: true)
    let next = try TestApplication.make(authority, clock: clock, store: store)
    _ = try await next.silently(account, force: true)
    #expect(authority.lastForm["refresh_token"] == "refresh-canary-2")
  }

  @Test(
    "Without a new refresh token, the old one is kept (RFC 6749, section 6)",
    arguments: [nil, ""])
  func noRotation(token: String?) async throws {
    let account = try await signIn()
    authority.edit(.tokens) { $0["refresh_token"] = token.map(JSON.string) }
    for _ in 1...2 {
      _ = try await app.silently(account, force: true)
      #expect(authority.lastForm["refresh_token"] == "refresh-canary-1")
    }
  }

  @Test("invalid_grant requires interaction, and keeps the account")
  func invalidGrant() async throws {
    let account = try await signIn()
    clock.advance(by: 3600)
    authority.next(
      .token, status: 400,
      "{\"error\":\"invalid_grant\",\"suberror\":\"basic_action\",\"claims\":\"{}\","
        + "\"error_codes\":[50076]}")
    let error = try await refusal(account)
    #expect(error.code == .interactionRequired)
    #expect(error.claims == ClaimsRequest())
    #expect(error.serverErrorCodes == [50076])
    #expect(await app.accounts() == [account])
    // The refresh token is kept.
    clock.advance(by: 120)
    #expect(try await app.silently(account).source == .server)
  }

  @Test(
    "A refresh token that is refused is replaced by a sign-in, whatever the number says",
    arguments: [
      // RFC 6749, section 5.2: invalid_grant is about the refresh token, invalid_request is not.
      ("invalid_grant", 9_002_313, .signIn, "asks you to sign in again"),
      ("invalid_request", 9_002_313, .correctConfiguration, "The request is malformed."),
      ("invalid_grant", 50057, .askAdministrator, "This account is disabled."),
      ("invalid_grant", 700016, .correctConfiguration, "There is no app with this client ID"),
    ] as [(String, Int, AuthenticationError.NextStep, String)])
  func refusedToken(
    name: String, number: Int, step: AuthenticationError.NextStep, message: String
  ) async throws {
    let account = try await signIn()
    clock.advance(by: 3600)
    authority.next(
      .token, status: 400, "{\"error\":\"\(name)\",\"error_codes\":[\(number)]}")
    let error = try await refusal(account)
    #expect(error.nextStep == step && error.message.contains(message), "\(error.message)")
    #expect(error.serverErrorCodes == [number], "support needs it")
  }

  @Test("After bad_token the refresh token is never sent again, in any run")
  func badToken() async throws {
    let account = try await signIn()
    clock.advance(by: 3600)
    authority.next(
      .token, status: 400, "{\"error\":\"invalid_grant\",\"suberror\":\"bad_token\"}")
    #expect(try await refusal(account).code == .interactionRequired)
    let asked = authority.calls.count
    #expect(try await refusal(account).code == .interactionRequired)
    let next = try TestApplication.make(authority, clock: clock, store: store)
    #expect(await next.accounts() == [account])
    let error = await #expect(throws: AuthenticationError.self) {
      try await next.acquireTokenSilent(.init(scopes: ["User.Read"], account: account))
    }
    #expect(error?.code == .interactionRequired)
    #expect(authority.calls.count == asked)
    // Signing in again fixes it.
    _ = try await signIn()
    clock.advance(by: 3600)
    #expect(try await app.silently(account).source == .server)
  }

  @Test("A response for another account is rejected, and nothing of it is stored")
  func accountMismatch() async throws {
    let account = try await signIn()
    let before = store.records
    authority.willSignIn(.ben)
    clock.advance(by: 3600)
    #expect(try await refusal(account).code == .accountMismatch)
    #expect(store.records == before)
    #expect(await app.accounts() == [account])
  }

  @Test("Without an account, nothing can be renewed")
  func unknownAccount() async throws {
    let account = try await signIn()
    try await app.remove(account)
    let asked = authority.calls.count
    #expect(try await refusal(account).code == .interactionRequired)
    #expect(authority.calls.count == asked)
  }

  @Test("Canceling ends the request")
  func cancelled() async throws {
    let account = try await signIn()
    clock.advance(by: 3600)
    let begun = authority.hangNext(.token)
    let request = Task { try await app.silently(account) }
    for await _ in begun { break }
    request.cancel()
    let error = await #expect(throws: AuthenticationError.self) { try await request.value }
    #expect(error?.code == .userCanceled)
    #expect(await app.accounts() == [account])
  }

  @Test("Many concurrent requests leave one account with one record")
  func manyAtOnce() async throws {
    let account = try await signIn()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 1...60 {
        group.addTask {
          let result = try await app.silently(account, force: number.isMultiple(of: 3))
          #expect(result.account == account)
        }
        group.addTask { _ = await app.currentAccount() }
      }
      try await group.waitForAll()
    }
    #expect(await app.accounts() == [account])
    #expect(store.records.count == 1)
    #expect(await app.storageFailure == nil)
  }
}
