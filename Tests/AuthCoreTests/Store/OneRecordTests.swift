@testable import AuthCore
import CurlHTTP
import FoundationEssentials
import TestSupport
import Testing

/// Apps with separate stores over one backend simulate processes with separate memory.
@Suite("A token of one account reads the index and one record")
struct OneRecordTests {
  let authority = ScriptedAuthority()
  let clock = ManualClock()
  let backend = MemoryBackend()
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  func newStore() -> RecordStore {
    RecordStore(backend: KeyringRecordBackend(backend), lockPath: "\(directory.path)/lock")
  }

  func newProcess() throws -> PublicClientApplication {
    try TestApplication.make(authority, clock: clock, store: newStore())
  }

  static let tenant = "f645ad92-e38d-4d1a-b510-d1b09a74a8ca"

  static func identifier(_ number: Int) -> String {
    let digits = String(number)
    let id = "00000000-0000-0000-0000-" + String(repeating: "0", count: 12 - digits.count) + digits
    return "\(id).\(tenant)"
  }

  /// A record of an account in MSAL's schema, with a token that is valid for an hour.
  func record(_ number: Int, token: String? = nil) -> StoredRecord {
    let id = Self.identifier(number)
    let now = Int(clock.now.timeIntervalSince1970)
    let owner =
      "\"home_account_id\":\"\(id)\",\"environment\":\"login.microsoftonline.com\""
    let app = "\(owner),\"client_id\":\"\(TestApplication.clientID)\""
    return StoredRecord(
      id: "record-\(number)",
      contents: Secret(
        Data(
          """
          {"Account":{"a":{\(owner),"realm":"\(Self.tenant)","local_account_id":"\(number)",\
          "username":"user\(number)@contoso.example","authority_type":"MSSTS"}},\
          "AccessToken":{"t":{\(app),"credential_type":"AccessToken","realm":"\(Self.tenant)",\
          "secret":"\(token ?? "token-\(number)")","target":"User.Read","token_type":"Bearer",\
          "cached_at":"\(now)","expires_on":"\(now + 3600)"}},\
          "RefreshToken":{"r":{\(app),"credential_type":"RefreshToken","secret":"r\(number)"}}}
          """.utf8)))
  }

  func fill(_ count: Int) async throws {
    try await newStore().save((0..<count).map { record($0) })
    _ = backend.takeReadKinds()
  }

  func token(_ app: PublicClientApplication, _ number: Int) async throws -> String? {
    guard let account = await app.account(identifier: Self.identifier(number)) else { return nil }
    let result = try await app.acquireTokenSilent(.init(scopes: ["User.Read"], account: account))
    #expect(result.source == .cache && account.id == Self.identifier(number))
    return result.accessToken.exposed
  }

  /// Rewrites the index in the format of an earlier version, without accounts.
  func forgetOwners() throws {
    for (name, slot) in backend.slots where name.kind == .index {
      let envelope = try SlotEnvelope(Secret(slot))
      let json = try JSON(parsing: envelope.payload.exposed)
      let members = try #require(json.object).filter { $0.name != "accounts" }
      #expect(members.map(\.name) == ["ids", "removed"])
      let payload = Secret(Data(JSON.object(members).compactText.utf8))
      let old = SlotEnvelope(generation: envelope.generation, id: envelope.id, payload: payload)
      backend.slots[name] = old.text.exposed
    }
  }

  // MARK: - Reads

  @Test("With any number of accounts", arguments: [1, 100, 1000])
  func one(count: Int) async throws {
    try await fill(count)
    let app = try newProcess()
    #expect(try await token(app, count - 1) == "token-\(count - 1)")
    #expect(backend.takeReadKinds() == [.index, .record])
    #expect(backend.count(.list) == 0)
    // Each further account takes one record, and none is read twice.
    for _ in 1...2 {
      for number in Set([0, count / 2, count - 1]) {
        #expect(try await token(app, number) == "token-\(number)")
      }
    }
    let further = Set([0, count / 2, count - 1]).count - 1
    #expect(backend.takeReadKinds() == Array(repeating: .record, count: further))
    #expect(backend.count(.list) == 0)
    // Listing all accounts reads all records.
    #expect(await app.accounts().count == count)
    #expect(backend.count(.list) == 1)
  }

