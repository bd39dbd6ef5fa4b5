import AuthCore
import CurlHTTP
import FoundationEssentials
import TestSupport
import Testing

@Suite("Sign-out")
struct SignOutTests {
  let authority = ScriptedAuthority()
  let store = ScriptedStore()
  let app: PublicClientApplication

  init() throws {
    app = try TestApplication.make(authority, store: store)
  }

  @discardableResult
  func signIn(
    _ person: Person, to app: PublicClientApplication? = nil, at place: Authority? = nil
  ) async throws -> Account {
    authority.willSignIn(person)
    var parameters = InteractiveTokenParameters(scopes: ["User.Read"], session: authority.pages)
    parameters.authority = place
    return try await (app ?? self.app).acquireToken(parameters).account
  }

  /// Pages that confirm the end of the session.
  var goodbye: ScriptedPages { authority.pages { "state=\($0["state"] ?? "")" } }

  /// The same store, used by an app with another client ID.
  func otherApp() throws -> PublicClientApplication {
    var configuration = try TestApplication.configuration()
    configuration.clientID = "00001111-aaaa-2222-bbbb-3333cccc4444"
    return PublicClientApplication(
      configuration: configuration, store: store, runtime: Runtime(transport: authority))
  }

  // MARK: - This app

  @Test("Signing out of the app sends nothing, and reports no other parts")
  func local() async throws {
    let adele = try await signIn(.adele)
    let asked = authority.calls.count
    let result = try await app.signOut(adele)
    #expect(result.removal == .done)
    #expect(result.browserSession == .notAsked)
    #expect(result.wipe == .notAsked)
    #expect(result.externalProviders == .notAsked)
    #expect(result.failures.isEmpty)
    #expect(await app.accounts().isEmpty)
    #expect(store.records.isEmpty)
    #expect(authority.calls.count == asked)
    #expect(authority.pagesShown.count == 1)
  }

  @Test("An account that is still in the store is reported, and removed by the next call")
  func lockedStore() async throws {
    let adele = try await signIn(.adele)
    store.fail(.delete)
    let result = try await app.signOut(adele, parameters: SignOutParameters(session: goodbye))
    #expect(result.removal.error?.code == .storageUnavailable)
    #expect(result.removal.error?.correlationID?.isEmpty == false)
    #expect(result.browserSession == .done, "a failed part does not affect the other")
    #expect(result.failures.map(\.code) == [.storageUnavailable])
    #expect(await app.accounts().isEmpty)
    #expect(store.records.count == 1)
    store.fail()
    _ = await app.accounts()
    #expect(store.records.isEmpty)
  }

  // MARK: - The browser

