import AuthCore
import CurlHTTP
import FoundationEssentials
import TestSupport
import Testing

@Suite("The store")
struct StoreTests {
  let authority = ScriptedAuthority()
  let clock = ManualClock()
  let store = ScriptedStore()

  func newRun() throws -> PublicClientApplication {
    try TestApplication.make(authority, clock: clock, store: store)
  }

  @discardableResult
  func signIn(_ app: PublicClientApplication, _ person: Person = .adele) async throws -> Account {
    clock.advance(by: 1)
    authority.willSignIn(person)
    return try await app.acquireToken(
      InteractiveTokenParameters(scopes: ["User.Read"], session: authority.pages)
    ).account
  }

  @Test("The store is not used until it is needed, and read once")
  func lazy() async throws {
    let app = try newRun()
    #expect(store.count(.load) == 0)
    _ = await app.accounts()
    _ = await app.accounts()
    #expect(store.count(.load) == 1)
    #expect(await app.storageFailure == nil)
  }

  @Test("A record has MSAL's unified schema, and a random ID")
  func schema() async throws {
    try await signIn(newRun())
    let record = try #require(store.records.first)
    #expect(!record.id.contains("adele") && !record.id.contains(Person.adele.objectID))
    let json = try JSON(parsing: record.contents.exposed)
    let owner = "\(Person.adele.identifier)-login.microsoftonline.com"
    let client = TestApplication.clientID
    // Facts 25, 29 and 30: the keys.
    let access = try #require(json["AccessToken"]?.object?.first)
    #expect(
      access.name == "\(owner)-accesstoken-\(client)-\(Person.contoso)-user.read openid profile")
    #expect(json["RefreshToken"]?.object?.first?.name == "\(owner)-refreshtoken-\(client)--")
    #expect(
      json["IdToken"]?.object?.first?.name == "\(owner)-idtoken-\(client)-\(Person.contoso)-")
    #expect(json["Account"]?.object?.first?.name == "\(owner)-\(Person.contoso)")
    #expect(access.value["credential_type"]?.string == "AccessToken")
    #expect(access.value["home_account_id"]?.string == Person.adele.identifier)
    #expect(access.value["environment"]?.string == "login.microsoftonline.com")
    #expect(access.value["realm"]?.string == Person.contoso)
    #expect(access.value["secret"]?.string == "access-canary-1")
    // Times are decimal seconds, as text.
    #expect(access.value["cached_at"]?.string == "1800000001")
    #expect(access.value["expires_on"]?.string == "1800003601")
    #expect(access.value["extended_expires_on"]?.string == "1800003601")
    #expect(json["Account"]?.object?.first?.value["authority_type"]?.string == "MSSTS")
  }

  @Test("If the store cannot be read, the app works with memory, and reports the reason")
  func locked() async throws {
    store.fail(.load, .save, .delete)
    let app = try newRun()
    #expect(await app.accounts().isEmpty)
    #expect(await app.storageFailure?.code == .storageUnavailable)
    let account = try await signIn(app)
    #expect(try await app.silently(account).source == .cache)
    #expect(await app.storageFailure?.code == .storageUnavailable)
  }

  @Test("Unlocking allows the store to ask the user again, and always reads it")
  func unlock() async throws {
    let app = try newRun()
    _ = await app.accounts()
    #expect(store.timesAllowedToAsk == 0)
    let reads = store.count(.load)
    await app.unlockStorage()
    #expect(store.timesAllowedToAsk == 1)
    #expect(store.count(.load) == reads + 1)
  }

  @Test("A task that was canceled before finds no account that was not read yet")
  func canceledBeforeReading() async throws {
    let adele = try await signIn(newRun())
    let app = try newRun()
    let found = await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await app.accounts()
    }.value
    #expect(found.isEmpty)
    #expect(await app.accounts() == [adele])
  }

  @Test("Nothing is written to a store that was not read")
  func notOverwritten() async throws {
    try await signIn(newRun(), .ben)
    let before = store.records
    store.fail(.load)
    let app = try newRun()
    let adele = try await signIn(app)
    #expect(store.records == before)
    #expect(store.count(.save) == 1)
    // Then the user unlocks it: both accounts are there, and the pending change is written.
    store.fail()
    #expect(
      Set(await app.accounts().map(\.username)) == [
        Person.adele.username, Person.ben.username,
      ])
    #expect(await app.storageFailure == nil)
    #expect(store.records.count == 2)
    #expect(await (try newRun()).currentAccount().current == adele)
  }

  @Test(
    "A new sign-in while the store is locked replaces the record later, even that of a fast clock",
    arguments: [0.0, 86_400.0] as [TimeInterval])
  func sameAccountLater(ahead: TimeInterval) async throws {
    clock.advance(by: ahead)
    let adele = try await signIn(newRun())
    clock.advance(by: -ahead)
    store.fail(.load)
    let app = try newRun()
    try await signIn(app)
    store.fail()
    #expect(await app.accounts() == [adele])
    #expect(store.records.count == 1)
    #expect(try await newRun().silently(adele).accessToken.exposed == "access-canary-2")
  }

  @Test("The clock was ahead at the sign-in: a sign-out while the store is locked is made up for")
  func removedByAnotherClock() async throws {
    clock.advance(by: 24 * 3600)
    let adele = try await signIn(newRun())
    clock.advance(by: -24 * 3600)
    for isKnown in [true, false] {
      let before = store.records
      let app = try newRun()
      if isKnown { #expect(await app.accounts() == [adele]) }
      store.fail(.load, .delete)
      let error = await #expect(throws: AuthenticationError.self) { try await app.remove(adele) }
      #expect(error?.code == .storageUnavailable)
      clock.advance(by: 1)
      store.fail()
      store.markChanged()
      #expect(await app.accounts().isEmpty)
      #expect(store.records.isEmpty)
      store.records = before
    }
  }

  @Test("A failed save does not fail the sign-in, and is repeated later")
  func saveFails() async throws {
    let app = try newRun()
    store.fail(.save)
    let adele = try await signIn(app)
    #expect(await app.storageFailure?.code == .storageUnavailable)
    #expect(store.records.isEmpty)
    store.fail()
    _ = try await app.silently(adele)
    #expect(await app.storageFailure == nil)
    #expect(store.records.count == 1)
    #expect(await (try newRun()).accounts() == [adele])
  }

  @Test("A refresh token that could not be written is not lost")
  func rotatedTokenIsKept() async throws {
    let app = try newRun()
    let adele = try await signIn(app)
    clock.advance(by: 3600)
    store.fail(.save)
    _ = try await app.silently(adele)
    store.fail()
    _ = await app.accounts()
    clock.advance(by: 3600)
    _ = try await newRun().silently(adele)
    #expect(authority.lastForm["refresh_token"] == "refresh-canary-2")
  }

  @Test("A failed delete is reported, and repeated later")
  func deleteFails() async throws {
    let app = try newRun()
    let adele = try await signIn(app)
    store.fail(.delete)
    let error = await #expect(throws: AuthenticationError.self) { try await app.remove(adele) }
    #expect(error?.code == .storageUnavailable)
    #expect(await app.accounts().isEmpty)
    #expect(store.records.count == 1)
    store.fail()
    #expect(await app.accounts().isEmpty)
    #expect(store.records.isEmpty)
    #expect(await app.storageFailure == nil)
  }

  @Test("Signing out while the store is locked is reported, and repeated later")
  func removeWhileLocked() async throws {
    let adele = try await signIn(newRun())
    store.fail(.load)
    let app = try newRun()
    let result = try await app.signOut(adele)
    #expect(result.removal.error?.code == .storageUnavailable)
    store.fail()
    #expect(await app.accounts().isEmpty)
    #expect(store.records.isEmpty)
  }

  @Test("Canceling ends the wait for a store that hangs; the next call reads it")
  func hangs() async throws {
    let adele = try await signIn(newRun())
    let (waiting, isWaiting) = AsyncStream<Void>.makeStream()
    store.hold { _ in
      isWaiting.yield()
      for await _ in AsyncStream<Void>.makeStream().stream { break }
    }
    let app = try newRun()
    let request = Task { await app.accounts() }
    for await _ in waiting { break }
    request.cancel()
    #expect(await request.value.isEmpty)
    #expect(await app.storageFailure?.code == .storageUnavailable)
    store.hold(nil)
    #expect(await app.accounts() == [adele])
    #expect(await app.storageFailure == nil)
  }

  @Test("Tokens that arrived are stored, even if the task was canceled meanwhile")
  func cancelledAfterReply() async throws {
    let app = try newRun()
    let adele = try await signIn(app)
    clock.advance(by: 3600)
    let request = Task {
      authority.next(.token) { call in
        withUnsafeCurrentTask { $0?.cancel() }
        return authority.usualReply(to: call)
      }
      return try await app.silently(adele)
    }
    _ = await request.result
    clock.advance(by: 3600)
    _ = try await newRun().silently(adele)
    #expect(authority.lastForm["refresh_token"] == "refresh-canary-2")
  }

  @Test(
    "An unreadable record does not affect the others",
    arguments: [
      "", "{}", "{\"version\":2}", "not JSON", "[]", "{\"version\":1,\"client_id\":\"x\"}",
    ])
  func corrupt(text: String) async throws {
    let adele = try await signIn(newRun())
    let stranger = StoredRecord(id: "stranger", contents: Secret(Data(text.utf8)))
    store.records += [stranger]
    let app = try newRun()
    #expect(await app.accounts() == [adele])
    #expect(await app.storageFailure == nil)
    _ = try await app.silently(adele)
    #expect(store.records.contains(stranger))
  }

  @Test("A truncated record is never read, not even in part")
  func cut() async throws {
    try await signIn(newRun())
    let whole = try #require(store.records.first)
    let bytes = whole.contents.exposed
    for length in stride(from: 0, to: bytes.count, by: 37) {
      store.records = [StoredRecord(id: "cut", contents: Secret(bytes.prefix(length)))]
      #expect(await (try newRun()).accounts().isEmpty)
    }
    store.records = [whole]
    #expect(await (try newRun()).accounts().count == 1)
  }

  @Test("Another app's records in the same store are not this app's accounts")
  func otherClient() async throws {
    try await signIn(newRun())
    let redirect = try RedirectURI(TestApplication.redirectURI)
    let other = PublicClientApplication(
      configuration: try PublicClientApplicationConfiguration(
        clientID: "other", redirectURI: redirect), store: store)
    #expect(await other.accounts().isEmpty)
    #expect(store.records.count == 1)
  }
}
