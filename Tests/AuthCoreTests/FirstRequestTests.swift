import CurlHTTP
import FoundationEssentials
import TestSupport
import Testing

@testable import AuthCore

@Suite("The first request of a call", .timeLimit(.minutes(5)))
struct FirstRequestTests {
  typealias Event = SharedRequestTests.Event

  let authority = ScriptedAuthority()
  let clock = ManualClock()

  /// A session that cannot provide a redirect URI.
  struct NoRedirect: WebAuthenticationSession {
    func redirectURI(
      for configured: RedirectURI
    ) async throws(AuthenticationError) -> RedirectURI {
      throw AuthenticationError(.webAuthenticationFailed, "There is no port left.")
    }

    func authenticate(
      _ request: WebAuthenticationRequest
    ) async throws(AuthenticationError) -> String { "" }
  }

  @Test("Concurrent calls fetch the OpenID configuration once")
  func discovery() async throws {
    let store = MemoryTokenCacheStore()
    let first = try TestApplication.make(authority, clock: clock, store: store)
    var accounts: [Account] = []
    for person in [Person.adele, .ben] {
      authority.willSignIn(person)
      accounts.append(
        try await first.acquireToken(.init(scopes: ["User.Read"], session: authority.pages))
          .account)
    }
    let app = try TestApplication.make(authority, clock: clock, store: store)
    let before = authority.count(.configuration)
    let (asked, answer) = (Event(), Event())
    authority.next(.configuration) { [authority] call in
      asked.happen()
      for await _ in answer.stream { break }
      return authority.usualReply(to: call)
    }
    let requests = accounts.map { account in
      Task { try await app.silently(account, force: true) }
    }
    await asked.wait()
    let tenant = Authority.common.with(tenant: Person.contoso)
    while await app.authorities.questions.callerCount(of: tenant) < 2, !Task.isCancelled {
      await Task.yield()
    }
    // Canceling one call does not affect the other.
    requests[0].cancel()
    await #expect(throws: AuthenticationError.self) { try await requests[0].value }
    answer.happen()
    // The response for Adele's tenant is used for Ben's.
    #expect(try await requests[1].value.source == .server)
    #expect(authority.count(.configuration) == before + 1)
  }

  @Test("Every error has its call's correlation ID, even if nothing was sent")
  func correlationIDs() async throws {
    let app = try TestApplication.make(authority, clock: clock)
    let account = try await app.acquireToken(
      .init(scopes: ["User.Read"], session: authority.pages)
    ).account
    let id = "11111111-2222-3333-4444-555555555555"
    func expectID(_ call: () async throws -> Void) async {
      let error = await #expect(throws: AuthenticationError.self) { try await call() }
      #expect(error?.correlationID == id)
    }

    for scopes in [[], ["openid"], ["a b"]] {
      await expectID {
        var parameters = InteractiveTokenParameters(scopes: scopes, session: authority.pages)
        parameters.correlationID = id
        _ = try await app.acquireToken(parameters)
      }
      await expectID {
        var parameters = DeviceCodeTokenParameters(scopes: scopes) { _ in }
        parameters.correlationID = id
        _ = try await app.acquireToken(parameters)
      }
      await expectID {
        var parameters = SilentTokenParameters(scopes: scopes, account: account)
        parameters.correlationID = id
        _ = try await app.acquireTokenSilent(parameters)
      }
    }
    await expectID {
      var parameters = InteractiveTokenParameters(scopes: ["User.Read"], session: NoRedirect())
      parameters.correlationID = id
      _ = try await app.acquireToken(parameters)
    }
    await expectID {
      var parameters = SignOutParameters()
      parameters.correlationID = id
      parameters.extraQueryParameters = ["state": "x"]
      _ = try await app.signOut(account, parameters: parameters)
    }
    let (pages, shown) = ScriptedPages.untilCanceled()
    let first = Task {
      try await app.acquireToken(.init(scopes: ["User.Read"], session: pages))
    }
    for await _ in shown { break }
    await expectID {
      var parameters = InteractiveTokenParameters(scopes: ["User.Read"], session: authority.pages)
      parameters.correlationID = id
      _ = try await app.acquireToken(parameters)
    }
    first.cancel()
    _ = await first.result
  }

  @Test("A client ID in capitals is the same app: sign-in, silent request and the next run")
  func clientID() async throws {
    // In the spelling of Microsoft's services.
    authority.edit(.claims) { $0["aud"] = .string(TestApplication.clientID) }
    let capitals = TestApplication.clientID.uppercased()
    let store = MemoryTokenCacheStore()
    for isChangedLater in [false, true] {
      var configuration = try PublicClientApplicationConfiguration(
        clientID: isChangedLater ? "another" : capitals,
        redirectURI: RedirectURI(TestApplication.redirectURI))
      configuration.clientID = capitals
      #expect(configuration.clientID == TestApplication.clientID)
      let app = PublicClientApplication(
        configuration: configuration, store: store,
        runtime: Runtime(now: { clock.now }, transport: authority))
      let account = try await app.acquireToken(
        .init(scopes: ["User.Read"], session: authority.pages)
      ).account
      #expect(authority.authorization["client_id"] == TestApplication.clientID)
      let next = try TestApplication.make(authority, clock: clock, store: store)
      var parameters = SilentTokenParameters(scopes: ["User.Read"], account: account)
      parameters.forceRefresh = true
      #expect(try await next.acquireTokenSilent(parameters).source == .server)
    }
  }

  @Test("A client of an API can use the application's transport")
  func forClients() throws {
    let app = try TestApplication.make(authority)
    #expect(app.transport as? ScriptedAuthority === authority)
  }

  @Test("A client ID that was changed to an invalid one is rejected before anything is sent")
  func invalidClientID() async throws {
    for clientID in ["", "a b"] {
      let app = try TestApplication.make(
        authority, clock: clock, configure: { $0.clientID = clientID })
      let error = await #expect(throws: AuthenticationError.self) {
        try await app.acquireToken(.init(scopes: ["User.Read"], session: authority.pages))
      }
      #expect(error?.code == .invalidConfiguration)
    }
    #expect(authority.calls.isEmpty)
  }

  @Test("A client ID of OpenID Connect, or one that is no GUID, is unchanged")
  func otherClientIDs() throws {
    let redirectURI = try RedirectURI(TestApplication.redirectURI)
    let capitals = TestApplication.clientID.uppercased()
    #expect(
      try PublicClientApplicationConfiguration(clientID: "Demo-App", redirectURI: redirectURI)
        .clientID == "Demo-App")
    #expect(
      try PublicClientApplicationConfiguration(
        clientID: capitals, redirectURI: redirectURI,
        authority: Authority("https://id.contoso.example/realms/one", kind: .oidc)
      ).clientID == capitals)
  }
}
