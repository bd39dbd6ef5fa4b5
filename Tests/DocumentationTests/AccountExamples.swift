import AuthCore
import FoundationEssentials
import TestSupport
import Testing

@Suite("The examples of 'Managing accounts' and 'Signing out'")
struct AccountExamples {
  let authority = ScriptedAuthority()
  let clock = SetClock()

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
    // The app of the example asks the system for the time.
    let present = SetClock(Date())
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
      print("\(profile.username) in \(profile.tenantID)")
    }

    #expect(Set(account.tenantProfiles.map(\.tenantID)) == [Person.contoso, Person.fabrikam])
  }

  @Test func signOut() async throws {
    let app = try TestApplication.make(authority, clock: clock)
    try await signIn(.adele, to: app)
    let account = try #require(await app.accounts().first)

    try await app.signOut(account)

    #expect(await app.accounts().isEmpty)
  }

  @Test func signOutOfBrowser() async throws {
    let app = try TestApplication.make(authority, clock: clock)
    try await signIn(.adele, to: app)
    let account = try #require(await app.accounts().first)
    let session = authority.pages(answer: { "state=\($0["state"] ?? "")" })

    try await app.signOut(account, parameters: SignOutParameters(session: session))

    #expect(await app.accounts().isEmpty)
    #expect(authority.pagesShown.last?.startURL.contains("/logout") == true)
  }
}
