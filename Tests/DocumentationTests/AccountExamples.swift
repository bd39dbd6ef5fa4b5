import AuthCore
import FoundationEssentials
import TestSupport
import Testing

@Suite("The examples of 'Managing accounts' and 'Signing out'")
struct AccountExamples {
  let authority = ScriptedAuthority()
  let clock = ManualClock()

  func signIn(_ people: Person..., to app: PublicClientApplication) async throws {
    for person in people {
      clock.advance(by: 60)
      authority.willSignIn(person)
      _ = try await app.acquireToken(
        InteractiveTokenParameters(scopes: ["User.Read"], session: authority.pages))
    }
  }

  @Test func whole() async throws {
    let configuration = try TestApplication.configuration()
    let store = MemoryTokenCacheStore()
    // The app of the example uses the system's time.
    let present = ManualClock(Date())
    try await signIn(.adele, to: TestApplication.make(authority, clock: present, store: store))

    let app = PublicClientApplication(configuration: configuration, store: store)
    if let account = await app.currentAccount().current {
      let result = try await app.acquireTokenSilent(
        SilentTokenParameters(scopes: ["User.Read"], account: account))
      print("A token for \(result.account.username), good until \(result.expiresOn)")
    }

    #expect(await app.accounts().count == 1)
  }

  @Test func list() async throws {
    let app = try TestApplication.make(authority, clock: clock)
    try await signIn(.megan, .adele, to: app)

    for account in await app.accounts() {
      print("\(account.name ?? account.username) (\(account.isPersonal ? "personal" : "work"))")
    }

    #expect(await app.accounts().map(\.name) == ["Adele Vance", "Megan Bowen"])
  }

  @Test func remembered() async throws {
    let app = try TestApplication.make(authority, clock: clock)
    try await signIn(.adele, .ben, to: app)
    let account = try #require(await app.accounts().last)
    #expect(account.username == "adele@contoso.example")

    let identifier = account.id  // keep this in your settings
    let found = await app.account(identifier: identifier)

    #expect(found?.username == "adele@contoso.example")
  }

  @Test func current() async throws {
    let app = try TestApplication.make(authority, clock: clock)
    try await signIn(.adele, to: app)
    _ = await app.currentAccount()
    try await signIn(.ben, to: app)

    let now = await app.currentAccount()
    if let previous = now.previous {
      print("\(previous.username) is gone.")
    }
    if let account = now.current {
      print("\(account.username) is here.")
    }

    #expect(now.previous?.username == "adele@contoso.example")
    #expect(now.current?.username == "ben@contoso.example")
  }

  @Test func guest() async throws {
    let app = try TestApplication.make(authority, clock: clock)
    try await signIn(
      .adele, .adele.asGuest(in: Person.fabrikam, objectID: Person.fabrikam), to: app)
    let account = try #require(await app.accounts().first)

    for profile in account.tenantProfiles {
      let place = profile.isHomeTenantProfile ? "at home" : "as a guest"
      print("\(profile.username), \(place) in \(profile.tenantID)")
    }

    #expect(Set(account.tenantProfiles.map(\.tenantID)) == [Person.contoso, Person.fabrikam])
  }

  @Test func filter() async throws {
    let app = try TestApplication.make(authority, clock: clock)
    try await signIn(.adele, .megan, to: app)

    let atContoso = await app.accounts(
      AccountFilter(tenantID: "f645ad92-e38d-4d1a-b510-d1b09a74a8ca"))
    let named = await app.accounts(username: "adele@contoso.example")

    #expect(atContoso == named && named.map(\.name) == ["Adele Vance"])
  }

  @Test func claims() async throws {
    authority.edit(.claims) { $0["jobTitle"] = .string("Product Manager") }
    let app = try TestApplication.make(authority, clock: clock)
    try await signIn(.adele, to: app)
    let account = try #require(await app.accounts().first)

    let jobTitle = account.accountClaims?["jobTitle"]?.string

    #expect(jobTitle == "Product Manager")
  }

  @Test func external() async throws {
    let app = PublicClientApplication(
      configuration: try TestApplication.configuration(),
      externalAccountProviders: [DesktopAccounts(usernames: ["ben@contoso.example"])],
      runtime: Runtime(transport: authority))

    for external in await app.externalAccounts() {
      print("Sign in as \(external.username)?")
    }

    #expect(await app.externalAccounts().map(\.username) == ["ben@contoso.example"])
  }

  @Test func remove() async throws {
    let app = try TestApplication.make(authority, clock: clock)
    try await signIn(.adele, to: app)
    let account = try #require(await app.accounts().first)

    try await app.remove(account)

    #expect(await app.accounts().isEmpty)
  }

  @Test func signOutOfBrowser() async throws {
    let app = try TestApplication.make(authority, clock: clock)
    try await signIn(.adele, to: app)
    let account = try #require(await app.accounts().first)
    let session = authority.pages(answer: { "state=\($0["state"] ?? "")" })

    let result = try await app.signOut(account, parameters: SignOutParameters(session: session))
    for failure in result.failures {
      print(failure.message)
    }

    #expect(await app.accounts().isEmpty)
    #expect(result.failures.isEmpty)
    #expect(authority.pagesShown.last?.startURL.contains("/logout") == true)
  }

  @Test func closedSignOutPage() async throws {
    let app = try TestApplication.make(authority, clock: clock)
    try await signIn(.adele, to: app)
    let account = try #require(await app.accounts().first)
    let session = authority.closedPages

    let result = try await app.signOut(account, parameters: SignOutParameters(session: session))
    if result.browserSession.error?.code == .userCanceled {
      print("You may still be signed in to the browser.")
    }

    #expect(result.removal == .done)
    #expect(result.browserSession.error?.code == .userCanceled)
  }

  @Test func wipe() async throws {
    let app = try TestApplication.make(authority, clock: clock)
    try await signIn(.adele, .ben, to: app)
    let account = try #require(await app.accounts().first)
    let session = authority.pages(answer: { "state=\($0["state"] ?? "")" })

    var parameters = SignOutParameters(session: session)
    parameters.wipeCacheForAllAccounts = true
    let result = try await app.signOut(account, parameters: parameters)

    #expect(result.failures.isEmpty)
    #expect(await app.accounts().isEmpty)
  }
}

/// Lists the accounts that the desktop knows.
struct DesktopAccounts: ExternalAccountProvider {
  let usernames: [String]

  func accounts() -> [ExternalAccount] {
    usernames.map { ExternalAccount(username: $0) }
  }

  func update(_ account: Account) {}
  func remove(_ account: Account, wipesAccount: Bool) {}
}