  @Test("A filter by identifier reads one account; any other filter reads all")
  func filters() async throws {
    try await fill(10)
    let found = try await newProcess().accounts(AccountFilter(identifier: Self.identifier(3)))
    #expect(found.map(\.username) == ["user3@contoso.example"])
    #expect(backend.takeReadKinds() == [.index, .record] && backend.count(.list) == 0)
    #expect(try await newProcess().accounts(username: "USER4@contoso.example").count == 1)
    #expect(backend.count(.list) == 1)
  }

  @Test("A renewal writes one record, and reads no other")
  func renewal() async throws {
    let signedIn = try newProcess()
    authority.willSignIn(.adele)
    let adele = try await signedIn.acquireToken(
      InteractiveTokenParameters(scopes: ["User.Read"], session: authority.pages)
    ).account
    try await newStore().save((0..<100).map { record($0) })
    clock.advance(by: 4000)
    let app = try newProcess()
    _ = backend.takeReadKinds()
    let (lists, writes) = (backend.count(.list), backend.count(.write))
    let account = try #require(await app.account(identifier: adele.id))
    let result = try await app.acquireTokenSilent(.init(scopes: ["User.Read"], account: account))
    #expect(result.source == .server && result.storageFailure == nil)
    // Each written record is read back: first with the new refresh token, because this process has
    // no signing keys yet and has to ask for them.
    #expect(backend.takeReadKinds() == [.index, .record, .record, .record])
    #expect(backend.count(.write) == writes + 2 && backend.count(.list) == lists)
    let writesBefore = backend.count(.write)
    clock.advance(by: 4000)
    _ = try await app.acquireTokenSilent(.init(scopes: ["User.Read"], account: account))
    #expect(backend.takeReadKinds() == [.record])
    #expect(backend.count(.write) == writesBefore + 1 && backend.count(.list) == lists)
    let next = try await newProcess().acquireTokenSilent(
      .init(scopes: ["User.Read"], account: account))
    #expect(next.accessToken != result.accessToken && next.source == .cache)
  }

  @Test("A change by another process is read, for the requested account only")
  func changedElsewhere() async throws {
    try await fill(50)
    let app = try newProcess()
    for number in [1, 2] { #expect(try await token(app, number) == "token-\(number)") }
    try await newStore().save(record(1, token: "newer"))
    _ = backend.takeReadKinds()
    #expect(try await token(app, 1) == "newer")
    #expect(backend.takeReadKinds() == [.index, .record] && backend.count(.list) == 0)
    try await newStore().delete(id: "record-2")
    #expect(try await token(app, 2) == nil)
    #expect(await app.accounts().count == 49)
  }

  @Test("The stores forward their backends' values")
  func handedOn() async throws {
    let key = Secret(Data(repeating: 7, count: EncryptedFileTokenCacheStore.keySize))
    let path = "\(directory.path)/store"
    let files = EncryptedFileTokenCacheStore(directory: "\(path)/accounts", key: key)
    try await files.save([record(0), record(1)])
    #expect(Set(try await files.index()) == Set([record(0), record(1)].compactMap(\.entry)))
    #expect(try await files.load(id: "record-1") == record(1))
    #expect(try await files.load(id: "record-2") == nil)
    let chosen = ChosenStore(setting: .memory, directory: path)
    try await chosen.save(record(0))
    #expect(try await chosen.index().isEmpty)
    #expect(try await chosen.load(id: "record-0") == record(0))
  }

  // MARK: - Incomplete indexes

  @Test("An account that is missing in the index is found anyway")
  func unnamed() async throws {
    try await fill(3)
    // As if a process was killed between writing the record and the index.
    let envelope = SlotEnvelope(generation: 1, id: "record-7", payload: record(7).contents)
    backend.slots[Slot.Name(.record, "record-7", .a)] = envelope.text.exposed
    #expect(try await token(newProcess(), 7) == "token-7")
    #expect(try await newProcess().accounts().count == 4)
  }

  @Test("An earlier version's index is read with all records; the next write adds the accounts")
  func earlierVersion() async throws {
    try await fill(5)
    try forgetOwners()
    let app = try newProcess()
    #expect(try await token(app, 3) == "token-3")
    #expect(backend.count(.list) == 1)
    let store = newStore()
    _ = try await store.load()
    let writes = backend.count(.write)
    try await store.save(record(2, token: "newer"))
    #expect(backend.count(.write) == writes + 2)
    try await store.save(record(2, token: "newest"))
    #expect(backend.count(.write) == writes + 3)
    let lists = backend.count(.list)
    #expect(try await token(newProcess(), 4) == "token-4")
    #expect(backend.count(.list) == lists)
  }

  @Test("An index with a wrong account makes all records be read")
  func wrongIndex() async throws {
    try await fill(3)
    let envelope = SlotEnvelope(generation: 9, id: "record-1", payload: record(8).contents)
    backend.slots[Slot.Name(.record, "record-1", .a)] = envelope.text.exposed
    #expect(try await token(newProcess(), 1) == nil)
    #expect(try await token(newProcess(), 8) == "token-8")
  }

  @Test("An unreadable index only takes more time", arguments: ["", "half", "{}"])
  func damagedIndex(text: String) async throws {
    try await fill(3)
    for name in backend.slots.keys where name.kind == .index {
      backend.slots[name] = Data(text.utf8)
    }
    #expect(try await token(newProcess(), 1) == "token-1")
    #expect(try await newProcess().accounts().count == 3)
  }

  // MARK: - Faults

  @Test("A damaged record is reported when it is requested, and the previous one is used")
  func damagedRecord() async throws {
    try await fill(3)
    try await newStore().save(record(1, token: "newer"))
    let slot = Slot.Name(.record, "record-1", .b)
    backend.slots[slot] = Data("half".utf8)
    let app = try newProcess()
    #expect(try await token(app, 0) == "token-0")
    #expect(await app.storageFailure == nil)
    #expect(backend.slots[slot] != nil)
    #expect(try await token(app, 1) == "token-1")
    #expect(await app.storageFailure?.code == .storageIncomplete)
    #expect(backend.slots[slot] == nil)
  }

  @Test("A missing record is reported when it is requested")
  func missingRecord() async throws {
    try await fill(2)
    backend.hide([Slot.Name(.record, "record-1", .a)])
    let app = try newProcess()
    #expect(try await token(app, 0) == "token-0")
    #expect(try await token(app, 1) == nil)
    #expect(await app.storageFailure?.message.contains("missing from the token store") == true)
    backend.hide([])
    #expect(try await token(newProcess(), 1) == "token-1")
  }

  @Test("A failure after reading the index does not mean that the account is missing")
  func failing() async throws {
    try await fill(2)
    let app = try newProcess()
    #expect(try await token(app, 0) == "token-0")
    let other = try #require(await newProcess().account(identifier: Self.identifier(1)))
    backend.fail(.read, .list)
    let error = await #expect(throws: AuthenticationError.self) {
      _ = try await app.acquireTokenSilent(.init(scopes: ["User.Read"], account: other))
    }
    #expect(error?.code == .storageUnavailable)
    // Cached data does not need the store.
    #expect(try await token(app, 0) == "token-0")
    backend.fail()
    #expect(try await token(app, 1) == "token-1")
  }

