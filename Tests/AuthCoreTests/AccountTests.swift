import AuthCore
import CurlHTTP
import FoundationEssentials
import TestSupport
import Testing

@Suite("Accounts")
struct AccountTests {
  let authority = ScriptedAuthority()
  let clock = ManualClock()
  let store = ScriptedStore()
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

  @Test("Nobody is signed in at first")
  func empty() async {
    #expect(await app.accounts().isEmpty)
    await expectCurrent(nil, previous: nil)
    #expect(authority.calls.isEmpty)
  }

  @Test("The last account to sign in comes first, and can be found by its identifier")
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

  /// The time that the store has of an account's sign-in.
  func storedTime(_ person: Person) throws -> String? {
    try store.records.map { try JSON(parsing: $0.contents.exposed) }
      .compactMap { $0["AccountMetadata"]?.object?.first?.value }
      .first { $0["home_account_id"]?.string == person.identifier }?["signed_in_at"]?.string
  }

  @Test("The last account to sign in comes first, even if the clock was ahead before")
  func clockSetBack() async throws {
    clock.advance(by: 24 * 3600)
    let adele = try await signIn(.adele)
    clock.advance(by: -24 * 3600)
    let ben = try await signIn(.ben)
    await expectCurrent(ben, previous: nil)
    let next = try TestApplication.make(authority, clock: clock, store: store)
    #expect(await next.accounts() == [ben, adele])
    try await signIn(.adele)
    #expect(await app.accounts() == [adele, ben])
    try await app.remove(adele)
    #expect(await app.accounts() == [ben])
  }

  @Test("A time of sign-in that no clock has shown affects no later sign-in")
  func damagedTime() async throws {
    let adele = try await signIn(.adele)
    let time = try #require(try storedTime(.adele))
    // The last second of year 9999.
    store.records = store.records.map {
      let text = String(decoding: $0.contents.exposed, as: UTF8.self)
      let odd = text.replacing(
        "\"signed_in_at\":\"\(time)\"", with: "\"signed_in_at\":\"253402300799\"")
      return StoredRecord(id: $0.id, contents: Secret(Data(odd.utf8)))
    }
    #expect(try storedTime(.adele) == "253402300799")
    store.markChanged()
    let ben = try await signIn(.ben)
    #expect(await app.accounts() == [ben, adele])
    #expect(try storedTime(.ben) == "1800000002")
    try await signIn(.adele)
    #expect(await app.accounts() == [adele, ben])
    #expect(try storedTime(.adele) == "1800000003")
  }

  @Test("When another account than the hinted one signs in, both are stored")
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

