import AuthCore
import CurlHTTP
import FoundationEssentials
import HTTPTypes
import TestSupport
import Testing

@Suite("Fetching the signing keys of ID tokens", .timeLimit(.minutes(5)))
struct SigningKeyTests {
  let authority = ScriptedAuthority()
  let clock = ManualClock()
  let store = ScriptedStore()
  let app: PublicClientApplication

  init() throws {
    app = try TestApplication.make(authority, clock: clock, store: store)
  }

  func interactive() -> InteractiveTokenParameters {
    .init(scopes: ["User.Read"], session: authority.pages)
  }

  /// Waits until the keys have been requested.
  static func untilKeysAreAskedFor(_ authority: ScriptedAuthority) async {
    while authority.count(.keys) == 0, !Task.isCancelled { await Task.yield() }
  }

  @Test("The keys are fetched while the user is on the pages")
  func whileAtThePages() async throws {
    let pages = ScriptedPages { [authority] request throws(AuthenticationError) in
      await Self.untilKeysAreAskedFor(authority)
      return try await authority.pages.authenticate(request)
    }
    _ = try await app.acquireToken(.init(scopes: ["User.Read"], session: pages))
    #expect(authority.count(.keys) == 1)
    let call = try #require(authority.calls.first { $0.endpoint == .keys })
    #expect(call.url == "https://login.microsoftonline.com/discovery/v2.0/keys")
    #expect(call.request.headerFields[.authorization] == nil)
  }

  @Test("The keys are fetched while the user enters a code on another device")
  func whileEnteringACode() async throws {
    let parameters = DeviceCodeTokenParameters(scopes: ["User.Read"]) { [authority] _ in
      await Self.untilKeysAreAskedFor(authority)
    }
    _ = try await app.acquireToken(parameters)
    #expect(authority.count(.keys) == 1)
  }

  @Test("The code is redeemed without waiting for the keys")
  func redemptionDoesNotWait() async throws {
    authority.next(.keys) { [authority] call in
      while authority.count(.token) == 0, !Task.isCancelled { await Task.yield() }
      return authority.usualReply(to: call)
    }
    #expect(try await app.acquireToken(interactive()).account.name == "Adele Vance")
  }