  @Test("A sign-in while the store fails never overwrites an unread record")
  func signInUnread() async throws {
    let first = try newProcess()
    for person in [Person.adele, .ben] {
      authority.willSignIn(person)
      _ = try await first.acquireToken(
        InteractiveTokenParameters(scopes: ["User.Read"], session: authority.pages))
      clock.advance(by: 10)
    }
    let accounts = await first.accounts()
    let ids = Set(backend.slots.keys.filter { $0.kind == .record }.map(\.id))
    let app = try newProcess()
    _ = await app.account(identifier: accounts[0].id)
    // The other records are unread.
    backend.fail(.read, .list)
    let lists = backend.count(.list)
    authority.willSignIn(.adele)
    let result = try await app.acquireToken(
      InteractiveTokenParameters(scopes: ["User.Read"], session: authority.pages))
    #expect(result.account == accounts[1])
    #expect(result.storageFailure?.code == .storageUnavailable)
    #expect(backend.count(.list) == lists + 1)
    backend.fail()
    #expect(await app.accounts() == [accounts[1], accounts[0]])
    #expect(await app.storageFailure == nil)
    #expect(Set(backend.slots.keys.filter { $0.kind == .record }.map(\.id)) == ids)
    let next = try newProcess()
    #expect(await next.accounts() == [accounts[1], accounts[0]])
    let token = try await next.acquireTokenSilent(
      .init(scopes: ["User.Read"], account: accounts[1]))
    #expect(token.accessToken == result.accessToken)
  }

  @Test("Removing the newer of an account's two records also removes the older")
  func twins() async throws {
    try await fill(2)
    clock.advance(by: 10)
    var twin = record(1, token: "newer")
    twin.id = "twin"
    try await newStore().save(twin)
    let app = try newProcess()
    #expect(try await token(app, 1) == "newer")
    let account = try #require(await app.account(identifier: Self.identifier(1)))
    try await app.remove(account)
    #expect(try await newProcess().accounts().map(\.username) == ["user0@contoso.example"])
  }