  @Test("The same user name in two tenants is two accounts")
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
  }

  @Test("An account that is removed during a renewal stays removed")
  func removedDuringRefresh() async throws {
    let adele = try await signIn(.adele)
    clock.advance(by: 3600)
    authority.next(.token) { [app, authority] call in
      try? await app.remove(adele)
      return authority.usualReply(to: call)
    }
    // The caller gets the requested token, but nothing is stored.
    _ = try await app.acquireTokenSilent(.init(scopes: ["User.Read"], account: adele))
    #expect(await app.accounts().isEmpty)
    #expect(store.records.isEmpty)
  }

  @Test("An account that is removed during a write stays removed")
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

  // MARK: - Account identity

  @Test(
    "A home account ID has two parts",
    arguments: [("a.b", "a", "b"), ("a.b.c", "a.b", "c"), ("1.1234-5678", "1", "1234-5678")])
  func homeAccountID(text: String, objectID: String, tenantID: String) {
    let id = HomeAccountID(text)
    #expect(id?.objectID == objectID)
    #expect(id?.tenantID == tenantID)
    #expect(id?.description == text)
  }

  @Test("An ID with a missing part is invalid", arguments: ["", ".", "a", "a.", ".b"])
  func noHomeAccountID(text: String) {
    #expect(HomeAccountID(text) == nil)
  }

  // MARK: - Finding accounts

  @Test("A user name finds all accounts that have it, case-insensitively")
  func username() async throws {
    let adele = try await signIn(.adele)
    let namesake = try await signIn(
      Person(
        username: "Adele@Contoso.example", name: "Adele Vance",
        objectID: "7d0a51e6-4a52-4c59-8e52-3ad40d5b7f11", tenant: Person.fabrikam))
    let ben = try await signIn(.ben)
    #expect(await app.accounts(username: "ADELE@contoso.EXAMPLE") == [namesake, adele])
    #expect(await app.accounts(username: "ben@contoso.example") == [ben])
    #expect(await app.accounts(username: "ben").isEmpty)
    // Defect 15: an empty user name finds no account, and is no error.
    #expect(await app.accounts(username: "").isEmpty)
  }

  /// Adele as a guest of Fabrikam.
  func visitFabrikam() async throws -> Account {
    clock.advance(by: 1)
    authority.willSignIn(.adele.asGuest(in: Person.fabrikam, objectID: "guest-id"))
    var parameters = InteractiveTokenParameters(scopes: ["User.Read"], session: authority.pages)
    parameters.authority = try Authority("https://login.microsoftonline.com/\(Person.fabrikam)")
    return try await app.acquireToken(parameters).account
  }

  @Test("Accounts are found by their tenant profiles")
  func filter() async throws {
    let ben = try await signIn(.ben)
    try await signIn(.adele)
    let adele = try await visitFabrikam()
    func found(_ filter: AccountFilter) async -> [Account] { await app.accounts(filter) }
    #expect(await found(AccountFilter()) == [adele, ben])
    #expect(await found(AccountFilter(tenantID: Person.contoso)) == [adele, ben])
    #expect(await found(AccountFilter(tenantID: Person.fabrikam.uppercased())) == [adele])
    #expect(await found(AccountFilter(tenantProfileIdentifier: "guest-id")) == [adele])
    #expect(await found(AccountFilter(tenantProfileIdentifier: Person.ben.objectID)) == [ben])
    #expect(await found(AccountFilter(identifier: ben.id, tenantID: Person.contoso)) == [ben])
    #expect(await found(AccountFilter(identifier: ben.id, tenantID: Person.fabrikam)).isEmpty)
  }

  @Test("An account with a refresh token or a valid access token counts as signed in")
  func signedIn() async throws {
    let adele = try await signIn(.adele)
    let onlySignedIn = AccountFilter(returnOnlySignedInAccounts: true)
    authority.next(
      .token, status: 400, "{\"error\": \"invalid_grant\", \"suberror\": \"bad_token\"}")
    var parameters = SilentTokenParameters(scopes: ["User.Read"], account: adele)
    parameters.forceRefresh = true
    await #expect(throws: AuthenticationError.self) {
      try await app.acquireTokenSilent(parameters)
    }
    #expect(await app.accounts(onlySignedIn) == [adele], "the access token is valid for an hour")
    clock.advance(by: 3600)
    #expect(await app.accounts(onlySignedIn).isEmpty)
    #expect(await app.accounts() == [adele], "it is kept as a hint for the next sign-in")
    clock.advance(by: 7 * 24 * 3600)
    let ben = try await signIn(.ben)
    clock.advance(by: 7 * 24 * 3600)
    #expect(await app.accounts(onlySignedIn) == [ben], "a refresh token remains valid")
  }

  @Test("An account has a profile with claims for each tenant, also when read from the store")
  func profiles() async throws {
    try await signIn(.adele)
    let adele = try await visitFabrikam()
    let later = try TestApplication.make(authority, clock: clock, store: store)
    for account in await [adele] + later.accounts() {
      #expect(account.tenantProfiles.count == 2)
      let home = try #require(account.tenantProfiles.first { $0.isHomeTenantProfile })
      let guest = try #require(account.tenantProfiles.first { !$0.isHomeTenantProfile })
      #expect(home.tenantID == Person.contoso)
      #expect(home.claims?["oid"]?.string == Person.adele.objectID)
      #expect(home.claims?["name"]?.string == "Adele Vance")
      #expect(guest.tenantID == Person.fabrikam)
      #expect(guest.localAccountID == "guest-id")
      #expect(guest.claims?["tid"]?.string == Person.fabrikam)
      #expect(account.accountClaims == home.claims)
    }
    #expect(await later.accounts() == [adele])
    // The profile is the same, even if the last token's claims differ.
    authority.edit(.claims) { $0["family_name"] = .string("Vance") }
    let again = try await visitFabrikam()
    #expect(again.tenantProfiles.count == 2)
    #expect(Set(again.tenantProfiles) == Set(adele.tenantProfiles))
    let guest = again.tenantProfiles.first { !$0.isHomeTenantProfile }
    #expect(guest?.claims?["family_name"]?.string == "Vance")
  }

  @Test("A guest who never signed in to the home tenant has no claims from it")
  func guestOnly() async throws {
    let adele = try await visitFabrikam()
    #expect(adele.tenantProfiles.map(\.isHomeTenantProfile) == [false])
    #expect(adele.accountClaims == nil)
    #expect(adele.id == Person.adele.identifier)
  }

  // MARK: - Other programs' accounts

  @Test("Other programs' accounts are listed once, and not if they are signed in here")
  func external() async throws {
    let other = ExternalAccount(username: "megan@outlook.example")
    let first = ScriptedProvider([
      ExternalAccount(username: "ADELE@contoso.example"), other,
      // Ben by his ID, with an earlier user name.
      ExternalAccount(username: "benny", homeAccountID: HomeAccountID(Person.ben.identifier)),
    ])
    let failing = ScriptedProvider([ExternalAccount(username: "nobody")])
    failing.fail()
    let app = try ScriptedProvider.app(
      [failing, first, ScriptedProvider([other])], authority, store: store)
    #expect(
      await app.externalAccounts().map(\.username) == [
        "ADELE@contoso.example", "megan@outlook.example", "benny",
      ])
    #expect(await app.accounts().isEmpty, "a hint does not sign in")
    authority.willSignIn(.adele)
    var parameters = InteractiveTokenParameters(scopes: ["User.Read"], session: authority.pages)
    parameters.loginHint = await app.externalAccounts().first?.username
    _ = try await app.acquireToken(parameters)
    #expect(authority.authorization["login_hint"] == "ADELE@contoso.example")
    #expect(await app.externalAccounts().map(\.username) == ["megan@outlook.example", "benny"])
    authority.willSignIn(.ben)
    _ = try await app.acquireToken(
      InteractiveTokenParameters(scopes: ["User.Read"], session: authority.pages))
    #expect(await app.externalAccounts() == [other])
  }

  @Test("The same user name with another ID is another account")
  func externalNamesake() async throws {
    let namesake = ExternalAccount(
      username: Person.adele.username, homeAccountID: HomeAccountID("other.\(Person.fabrikam)"))
    let app = try ScriptedProvider([namesake]).app(authority)
    authority.willSignIn(.adele)
    _ = try await app.acquireToken(
      InteractiveTokenParameters(scopes: ["User.Read"], session: authority.pages))
    #expect(await app.externalAccounts() == [namesake])
  }
}