  @Test("The sign-out page gets the account and the redirect URI")
  func page() async throws {
    let adele = try await signIn(.adele)
    var parameters = SignOutParameters(session: goodbye)
    parameters.extraQueryParameters = ["ui_locales": "de at"]
    let result = try await app.signOut(adele, parameters: parameters)
    #expect(result.browserSession == .done)
    #expect(result.removal == .done)
    let page = try #require(authority.pagesShown.last)
    #expect(
      page.startURL.hasPrefix("https://login.microsoftonline.com/common/oauth2/v2.0/logout?"))
    #expect(!page.prefersEphemeralSession)
    #expect(
      authority.authorization["post_logout_redirect_uri"] == TestApplication.redirectURI)
    #expect(authority.authorization["logout_hint"] == "hint-of-A")
    #expect(authority.authorization["id_token_hint"] == nil)
    #expect(authority.authorization["ui_locales"] == "de at")
    #expect(authority.authorization["state"]?.count == 43)
  }

  /// `login_hint` is an optional claim, which most app registrations do not request.
  @Test("Without a login hint, the ID token identifies the account")
  func idTokenHint() async throws {
    authority.edit(.claims) { $0["login_hint"] = nil }
    authority.willSignIn(.adele)
    let result = try await app.acquireToken(
      InteractiveTokenParameters(scopes: ["User.Read"], session: authority.pages))
    _ = try await app.signOut(result.account, parameters: SignOutParameters(session: goodbye))
    let token = try #require(result.idToken?.exposed)
    #expect(authority.authorization["id_token_hint"] == token)
    #expect(authority.authorization["logout_hint"] == nil)
  }

  @Test("A token that makes the URL too long is omitted: then the page asks")
  func longIDToken() async throws {
    authority.edit(.claims) {
      $0["login_hint"] = nil
      $0["groups"] = .string(String(repeating: "g", count: 8000))
    }
    let adele = try await signIn(.adele)
    let result = try await app.signOut(adele, parameters: SignOutParameters(session: goodbye))
    #expect(result.browserSession == .done)
    #expect(authority.authorization["id_token_hint"] == nil)
    #expect(authority.pagesShown.last?.startURL.utf8.count ?? 0 < 8192)
  }

  @Test("An account of another cloud signs out there")
  func otherCloud() async throws {
    let place = try Authority("https://login.microsoftonline.us/common")
    let government = ScriptedAuthority(host: "login.microsoftonline.us")
    let app = try TestApplication.make(government)
    var parameters = InteractiveTokenParameters(scopes: ["User.Read"], session: government.pages)
    parameters.authority = place
    let account = try await app.acquireToken(parameters).account
    let pages = government.pages { "state=\($0["state"] ?? "")" }
    let result = try await app.signOut(account, parameters: SignOutParameters(session: pages))
    #expect(result.failures.isEmpty)
    #expect(
      government.pagesShown.last?.startURL.hasPrefix(
        "https://login.microsoftonline.us/common/oauth2/v2.0/logout?") == true)
  }

  @Test("Closing the sign-out page signs out of the app, but not of the browser")
  func closedPage() async throws {
    let adele = try await signIn(.adele)
    let result = try await app.signOut(
      adele, parameters: SignOutParameters(session: authority.closedPages))
    #expect(result.removal == .done)
    #expect(result.browserSession.error?.code == .userCanceled)
    #expect(result.browserSession.error?.step == .signOut)
    #expect(result.browserSession.error?.message.contains("browser may still be signed in") == true)
    #expect(result.failures.count == 1)
    #expect(await app.accounts().isEmpty)
    // For the removal alone, this is no failure.
    try await app.remove(adele)
  }

  @Test("A sign-out page that is not finished in time is no reason to sign in")
  func latePage() async throws {
    let adele = try await signIn(.adele)
    let pages = ScriptedPages { _ throws(AuthenticationError) in
      throw AuthenticationError(
        .webAuthenticationTimedOut, "Start again.", step: .authorization)
    }
    let result = try await app.signOut(adele, parameters: SignOutParameters(session: pages))
    #expect(result.removal == .done)
    let error = try #require(result.browserSession.error)
    #expect(error.code == .webAuthenticationTimedOut && error.step == .signOut)
    #expect(error.message.contains("browser may still be signed in"))
    #expect(error.nextStep == .goOn)
  }

  @Test("The redirect of another sign-out is rejected, and the account is removed")
  func foreignAnswer() async throws {
    let adele = try await signIn(.adele)
    let result = try await app.signOut(
      adele, parameters: SignOutParameters(session: authority.pages { _ in "state=x" }))
    #expect(result.removal == .done)
    #expect(result.browserSession.error?.code == .invalidState)
    #expect(result.browserSession.error?.step == .signOut)
    #expect(result.browserSession.error?.correlationID?.isEmpty == false)
    #expect(await app.accounts().isEmpty)
  }

  @Test("An authority without a sign-out page is reported", arguments: [nil, .null] as [JSON?])
  func noPage(value: JSON?) async throws {
    authority.edit(.configuration) { $0["end_session_endpoint"] = value }
    let adele = try await signIn(.adele)
    let result = try await app.signOut(
      adele, parameters: SignOutParameters(session: authority.pages))
    #expect(result.browserSession.error?.step == .signOut)
    #expect(result.browserSession.error?.code == .serverError)
    #expect(result.removal == .done)
    #expect(authority.pagesShown.count == 1)
  }

  @Test("Without a network the account is removed, and the browser session is not ended")
  func noNetwork() async throws {
    let adele = try await signIn(.adele)
    // There is no built-in configuration for a tenant's name.
    let later = try TestApplication.make(
      authority, store: store, authority: "https://\(authority.host)/contoso.com")
    authority.next(.configuration, times: 2) { _ throws(HTTPError) in
      throw HTTPError(.cannotConnect, host: "host", message: "No connection.")
    }
    let result = try await later.signOut(
      adele, parameters: SignOutParameters(session: authority.pages))
    #expect(result.browserSession.error?.code == .networkUnavailable)
    #expect(result.removal == .done)
    #expect(store.records.isEmpty)
  }

  // MARK: - Wiping

  @Test("A sign-out keeps other apps' data of the account; a wipe removes it")
  func wipeAccount() async throws {
    let other = try otherApp()
    let adele = try await signIn(.adele)
    try await signIn(.adele, to: other)
    let ben = try await signIn(.ben, to: other)
    #expect(store.records.count == 3)
    var result = try await app.signOut(adele)
    #expect(result.wipe == .notAsked)
    #expect(store.records.count == 2)

    var parameters = SignOutParameters()
    parameters.wipeAccount = true
    result = try await app.signOut(adele, parameters: parameters)
    #expect(result.wipe == .done)
    #expect(try await otherApp().accounts() == [ben])
    #expect(store.records.count == 1)
  }

  @Test("A wipe finds the account under every host of its cloud, and in no other cloud")
  func wipeAliases() async throws {
    let adele = try await signIn(.adele)
    let record = try #require(store.records.first)
    let text = String(decoding: record.contents.exposed, as: UTF8.self)
    func add(_ environment: String) {
      store.records.append(
        StoredRecord(
          id: environment,
          contents: Secret(
            Data(
              text.replacing("login.microsoftonline.com", with: environment)
                .replacing(TestApplication.clientID, with: "other-client").utf8))))
    }
    add("login.windows.net")
    add("login.microsoftonline.us")
    var parameters = SignOutParameters()
    parameters.wipeAccount = true
    #expect(try await app.signOut(adele, parameters: parameters).wipe == .done)
    #expect(store.records.map(\.id) == ["login.microsoftonline.us"])
  }

  @Test("A wipe of all accounts leaves nothing in the store, not even unreadable records")
  func wipeAll() async throws {
    let adele = try await signIn(.adele)
    try await signIn(.ben)
    try await signIn(.megan, to: otherApp())
    store.records.append(StoredRecord(id: "later", contents: Secret(Data("{}".utf8))))
    var parameters = SignOutParameters()
    parameters.wipeCacheForAllAccounts = true
    let result = try await app.signOut(adele, parameters: parameters)
    #expect(result.removal == .done)
    #expect(result.wipe == .done)
    #expect(store.records.isEmpty)
    #expect(await app.accounts().isEmpty)
  }

  @Test("An account that signs in during a wipe of all accounts stays signed in")
  func wipeAndSignIn() async throws {
    let adele = try await signIn(.adele)
    let isFirst = LockedValue(true)
    store.hold { [weak app, authority] operation in
      guard operation == .load else { return }
      let isFirst = isFirst.withLock { value in
        defer { value = false }
        return value
      }
      guard isFirst else { return }
      authority.willSignIn(.ben)
      _ = try? await app?.acquireToken(
        InteractiveTokenParameters(scopes: ["User.Read"], session: authority.pages))
    }
    var parameters = SignOutParameters()
    parameters.wipeCacheForAllAccounts = true
    #expect(try await app.signOut(adele, parameters: parameters).wipe == .done)
    #expect(await app.accounts().map(\.username) == [Person.ben.username])
    #expect(store.records.count == 1)
  }

  @Test("An incomplete wipe is reported", arguments: [true, false])
  func wipeFails(all: Bool) async throws {
    let adele = try await signIn(.adele)
    try await signIn(.adele, to: otherApp())
    var parameters = SignOutParameters()
    parameters.wipeAccount = !all
    parameters.wipeCacheForAllAccounts = all
    store.fail(.load)
    var result = try await app.signOut(adele, parameters: parameters)
    #expect(result.removal == .done, "this app's own record is removed without reading the store")
    #expect(result.wipe.error?.code == .storageUnavailable)
    #expect(store.records.count == 1)
    store.fail()
    result = try await app.signOut(adele, parameters: parameters)
    #expect(result.wipe == .done)
    #expect(store.records.isEmpty)
  }

  // MARK: - Other programs

  @Test("Providers are informed of sign-ins, renewals and sign-outs")
  func providers() async throws {
    let provider = ScriptedProvider()
    let app = try provider.app(authority, store: store)
    let adele = try await signIn(.adele, to: app)
    #expect(provider.takeNews() == ["update adele@contoso.example"])
    var silent = SilentTokenParameters(scopes: ["User.Read"], account: adele)
    _ = try await app.acquireTokenSilent(silent)
    #expect(provider.takeNews() == [], "a cached token causes no notification")
    silent.forceRefresh = true
    _ = try await app.acquireTokenSilent(silent)
    #expect(provider.takeNews() == ["update adele@contoso.example"])
    let result = try await app.signOut(adele)
    #expect(result.externalProviders == .done)
    #expect(provider.takeNews() == ["remove adele@contoso.example"])
  }

  @Test("Providers are informed of wipes, and of every account in a wipe of all accounts")
  func providersWipe() async throws {
    let provider = ScriptedProvider()
    let app = try provider.app(authority, store: store)
    let adele = try await signIn(.adele, to: app)
    try await signIn(.ben, to: app)
    _ = provider.takeNews()
    var parameters = SignOutParameters()
    parameters.wipeCacheForAllAccounts = true
    _ = try await app.signOut(adele, parameters: parameters)
    #expect(provider.takeNews() == ["wipe adele@contoso.example", "wipe ben@contoso.example"])
  }

  @Test("A provider's failure is reported at a sign-out, and ignored at a sign-in")
  func failingProvider() async throws {
    let failing = ScriptedProvider()
    failing.fail()
    let provider = ScriptedProvider()
    let app = try ScriptedProvider.app([failing, provider], authority, store: store)
    let adele = try await signIn(.adele, to: app)
    #expect(provider.takeNews().count == 1)
    let result = try await app.signOut(adele)
    #expect(result.removal == .done)
    #expect(result.externalProviders.error?.code == .serverUnavailable)
    #expect(
      provider.takeNews() == ["remove adele@contoso.example"], "the next provider is informed")
    #expect(await app.accounts().isEmpty)
    let error = await #expect(throws: AuthenticationError.self) { try await app.remove(adele) }
    #expect(error?.code == .serverUnavailable)
  }

  @Test("A repeated wipe informs a provider of the accounts that it did not remove")
  func repeatedWipe() async throws {
    let provider = ScriptedProvider()
    let app = try provider.app(authority, store: store)
    let adele = try await signIn(.adele, to: app)
    try await signIn(.ben, to: app)
    try await signIn(.megan, to: app)
    _ = provider.takeNews()
    provider.refuse(.ben)
    var parameters = SignOutParameters()
    parameters.wipeCacheForAllAccounts = true
    parameters.earlier = try await app.signOut(adele, parameters: parameters)
    #expect(parameters.earlier?.externalProviders.error?.code == .serverUnavailable)
    #expect(Set(provider.takeNews()).count == 3)
    // Nobody is left in this app, but Ben in the other program.
    #expect(await app.accounts().isEmpty)
    parameters.earlier = try await app.signOut(adele, parameters: parameters)
    #expect(parameters.earlier?.externalProviders.error?.code == .serverUnavailable)
    #expect(provider.takeNews() == ["wipe ben@contoso.example"])
    provider.refuse(nil)
    let last = try await app.signOut(adele, parameters: parameters)
    #expect(last.externalProviders == .done)
    #expect(last.failures.isEmpty)
    #expect(provider.takeNews() == ["wipe ben@contoso.example"])
  }
}