  @Test("Removing an account whose record was not read removes it")
  func removedUnread() async throws {
    try await fill(3)
    let (app, other) = (try newProcess(), try newProcess())
    let account = try #require(await other.account(identifier: Self.identifier(2)))
    #expect(try await token(app, 0) == "token-0")
    try await app.remove(account)
    #expect(try await token(app, 2) == nil)
    #expect(try await token(other, 2) == nil)
    #expect(try await token(newProcess(), 2) == nil)
  }

  // MARK: - Fractions of a second

  @Test("A renewal within the same second does not restore an account removed by another process")
  func fractions() async throws {
    clock.advance(by: 0.75)
    let (one, other) = (try newProcess(), try newProcess())
    authority.willSignIn(.adele)
    let adele = try await one.acquireToken(
      InteractiveTokenParameters(scopes: ["User.Read"], session: authority.pages)
    ).account
    clock.advance(by: 3600)
    authority.next(.token) { [authority] call in
      try? await other.remove(adele)
      return authority.usualReply(to: call)
    }
    _ = try await one.acquireTokenSilent(.init(scopes: ["User.Read"], account: adele))
    #expect(await one.accounts().isEmpty)
    #expect(await (try newProcess()).accounts().isEmpty)
  }

  @Test("The record passed to a store is the record that it reads, except for in-memory values")
  func asWritten() throws {
    var record = try #require(record(1).account)
    record.signedInAt = Date(timeIntervalSince1970: 1_800_000_000.75)
    record.accessTokens[0].scopes = Scopes(["User.Read", "Mail.Read"])
    record.accessTokens[0].cachedAt = Date(timeIntervalSince1970: 1_800_000_001.25)
    record.accessTokens[0].expiresOn = Date(timeIntervalSince1970: 1_800_003_601.5)
    record.accessTokens[0].refreshOn = Date(timeIntervalSince1970: 1_800_000_099.999)
    // Other programs cannot read a year with five digits.
    var endless = record.accessTokens[0]
    endless.scopes = Scopes(["Files.Read"])
    endless.expiresOn = Date(timeIntervalSince1970: 253_402_300_800)
    record.accessTokens.append(endless)
    record.idTokens = [
      .init(
        realm: Self.tenant, secret: Secret("x.y.z"),
        expiresOn: Date(timeIntervalSince1970: 1_800_003_600.125))
    ]
    let handed = record.asWritten
    let read = try #require(StoredRecord(id: record.id, contents: record.text).account)
    for record in [handed, read] {
      #expect(record.signedInAt.timeIntervalSince1970 == 1_800_000_000)
      #expect(record.accessTokens.count == 1)
      let token = try #require(record.accessTokens.first)
      #expect(token.scopes.list == ["Mail.Read", "User.Read"])
      #expect(token.cachedAt.timeIntervalSince1970 == 1_800_000_001)
      #expect(token.expiresOn.timeIntervalSince1970 == 1_800_003_601)
      #expect(token.extendedExpiresOn == token.expiresOn)
      #expect(token.refreshOn?.timeIntervalSince1970 == 1_800_000_099)
      #expect(record.idTokens.first?.expiresOn?.timeIntervalSince1970 == 1_800_003_600)
    }
    #expect(handed.accessTokens == read.accessTokens && handed.idTokens == read.idTokens)
    #expect(handed.profiles == read.profiles && handed.refreshToken == read.refreshToken)
    #expect(handed.text == read.text)
  }

  @Test("The same for a file shared with other MSALs")
  func fractionsInFile() async throws {
    clock.advance(by: 0.75)
    let path = "\(directory.path)/cache.json"
    func process() throws -> PublicClientApplication {
      try TestApplication.make(authority, clock: clock, store: FileTokenCacheStore(path: path))
    }
    let (one, other) = (try process(), try process())
    authority.willSignIn(.adele)
    let adele = try await one.acquireToken(
      InteractiveTokenParameters(scopes: ["User.Read"], session: authority.pages)
    ).account
    clock.advance(by: 3600)
    authority.next(.token) { [authority] call in
      try? await other.remove(adele)
      return authority.usualReply(to: call)
    }
    _ = try await one.acquireTokenSilent(.init(scopes: ["User.Read"], account: adele))
    #expect(await one.accounts().isEmpty)
    #expect(await (try process()).accounts().isEmpty)
  }
}
