import AuthCore
import CurlHTTP
import FoundationEssentials
import TestSupport
import Testing

@Suite("Accounts")
struct AccountTests {
  let authority = ScriptedAuthority()
  let clock = SetClock()
  let store = SwitchedStore()
  let app: PublicClientApplication

  init() throws {
    app = try TestApplication.make(authority, clock: clock, store: store)
  }

  @discardableResult
  func signIn(_ person: Person) async throws -> Account {
    clock.advance(by: 1)
    authority.willSignIn(person)
    return try await app.acquireToken(
      InteractiveTokenParameters(scopes: ["User.Read"], session: authority.pages)
    ).account
  }

  func expectCurrent(
    _ current: Account?, previous: Account?, at location: SourceLocation = #_sourceLocation
  ) async {
    let found = await app.currentAccount()
    #expect(found.current == current, sourceLocation: location)
    #expect(found.previous == previous, sourceLocation: location)
  }

  @Test("Before anyone signs in there is no one")
  func empty() async {
    #expect(await app.accounts().isEmpty)
    await expectCurrent(nil, previous: nil)
    #expect(authority.calls.isEmpty)
  }

  @Test("Who signed in last comes first, and can be found by identifier")
  func order() async throws {
    let adele = try await signIn(.adele)
    let ben = try await signIn(.ben)
    #expect(await app.accounts() == [ben, adele])
    #expect(await app.account(identifier: Person.adele.identifier) == adele)
    #expect(await app.account(identifier: "nobody") == nil)
    try await signIn(.adele)
    #expect(await app.accounts() == [adele, ben])
    #expect(store.records.count == 2)
  }

  /// MSAL fails here with AmbiguousAccount; an account page needs the latest one.
  @Test("Fact 59: with several accounts the current one is the latest, and a change is told once")
  func current() async throws {
    let adele = try await signIn(.adele)
    await expectCurrent(adele, previous: nil)
    await expectCurrent(adele, previous: nil)
    let ben = try await signIn(.ben)
    await expectCurrent(ben, previous: adele)
    await expectCurrent(ben, previous: nil)
    try await app.remove(ben)
    try await app.remove(adele)
    await expectCurrent(nil, previous: ben)
  }

  @Test("D18: a hint for one person, and another signs in: both are there")
  func otherPerson() async throws {
    let adele = try await signIn(.adele)
    authority.willSignIn(.ben)
    var parameters = InteractiveTokenParameters(scopes: ["User.Read"], session: authority.pages)
    parameters.account = adele
    let result = try await app.acquireToken(parameters)
    #expect(result.account.username == Person.ben.username)
    let token = try await app.acquireTokenSilent(.init(scopes: ["User.Read"], account: adele))
    #expect(token.accessToken.exposed == "access-canary-1")
  }

  @Test("D19: the same name in two tenants is two accounts")
  func sameName() async throws {
    let one = try await signIn(.adele)
    let other = try await signIn(
      Person(
        username: Person.adele.username, name: "Adele Vance",
        objectID: "7d0a51e6-4a52-4c59-8e52-3ad40d5b7f11", tenant: Person.fabrikam))
    #expect(one != other)
    #expect(await app.accounts().count == 2)
    let token = try await app.acquireTokenSilent(.init(scopes: ["User.Read"], account: one))
    #expect(token.accessToken.exposed == "access-canary-1")
  }

  @Test("Removing an account leaves the others, and nothing of it in the store")
  func remove() async throws {
    let adele = try await signIn(.adele)
    let ben = try await signIn(.ben)
    let asked = authority.calls.count
    try await app.remove(adele)
    #expect(await app.accounts() == [ben])
    let left = store.records.map { String(decoding: $0.contents.exposed, as: UTF8.self) }
    #expect(left.count == 1)
    #expect(!left.joined().contains(Person.adele.objectID))
    #expect(authority.calls.count == asked)
    // Fact 60: once more changes nothing.
    try await app.remove(adele)
    #expect(await app.accounts() == [ben])
  }

  @Test("An account that is removed while its token is renewed does not come back")
  func removedDuringRefresh() async throws {
    let adele = try await signIn(.adele)
    clock.advance(by: 3600)
    authority.next(.token) { [app, authority] call in
      try? await app.remove(adele)
      return authority.usualReply(to: call)
    }
    // The caller gets what was asked for; nothing of it is kept.
    _ = try await app.acquireTokenSilent(.init(scopes: ["User.Read"], account: adele))
    #expect(await app.accounts().isEmpty)
    #expect(store.records.isEmpty)
  }

  @Test("An account that is removed while it is written does not come back")
  func removedDuringSave() async throws {
    let (saving, isSaving) = AsyncStream<Void>.makeStream()
    let (release, isReleased) = AsyncStream<Void>.makeStream()
    let adele = try await signIn(.adele)
    store.hold { operation in
      guard operation == .save else { return }
      isSaving.yield()
      for await _ in release { break }
    }
    clock.advance(by: 3600)
    async let renewal = app.acquireTokenSilent(.init(scopes: ["User.Read"], account: adele))
    for await _ in saving { break }
    async let removal: Void = app.remove(adele)
    isReleased.finish()
    _ = try await (renewal, removal)
    #expect(await app.accounts().isEmpty)
    #expect(store.records.isEmpty)
  }

  // MARK: - Accounts themselves

  @Test("An account is its ID and its cloud, and not its name")
  func identity() async throws {
    let adele = try await signIn(.adele)
    var renamed = Person.adele
    renamed.username = "adele.new@contoso.example"
    let again = try await signIn(renamed)
    #expect(again == adele)
    #expect(Set([again, adele]).count == 1)
    #expect(await app.accounts().map(\.username) == ["adele.new@contoso.example"])
  }

  @Test(
    "A home account ID is two parts",
    arguments: [("a.b", "a", "b"), ("a.b.c", "a.b", "c"), ("1.1234-5678", "1", "1234-5678")])
  func homeAccountID(text: String, objectID: String, tenantID: String) {
    let id = HomeAccountID(text)
    #expect(id?.objectID == objectID)
    #expect(id?.tenantID == tenantID)
    #expect(id?.description == text)
  }

  @Test("Half an ID is none", arguments: ["", ".", "a", "a.", ".b"])
  func noHomeAccountID(text: String) {
    #expect(HomeAccountID(text) == nil)
  }

  @Test("The device is the person's own, unless the configuration says it is shared")
  func device() async throws {
    var configuration = try TestApplication.configuration()
    #expect(await app.deviceInformation().mode == .private)
    configuration.isSharedDevice = true
    let shared = PublicClientApplication(configuration: configuration)
    #expect(await shared.deviceInformation().mode == .shared)
    #expect(await app.deviceInformation().operatingSystem?.isEmpty == false)
  }
}
