import AuthCore
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@Suite("Contents of a token cache")
struct CacheExportTests {
  func contents(_ text: String) throws -> UnifiedCache {
    try UnifiedCache(Secret(Data(text.utf8)))
  }

  func json(_ contents: UnifiedCache) throws -> JSON {
    try JSON(parsing: contents.text.exposed)
  }

  // MARK: - Summary

  @Test("The summary of each MSAL's cache lists its account and apps", arguments: Peer.allCases)
  func peers(peer: Peer) throws {
    let contents = try contents(peer.text)
    let account = try #require(contents.accounts.first)
    #expect(contents.accounts.count == 1)
    #expect(account.username == Person.adele.username)
    #expect(account.homeAccountID == Person.adele.identifier)
    #expect(account.apps.map(\.clientID) == [TestApplication.clientID, "other-app"])
    let app = try #require(account.apps.first)
    #expect(app.hasRefreshToken)
    #expect(app.familyID == ([.dotNET, .python].contains(peer) ? "1" : nil))
    let token = try #require(app.accessTokens.first)
    #expect(token.scopes.contains { $0.lowercased() == "user.read" })
    #expect(token.expiresOn == Date(timeIntervalSince1970: 1_800_001_800))
    #expect(token.type.lowercased() == "bearer")
    #expect(account.apps.last?.hasRefreshToken == false)
    // MSAL Python's cache has a service's token.
    #expect(contents.unownedTokenCount == (peer == .python ? 1 : 0))
  }

  @Test("Nothing in the summary contains a token", arguments: Peer.allCases)
  func secrets(peer: Peer) throws {
    let text = String(describing: try contents(peer.text).accounts)
    #expect(!text.contains(#""AT"#) && !text.contains(#""RT"#) && !text.contains("no JWT"))
  }

  @Test("A cache may be base64 text; anything else is rejected")
  func forms() throws {
    let text = Data(Peer.go.text.utf8).base64EncodedString()
    #expect(try contents(text).accounts.count == 1)
    #expect(try contents("").accounts.isEmpty)
    for text in ["hunter2", "[]", #"{"Account": []}"#, "e30", "{"] {
      #expect(throws: JSONError.self) { try contents(text) }
    }
  }

  @Test("A shared file is exported byte for byte", arguments: Peer.allCases)
  func whole(peer: Peer) async throws {
    let directory = try TemporaryDirectory()
    try directory.write("cache.json", peer.text)
    let store = FileTokenCacheStore(path: directory.path + "/cache.json")
    let text = String(decoding: try await UnifiedCache(of: store).text.exposed, as: UTF8.self)
    for part in peer.strange {
      #expect(text.contains(part.replacing("TENANT", with: Person.contoso)))
    }
    #expect(text.contains("AT of another") && text.contains(#""AT""#))
  }