  @Test(
    "The keys are from the authority's own host, over https",
    arguments: [
      nil, "http://login.microsoftonline.com/keys", "https://evil.example/keys",
      "https://login.microsoftonline.com.evil.example/keys",
      "https://login.microsoftonline.us/keys", "file:///etc/passwd", "",
    ])
  func foreignKeys(url: String?) async throws {
    authority.edit(.configuration) { $0["jwks_uri"] = url.map(JSON.string) }
    let error = try #require(
      await #expect(throws: AuthenticationError.self) {
        try await app.acquireToken(interactive())
      })
    #expect(error.code == .untrustedAuthority)
    #expect(authority.count(.keys) == 0)
  }

  // MARK: - Unavailable keys

  @Test(
    "Without keys a sign-in fails; when they are available again, it succeeds",
    arguments: [
      (503, "", .serverUnavailable), (404, "{\"keys\":[]}", .invalidResponse),
      (302, "", .invalidResponse), (200, "<html>", .invalidResponse),
      (200, "{\"keys\":{}}", .invalidResponse), (200, "[]", .invalidResponse),
      (0, "", .networkUnavailable),
    ] as [(Int, String, AuthenticationError.Code)])
  func signInWithoutKeys(
    status: Int, body: String, code: AuthenticationError.Code
  ) async throws {
    authority.next(.keys, times: 4) { _ throws(HTTPError) in
      guard status > 0 else {
        throw HTTPError(.proxyFailure, host: "h", message: "No way through.")
      }
      return .make(status, body)
    }
    let error = try #require(
      await #expect(throws: AuthenticationError.self) {
        try await app.acquireToken(interactive())
      })
    #expect(error.code == code)
    #expect(error.step == .discovery)
    #expect(error.message.contains("sign-in service’s signing keys could not be fetched"))
    #expect(error.message.contains("Sign in again in a moment."))
    #expect(store.records.isEmpty)
    #expect(await app.accounts().isEmpty)
    authority.answerAsUsual(.keys)
    _ = try await app.acquireToken(interactive())
  }

  @Test("Canceling during the fetch cancels the sign-in")
  func cancelled() async throws {
    let answer = SharedRequestTests.Event()
    // The keys were requested before the sign-in needed them; that request continues.
    defer { answer.happen() }
    authority.next(.keys) { [authority] _ throws(HTTPError) in
      for await _ in answer.stream { break }
      throw HTTPError(.cancelled, host: authority.host, message: "Cancelled.")
    }
    let signIn = Task { try await app.acquireToken(interactive()) }
    while authority.count(.token) == 0 { await Task.yield() }
    signIn.cancel()
    let error = await #expect(throws: AuthenticationError.self) { try await signIn.value }
    #expect(error?.code == .userCanceled)
    #expect(store.records.isEmpty)
  }

  @Test("Canceling one caller's fetch does not affect other callers")
  func oneGivesUp() async throws {
    let ben = try await {
      authority.willSignIn(.ben)
      return try await app.acquireToken(interactive())
    }()
    authority.willSignIn(.adele)
    let adele = try await app.acquireToken(interactive())
    let next = try TestApplication.make(authority, clock: clock, store: store)
    let answer = SharedRequestTests.Event()
    // Ends when the task is canceled, like a real transport.
    authority.next(.keys) { [authority] call throws(HTTPError) in
      for await _ in answer.stream { break }
      if Task.isCancelled {
        throw HTTPError(.cancelled, host: authority.host, message: "Cancelled.")
      }
      return authority.usualReply(to: call)
    }
    let first = Task { try await next.silently(adele.account, force: true) }
    while authority.count(.keys) == 1 { await Task.yield() }
    authority.willSignIn(.ben)
    let other = Task { try await next.silently(ben.account, force: true) }
    // His tokens have arrived, and wait for the keys.
    while authority.count(.token) < 4 { await Task.yield() }
    for _ in 1...20 { await Task.yield() }
    first.cancel()
    let error = await #expect(throws: AuthenticationError.self) { try await first.value }
    #expect(error?.code == .userCanceled)
    answer.happen()
    // If the ID token could not be checked, it would be the previous one.
    #expect(try await other.value.idToken != ben.idToken)
  }

  // MARK: - Silent requests

  @Test("A cached token needs no keys; a renewal fetches them once")
  func silent() async throws {
    let account = try await app.acquireToken(interactive()).account
    let next = try TestApplication.make(authority, clock: clock, store: store)
    _ = try await next.acquireTokenSilent(.init(scopes: ["User.Read"], account: account))
    #expect(authority.count(.keys) == 1)
    for _ in 1...3 { _ = try await next.silently(account, force: true) }
    #expect(authority.count(.keys) == 2)
  }

  @Test("A renewal with a forged ID token is rejected, and only its refresh token is stored")
  func forgedRenewal() async throws {
    let account = try await app.acquireToken(interactive()).account
    let records = store.records
    authority.willSign(with: .rsa("key-1"), serving: [.first])
    let error = await #expect(throws: AuthenticationError.self) {
      try await app.silently(account, force: true)
    }
    #expect(error?.code == .invalidIDToken)
    let before = String(decoding: try #require(records.first).contents.exposed, as: UTF8.self)
    let after = String(decoding: try #require(store.records.first).contents.exposed, as: UTF8.self)
    #expect(after.replacing("refresh-canary-2", with: "refresh-canary-1") == before)
    #expect(after.contains("refresh-canary-2"))
  }

  @Test("A renewal without keys stores the new tokens, and keeps the previous ID token")
  func renewalWithoutKeys() async throws {
    let first = try await app.acquireToken(interactive())
    let next = try TestApplication.make(authority, clock: clock, store: store)
    authority.next(.keys, times: 2, status: 503, "")
    authority.edit(.claims) { $0["name"] = .string("Mallory") }
    let result = try await next.silently(first.account, force: true)
    #expect(result.accessToken.exposed == "access-canary-2")
    #expect(result.idToken == first.idToken)
    #expect(result.account.name == "Adele Vance", "unchecked claims are not used")

    // The refresh token is the new one, in the next run too; with keys, the ID token is accepted.
    let last = try TestApplication.make(authority, clock: clock, store: store)
    let later = try await last.silently(first.account, force: true)
    #expect(authority.lastForm["refresh_token"] == "refresh-canary-2")
    #expect(later.account.name == "Mallory")
    #expect(later.idToken != first.idToken)
  }

  @Test("An OpenID Connect provider need not send an ID token with a renewal (Core, section 12.2)")
  func renewalWithoutIDToken() async throws {
    for service in [Service.oidc, .adfs] {
      let network = try service.authority()
      let app = try service.app(network)
      let first = try await app.acquireToken(
        .init(scopes: ["User.Read"], session: network.pages))
      network.edit(.tokens) { $0["id_token"] = nil }
      let result = try await app.silently(first.account, force: true)
      #expect(result.accessToken.exposed == "access-canary-2")
      #expect(result.idToken == first.idToken)
      #expect(result.account == first.account)
    }
    // Entra ID's ID token contains the tenant of the tokens.
    let account = try await app.acquireToken(interactive()).account
    authority.edit(.tokens) { $0["id_token"] = nil }
    let error = await #expect(throws: AuthenticationError.self) {
      try await app.silently(account, force: true)
    }
    #expect(error?.code == .invalidResponse)
  }
}
