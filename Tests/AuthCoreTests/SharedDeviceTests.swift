import AuthCore
import CurlHTTP
import FoundationEssentials
import TestSupport
import Testing

@Suite("Shared devices")
struct SharedDeviceTests {
  let authority = ScriptedAuthority()
  let store = ScriptedStore()
  let app: PublicClientApplication

  init() throws {
    app = try TestApplication.make(
      authority, store: store, configure: { $0.isSharedDevice = true })
  }

  @discardableResult
  func signIn(
    _ person: Person, to other: PublicClientApplication? = nil
  ) async throws -> Account {
    authority.willSignIn(person)
    var parameters = InteractiveTokenParameters(scopes: ["User.Read"], session: authority.pages)
    parameters.prefersEphemeralSession = false
    return try await (other ?? app).acquireToken(parameters).account
  }

  @Test("The pages are ephemeral, whatever the app requests")
  func ephemeral() async throws {
    try await signIn(.adele)
    #expect(authority.pagesShown.map(\.prefersEphemeralSession) == [true])
    try await signIn(.adele, to: TestApplication.make(authority))
    #expect(authority.pagesShown.map(\.prefersEphemeralSession) == [true, false])
  }

  @Test("A sign-in replaces all earlier accounts, and the change is reported")
  func oneAtATime() async throws {
    let adele = try await signIn(.adele)
    #expect(await app.currentAccount().current == adele)
    let ben = try await signIn(.ben)
    #expect(await app.accounts() == [ben])
    #expect(store.records.count == 1)
    let found = await app.currentAccount()
    #expect(found.current == ben)
    #expect(found.previous == adele)
    #expect(await app.currentAccount().previous == nil)
    let error = await #expect(throws: AuthenticationError.self) {
      try await app.acquireTokenSilent(
        SilentTokenParameters(scopes: ["User.Read"], account: adele))
    }
    #expect(error?.code == .interactionRequired)
    // The same account can sign in again.
    #expect(try await signIn(.ben) == ben)
    #expect(await app.accounts() == [ben])
  }

  @Test("A renewal does not replace other accounts")
  func renewal() async throws {
    let own = try TestApplication.make(authority, store: store)
    let adele = try await signIn(.adele, to: own)
    let ben = try await signIn(.ben, to: own)
    var parameters = SilentTokenParameters(scopes: ["User.Read"], account: adele)
    parameters.forceRefresh = true
    authority.willSignIn(.adele)
    _ = try await app.acquireTokenSilent(parameters)
    #expect(Set(await app.accounts()) == [adele, ben])
  }

  @Test("Signing out removes all accounts, for all apps in the store")
  func signOut() async throws {
    // Accounts from before the device was shared.
    let own = try TestApplication.make(authority, store: store)
    try await signIn(.adele, to: own)
    let ben = try await signIn(.ben, to: own)
    let other = try TestApplication.make(
      authority, store: store,
      configure: { $0.clientID = "00001111-aaaa-2222-bbbb-3333cccc4444" })
    try await signIn(.adele, to: other)
    #expect(store.records.count == 3)
    let goodbye = authority.pages { "state=\($0["state"] ?? "")" }
    let result = try await app.signOut(ben, parameters: SignOutParameters(session: goodbye))
    #expect(result.removal == .done)
    #expect(result.wipe == .done)
    #expect(result.browserSession == .done)
    #expect(result.failures.isEmpty)
    #expect(store.records.isEmpty)
    #expect(await app.accounts().isEmpty)
  }

  @Test("Each part of the sign-out has its result")
  func parts() async throws {
    let adele = try await signIn(.adele)
    store.fail(.delete)
    let result = try await app.signOut(
      adele, parameters: SignOutParameters(session: authority.closedPages))
    #expect(result.removal.error?.code == .storageUnavailable)
    #expect(result.wipe.error?.code == .storageUnavailable)
    #expect(result.browserSession.error?.code == .userCanceled)
    #expect(result.broker == .notAsked)
    store.fail()
    #expect(try await app.signOut(adele).failures.isEmpty)
    #expect(store.records.isEmpty)
  }

  @Test("Earlier accounts are removed from memory even if the store is not writable")
  func lockedStore() async throws {
    try await signIn(.adele)
    store.fail(.delete)
    let ben = try await signIn(.ben)
    #expect(await app.accounts() == [ben])
    store.fail()
    _ = await app.accounts()
    #expect(store.records.count == 1)
  }
}