  @Test("An account with very many apps is read without a delay", .timeLimit(.minutes(5)))
  func manyApps() async throws {
    let apps = 30_000
    func section(_ members: String) -> String {
      let all = #""environment": "login.microsoftonline.com"\#(members)"#
      return (0..<apps).map { #""\#($0)": {"client_id": "app \#($0)", \#(all)}"# }
        .joined(separator: ",")
    }
    let token = #", "home_account_id": "\#(Person.adele.identifier)", "secret": "RT""#
    let directory = try TemporaryDirectory()
    let text = """
      {"RefreshToken": {\(section(token))}, "AppMetadata": {\(section(""))}, "tenant_ids": {}}
      """
    try directory.write("cache.json", text)
    let store = FileTokenCacheStore(path: directory.path + "/cache.json")
    #expect(try await store.index().count == apps)
    #expect(try await store.load().count == apps)
    #expect(try contents(text).foreignTokenCount == 0)
    #expect(try contents(text).accounts.first?.apps.count == apps)
  }

  // MARK: - Import

  @Test("Accounts are imported once; importing them again changes nothing")
  func twice() async throws {
    let directory = try TemporaryDirectory()
    let stores: [any TokenCacheStore] = [
      MemoryTokenCacheStore(), FileTokenCacheStore(path: directory.path + "/cache.json"),
    ]
    for store in stores {
      for peer in [Peer.java, .go] {
        let first = try await contents(peer.text).merge(into: store)
        let second = try await contents(peer.text).merge(into: store)
        #expect(first.map(\.clientID) == [TestApplication.clientID, "other-app"])
        #expect(first.map(\.username) == [Person.adele.username, Person.adele.username])
        #expect(second.map(\.kind) == [.unchanged, .unchanged])
        if peer == .java { #expect(first.map(\.kind) == [.new, .new]) }
      }
      let app = try TestApplication.make(ScriptedAuthority(), clock: ManualClock(), store: store)
      let account = try #require(await app.currentAccount().current)
      let result = try await app.acquireTokenSilent(.init(scopes: ["User.Read"], account: account))
      #expect(result.accessToken.exposed == "AT")
    }
  }

  @Test(
    "Of two tokens for the same key, the newer is kept, in either order",
    arguments: [(1_799_999_100, "AT of later", "RT of later"), (1_799_998_900, "AT", "RT")])
  func newer(cachedAt: Int, access: String, refresh: String) async throws {
    let directory = try TemporaryDirectory()
    let stores: [any TokenCacheStore] = [
      MemoryTokenCacheStore(), FileTokenCacheStore(path: directory.path + "/cache.json"),
    ]
    let other = Peer.java.text.replacing("1799999000", with: "\(cachedAt)")
      .replacing(#""secret":"AT""#, with: #""secret":"AT of later""#)
      .replacing(#""secret":"RT""#, with: #""secret":"RT of later""#)
    for store in stores {
      _ = try await contents(Peer.java.text).merge(into: store)
      let results = try await contents(other).merge(into: store)
      #expect(
        results.first?.kind == (access == "AT" ? .unchanged : .changed))
      let json = try json(await UnifiedCache(of: store))
      func secrets(_ section: String) -> [String] {
        json[section]?.object?.filter {
          $0.value["client_id"]?.string == TestApplication.clientID
        }.compactMap { $0.value["secret"]?.string } ?? []
      }
      #expect(secrets("AccessToken") == [access])
      #expect(secrets("RefreshToken") == [refresh])
    }
  }

  @Test("Existing entries are kept, and tokens for other permissions are kept separately")
  func sideBySide() async throws {
    let directory = try TemporaryDirectory()
    try directory.write("cache.json", Peer.python.text)
    let store = FileTokenCacheStore(path: directory.path + "/cache.json")
    let other = Peer.go.text.replacing("User.Read", with: "Mail.Read")
    _ = try await contents(other).merge(into: store)
    let text = String(decoding: try directory.read("cache.json"), as: UTF8.self)
    for part in Peer.python.strange { #expect(text.contains(part)) }
    let json = try JSON(parsing: text.utf8)
    let targets =
      json["AccessToken"]?.object?.filter {
        $0.value["client_id"]?.string == TestApplication.clientID
      }.compactMap { $0.value["target"]?.string } ?? []
    #expect(targets.contains { $0.contains("Mail.Read") })
    #expect(targets.contains { $0.contains("User.Read") })
    #expect(directory.names == ["cache.json"])
  }

  @Test("A client ID in two spellings is one app, and its tokens are counted once")
  func spelling() async throws {
    let id = TestApplication.clientID
    let text = Peer.go.text
    let mixed = text.replacing(id, with: id.uppercased(), maxReplacements: 1)
    #expect(mixed.contains(id) && mixed.contains(id.uppercased()))
    let results = try await contents(mixed).merge(into: MemoryTokenCacheStore())
    #expect(results.count { $0.clientID.lowercased() == id } == 1)
    #expect(try contents(mixed).foreignTokenCount == contents(text).foreignTokenCount)
  }

  @Test(
    "Tokens of services, on behalf of callers, or bound to a missing key are skipped and counted",
    arguments: [
      // In Python's: one of a service, one of another app without a time, and one on behalf of a
      // caller.
      (Peer.dotNET, 1), (.go, 1), (.node, 2), (.java, 0), (.python, 3),
    ])
  func foreign(peer: Peer, count: Int) async throws {
    let contents = try contents(peer.text)
    #expect(contents.foreignTokenCount == count)
    let store = MemoryTokenCacheStore()
    _ = try await contents.merge(into: store)
    let text = String(decoding: try await UnifiedCache(of: store).text.exposed, as: UTF8.self)
    for secret in ["AT bound", "AT extended", "AT of claims", "AT of a service", "RT of a caller"] {
      #expect(!text.contains(secret))
    }
  }

  /// A family's refresh token, with a time and a member of a later version, and an access token.
  static let family = #"""
    {"AccessToken":{"a":{"credential_type":"AccessToken","secret":"AT","home_account_id":"HOME",\#
    "environment":"login.microsoftonline.com","client_id":"CLIENT","realm":"TENANT","target":"User.Read",\#
    "token_type":"Bearer","cached_at":"1799999000","expires_on":"1800001800","later":{"a":1.50}}},
    "RefreshToken":{"r":{"credential_type":"RefreshToken","secret":"RT","home_account_id":"HOME",\#
    "environment":"login.microsoftonline.com","client_id":"CLIENT","family_id":"1",\#
    "last_modification_time":"1799990000","target":"User.Read","later":[2]}},
    "Account":{"c":{"home_account_id":"HOME","environment":"login.microsoftonline.com","realm":"TENANT",\#
    "local_account_id":"o","username":"NAME","authority_type":"MSSTS","wam_account_ids":{"x":"y"}}},
    "AppMetadata":{"m":{"client_id":"CLIENT","environment":"login.microsoftonline.com","family_id":"1"}}}
    """#.replacing("HOME", with: Person.adele.identifier).replacing("TENANT", with: Person.contoso)
    .replacing("CLIENT", with: TestApplication.clientID)
    .replacing("NAME", with: Person.adele.username)

  @Test("Unknown members of tokens, accounts and apps are imported too")
  func comesAlong() async throws {
    let directory = try TemporaryDirectory()
    let key = Secret(Data((0..<32).map { UInt8($0) }))
    let stores: [any TokenCacheStore] = [
      MemoryTokenCacheStore(), FileTokenCacheStore(path: directory.path + "/cache.json"),
      EncryptedFileTokenCacheStore(directory: directory.path + "/encrypted", key: key),
    ]
    for store in stores {
      _ = try await contents(Self.family).merge(into: store)
      let contents = try await UnifiedCache(of: store)
      #expect(contents.accounts.first?.apps.first?.familyID == "1")
      let json = try json(contents)
      func entry(_ section: String) -> JSON? { json[section]?.object?.first?.value }
      #expect(entry("RefreshToken")?["family_id"] == .string("1"))
      #expect(entry("RefreshToken")?["last_modification_time"] == .string("1799990000"))
      #expect(entry("RefreshToken")?["later"] == .array([.number("2")]))
      #expect(entry("AccessToken")?["later"]?["a"] == .number("1.50"))
      #expect(entry("Account")?["wam_account_ids"]?["x"] == .string("y"))
      #expect(entry("AppMetadata")?["family_id"] == .string("1"))
    }
  }

  @Test("Of two tokens from the same second, the imported one is used")
  func sameSecond() async throws {
    let store = MemoryTokenCacheStore()
    _ = try await contents(Self.family).merge(into: store)
    let other = Self.family.replacing(#""AT""#, with: #""AT 2""#).replacing(
      #""RT""#, with: #""RT 2""#)
    #expect(try await contents(other).merge(into: store).map(\.kind) == [.changed])
    #expect(try await contents(other).merge(into: store).map(\.kind) == [.unchanged])
    let json = try json(await UnifiedCache(of: store))
    #expect(json["AccessToken"]?.object?.map { $0.value["secret"] } == [.string("AT 2")])
    #expect(json["RefreshToken"]?.object?.map { $0.value["secret"] } == [.string("RT 2")])
  }

  @Test("Hundreds of accounts are imported in one write")
  func hundreds() async throws {
    let count = 500
    var sections: [String: [JSON.Member]] = [:]
    for section in ["AccessToken", "RefreshToken", "Account"] {
      let entry = try #require(
        JSON(parsing: Self.family.utf8)[section]?.object?.first?.value.object)
      sections[section] = (0..<count).map { number in
        let id = "\(number).\(Person.contoso)"
        return .init(
          "\(number)",
          .object(entry.map { $0.name == "home_account_id" ? .init($0.name, .string(id)) : $0 }))
      }
    }
    let text = JSON.object(sections.map { .init($0.key, .object($0.value)) }).compactText
    let store = CountingStore()
    #expect(try await contents(text).merge(into: store).count == count)
    #expect(store.counts == [count])
    let directory = try TemporaryDirectory()
    let file = FileTokenCacheStore(path: directory.path + "/cache.json")
    #expect(try await contents(text).merge(into: file).count == count)
    #expect(try await file.load().count == count)
  }

  // MARK: - The text of an item

  @Test("The encoding of an item is recognized from its text")
  func encodings() {
    typealias Encoding = SharedKeyringItem.Encoding
    func read(_ text: String) -> (String, Encoding?) {
      let (bytes, encoding) = Encoding.read(Array(text.utf8))
      return (String(decoding: bytes, as: UTF8.self), encoding)
    }
    #expect(read("{}") == ("{}", .raw))
    #expect(read(" \n{}") == (" \n{}", .raw))
    #expect(read("\u{FEFF}{}") == ("\u{FEFF}{}", .raw))
    #expect(read("e30=") == ("{}", .base64))
    #expect(read("e3\n0=\n") == ("{}", .base64))
    #expect(read("") == ("", nil))
    #expect(read(" \n") == ("", nil))
    #expect(read("no base64!") == ("no base64!", nil))
  }

  @Test("JSON for a keyring is one line, without escapes that gnome-keyring decodes")
  func oneLine() throws {
    let text = #"""
      { "a" : "tab\t line\n return\r back\\slash \\n quote\" slash\/ \u00e9 é 😀",
        "b" : [ 1.50 , "x y", {} ],\#t"c": "\\\\" }
      """#
    let line = SharedKeyringItem.Encoding.raw.write(Array(text.utf8))
    let written = String(decoding: line, as: UTF8.self)
    #expect(try JSON(parsing: line) == JSON(parsing: text.utf8))
    #expect(!line.contains { $0 < 0x20 })
    for escape in ["\\n", "\\t", "\\r", "\\s", "\\\\"] { #expect(!written.contains(escape)) }
    #expect(written.contains(#""b":[1.50,"x y",{}],"c""#))
    #expect(
      SharedKeyringItem.Encoding.raw.write(Array("{\"a\":\"x\ny\u{1}\"}".utf8))
        == Array(#"{"a":"x\u000ay\u0001"}"#.utf8))
    #expect(SharedKeyringItem.Encoding.base64.write(Array("{}".utf8)) == Array("e30=".utf8))
  }
}

/// A store that counts the records of each write.
private final class CountingStore: TokenCacheStore {
  private let memory = MemoryTokenCacheStore()
  private let written = Mutex<[Int]>([])

  var counts: [Int] { written.withLock { $0 } }

  func load() async throws(AuthenticationError) -> [StoredRecord] { memory.load() }
  func save(_ record: StoredRecord) async throws(AuthenticationError) {
    written.withLock { $0.append(1) }
    memory.save(record)
  }
  func save(_ records: [StoredRecord]) async throws(AuthenticationError) {
    written.withLock { $0.append(records.count) }
    for record in records { memory.save(record) }
  }
  func delete(id: String) async throws(AuthenticationError) { memory.delete(id: id) }
}
