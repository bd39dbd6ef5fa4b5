import AuthCore
import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// Caches in the MSALs' formats; the keys of entries are specific to each library.
@Suite("Caches of other programs")
struct UnifiedCacheTests {
  let authority = ScriptedAuthority()
  let clock = ManualClock()
  let directory: TemporaryDirectory
  var path: String { directory.path + "/cache.json" }

  init() throws {
    directory = try TemporaryDirectory()
  }

  func application(tenant: String = "common") throws -> PublicClientApplication {
    try TestApplication.make(
      authority, clock: clock, store: FileTokenCacheStore(path: path),
      authority: "https://login.microsoftonline.com/\(tenant)")
  }

  /// A cache with Adele's account, with an access token that is valid for half an hour.
  func cache(
    environment: String = "login.microsoftonline.com", realm: String = Person.contoso,
    person: Person = .adele, edit: (inout [String: [String: JSON]]) -> Void = { _ in }
  ) -> String {
    let owner: [String: JSON] = [
      "home_account_id": .string(person.identifier), "environment": .string(environment),
      "realm": .string(realm),
    ]
    let client: [String: JSON] = ["client_id": .string(TestApplication.clientID)]
    var entries: [String: [String: JSON]] = [
      "AccessToken": [
        "credential_type": .string("AccessToken"), "secret": .string("AT"),
        "target": .string("User.Read openid"), "cached_at": .string("1799999000"),
        "expires_on": .string("1800001800"), "extended_expires_on": .string("1800001800"),
      ].merging(client) { $1 },
      "RefreshToken": [
        "credential_type": .string("RefreshToken"), "secret": .string("RT"),
      ].merging(client) { $1 },
      "Account": [
        "username": .string(person.username), "local_account_id": .string(person.objectID),
        "authority_type": .string("MSSTS"),
      ],
    ]
    for section in entries.keys { entries[section]?.merge(owner) { $1 } }
    edit(&entries)
    return JSON.object(
      entries.mapValues { JSON.object([.init("key of \(person.name)", .object($0))]) }
    ).compactText
  }

  func token(_ app: PublicClientApplication) async throws -> AuthenticationResult {
    let account = try #require(await app.currentAccount().current)
    return try await app.acquireTokenSilent(.init(scopes: ["user.read"], account: account))
  }

  @Test(
    "A token is found under every host of its cloud and every name of its tenant",
    arguments: [
      ("login.windows.net", Person.contoso), ("sts.windows.net", Person.contoso),
      ("login.microsoftonline.com", "common"), ("login.microsoftonline.com", "organizations"),
    ])
  func names(environment: String, realm: String) async throws {
    try directory.write("cache.json", cache(environment: environment, realm: realm))
    let app = try application()
    let result = try await token(app)
    #expect(result.accessToken.exposed == "AT")
    #expect(result.tenantID == Person.contoso)
    #expect(await app.accounts().map(\.username) == [Person.adele.username])
    #expect(authority.calls.isEmpty)
  }

  @Test("A tenant name is resolved by the ID token stored under it")
  func tenantName() async throws {
    let idToken = ScriptedAuthority.jwt(
      ["alg": .string("RS256")], ["tid": .string(Person.contoso), "sub": .string("s")])
    let text = cache(realm: "contoso.example") {
      $0["IdToken"] = $0["AccessToken"]
      $0["IdToken"]?["secret"] = .string(idToken)
    }
    try directory.write("cache.json", text)
    #expect(try await token(application(tenant: "contoso.example")).source == .cache)
    #expect(try await token(application(tenant: Person.contoso)).source == .cache)
    #expect(authority.calls.isEmpty)
  }

  @Test(
    "Times may be numbers, and an old spelling is accepted",
    arguments: [
      ["expires_on": JSON.number("1800001800"), "cached_at": .number("1799999000")],
      ["expires_on": .string("1800001800"), "ext_expires_on": .string("1800003600")],
      ["expires_on": .string("1800001800.5"), "cached_at": .string("-62135596800")],
    ])
  func times(members: [String: JSON]) async throws {
    try directory.write(
      "cache.json", cache { $0["AccessToken"]?.merge(members) { $1 } })
    #expect(try await token(application()).source == .cache)
  }

  @Test(
    "A token for a special purpose is not returned, and kept",
    arguments: [
      ("token_type", "pop"), ("token_type", "ssh-cert"), ("key_id", "k"), ("kid", "k"),
      ("keyid", "k"), ("ext_cache_key", "e"), ("ext", "e"), ("user_assertion_hash", "h"),
      ("userAssertionHash", "h"), ("requestedClaimsHash", "c"),
      ("credential_type", "AccessToken_With_AuthScheme"), ("credential_type", "ATExt"),
    ])
  func special(member: String, value: String) async throws {
    let text = cache {
      $0["AccessToken"]?[member] = .string(value)
      $0["RefreshToken"] = nil
    }
    try directory.write("cache.json", text)
    let app = try application()
    let error = await #expect(throws: AuthenticationError.self) { try await token(app) }
    #expect(error?.code == .interactionRequired)
    _ = try await app.acquireToken(
      InteractiveTokenParameters(scopes: ["User.Read"], session: authority.pages))
    let secrets = try JSON(parsing: directory.read("cache.json"))["AccessToken"]?.object?
      .compactMap { $0.value["secret"]?.string }
    #expect(Set(secrets ?? []) == ["AT", "access-canary-1"])
  }

  @Test("The written cache is strict JSON, even if the old one had trailing commas")
  func trailingCommas() async throws {
    let text = cache().replacing("}", with: ",}").replacing(#""RT""#, with: #""RT,}]""#)
    try directory.write("cache.json", text)
    let app = try application()
    #expect(try await token(app).accessToken.exposed == "AT")
    _ = try await app.acquireToken(
      InteractiveTokenParameters(scopes: ["Mail.Read"], session: authority.pages))
    let json = try JSON(parsing: directory.read("cache.json"))
    #expect(json["AccessToken"]?.object?.count == 2)
    let exported = try await UnifiedCache(of: FileTokenCacheStore(path: path))
    #expect(throws: Never.self) { try JSON(parsing: exported.text.exposed) }
  }

  @Test("A cache whose last account was removed is still a token cache")
  func lastAccount() async throws {
    try directory.write("cache.json", String(cache().dropLast()) + #","Other":[1]}"#)
    let app = try application()
    try await app.remove(try #require(await app.currentAccount().current))
    #expect(await app.accounts().isEmpty)
    #expect(await app.storageFailure == nil)
    #expect(try await FileTokenCacheStore(path: path).load().isEmpty)
    #expect(try JSON(parsing: directory.read("cache.json"))["Other"] == .array([.number("1")]))
  }

  @Test("Accounts under two hosts of a cloud are all found, and merged if they are the same")
  func aliases() async throws {
    let first = try JSON(parsing: cache(environment: "login.windows.net").utf8)
    let second = try JSON(
      parsing: cache(environment: "login.microsoftonline.com", person: .ben).utf8)
    let third = try JSON(parsing: cache(environment: "sts.windows.net").utf8)
    let sections = ["AccessToken", "RefreshToken", "Account"].map { section in
      JSON.Member(
        section,
        .object(
          [first, second, third].enumerated().flatMap { number, cache in
            (cache[section]?.object ?? []).map { .init("\($0.name) \(number)", $0.value) }
          }))
    }
    try directory.write("cache.json", JSON.object(sections).compactText)
    let names = await (try application()).accounts().map(\.username)
    #expect(Set(names) == [Person.adele.username, Person.ben.username])
    #expect(names.count == 2)
  }

  @Test("Of several refresh tokens, the latest is sent")
  func latestRefreshToken() async throws {
    var root = try #require(
      JSON(parsing: cache { $0["AccessToken"] = nil }.utf8).object)
    let entry = try #require(
      root.first { $0.name == "RefreshToken" }?.value.object?.first?.value.object)
    func renewable(_ name: String, _ time: String?) -> JSON.Member {
      var members = entry.filter { $0.name != "secret" } + [.init("secret", .string(name))]
      if let time { members.append(.init("last_modification_time", .string(time))) }
      return .init(name, .object(members))
    }
    root.removeAll { $0.name == "RefreshToken" }
    root.append(
      .init(
        "RefreshToken",
        .object([
          renewable("old", "1"), renewable("new", "3"), renewable("mid", "2"),
          renewable("none", nil),
        ])))
    try directory.write("cache.json", JSON.object(root).compactText)
    _ = try await token(application())
    #expect(authority.lastForm["refresh_token"] == "new")
  }

  @Test("Unknown entries and members are kept unchanged")
  func untouched() async throws {
    let strange = #""Extra":{"n":1.50e+3 , "\u00fc":[null,true,{}]}"#
    let entry = #""Other-Key" : { "secret":"\u0041/\/","client_id":"other", "n":7 }"#
    let text = cache { $0["AccessToken"]?["x_own"] = .object([.init("a", .number("1.0"))]) }
    let open = #""AccessToken":{"#
    try directory.write(
      "cache.json",
      "{\(strange), " + text.dropFirst().replacing(open, with: "\(open)\(entry) ,"))
    let app = try application()
    clock.advance(by: 3600)
    #expect(try await token(app).source == .server)
    let after = String(decoding: try directory.read("cache.json"), as: UTF8.self)
    #expect(after.contains(strange))
    #expect(after.contains(entry))
    #expect(after.contains(#""x_own":{"a":1.0}"#))
    #expect(!after.contains(#""AT""#))
  }

  @Test("Trailing commas, and escapes in names, are accepted")
  func leniency() async throws {
    let text = cache().replacing("}}}", with: "},},}").replacing(
      #""home_account_id":"9f4880d8-"#, with: #""home_account_id":"9f4880d8\u002d"#)
    try directory.write("cache.json", text)
    #expect(try await token(application()).source == .cache)
  }

  @Test(
    "An unreadable entry does not affect the others",
    arguments: ["7", "[]", "{}", "{\"a\":tru}", "\"\""])
  func badEntry(entry: String) async throws {
    let open = #""AccessToken":{"#
    try directory.write(
      "cache.json", cache().replacing(open, with: "\(open)\"bad\":\(entry),"))
    let app = try application()
    #expect(try await token(app).source == .cache)
    clock.advance(by: 3600)
    #expect(try await token(app).source == .server)
    let after = String(decoding: try directory.read("cache.json"), as: UTF8.self)
    #expect(after.contains("\"bad\":\(entry)"))
  }

  @Test(
    "An unreadable entry is removed with the account that it names",
    arguments: [#""name":"\ud800""#, #""name":"a\qb""#, #""n":01"#, #""n":1,"n":2"#])
  func badEntryOfAccount(fault: String) async throws {
    let secret = #""secret":"RT""#
    try directory.write("cache.json", cache().replacing(secret, with: "\(secret),\(fault)"))
    let app = try application()
    #expect(try await token(app).source == .cache)
    try await app.remove(try #require(await app.currentAccount().current))
    let after = String(decoding: try directory.read("cache.json"), as: UTF8.self)
    #expect(!after.contains(secret))
  }

  @Test("Objects may have very many members, but no two with one name", .timeLimit(.minutes(1)))
  func manyMembers() throws {
    func cache(_ count: Int, _ more: String = "") throws -> UnifiedCache {
      let members = (0..<count).map { "\"m\($0)\":\"\"" }.joined(separator: ",")
      let entry = "\"home_account_id\":\"a.b\",\"environment\":\"h\",\"username\":\"adele\""
      let text = "{\"Account\":{\"key\":{\(entry),\(members)\(more)}}}"
      return try UnifiedCache(Secret(Data(text.utf8)))
    }
    for count in [1, 28, 29, 30, 40, 200_000] {
      #expect(try cache(count).accounts.map(\.username) == ["adele"])
    }
    for count in [1, 28, 29, 30, 40] {
      #expect(try cache(count, ",\"m0\":\"\"").accounts.map(\.username) == [""])
    }
  }

  @Test("What is nested too deeply is refused, and left as it is")
  func depth() async throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    try directory.write("cache.json", String(cache().dropLast()) + #","Other":\#(nested(60))}"#)
    #expect(try await token(application()).source == .cache)
    let deep = String(cache().dropLast()) + #","Other":\#(nested(100_000))}"#
    try directory.write("cache.json", deep)
    let past = timespec(tv_sec: 1_700_000_000, tv_nsec: 0)
    utimensat(AT_FDCWD, path, [past, past], 0)
    let app = try application()
    #expect(await app.accounts().isEmpty)
    #expect(await app.storageFailure?.message.contains("nested too deeply") == true)
    #expect(try directory.read("cache.json") == Data(deep.utf8))
  }

  @Test("A truncated file is never read in part")
  func cut() async throws {
    let whole = cache()
    let past = timespec(tv_sec: 1_700_000_000, tv_nsec: 0)
    for length in stride(from: 1, to: whole.utf8.count, by: 29) {
      try directory.write("cache.json", String(whole.prefix(length)))
      // A young file might be in the middle of a write, which is waited for.
      utimensat(AT_FDCWD, path, [past, past], 0)
      let app = try application()
      #expect(await app.accounts().isEmpty)
      #expect(await app.storageFailure?.message.contains("it is not a token cache") == true)
    }
  }

  @Test("An app's tokens are found by its client ID in any case, and no other app's are")
  func clientID() async throws {
    try directory.write(
      "cache.json",
      cache { entries in
        for name in ["AccessToken", "RefreshToken"] {
          entries[name]?["client_id"] = .string(TestApplication.clientID.uppercased())
        }
      })
    #expect(try await token(application()).source == .cache)
    try directory.write(
      "cache.json",
      cache { entries in
        for name in ["AccessToken", "RefreshToken"] {
          entries[name]?["client_id"] = .string("other")
        }
      })
    #expect(await (try application()).accounts().isEmpty)
  }

  /// Keyrings contain records in this format.
  @Test("A record from before shared caches is read, and rewritten")
  func oldRecord() async throws {
    let text =
      #"{"version":1,"client_id":"\#(TestApplication.clientID)","signed_in_at":"1790000000","#
      + #""tenant_ids":{"contoso.example":"\#(Person.contoso)"},"# + cache().dropFirst()
    let store = ScriptedStore()
    store.records = [StoredRecord(id: "old", contents: Secret(Data(text.utf8)))]
    let app = try TestApplication.make(
      authority, clock: clock, store: store,
      authority: "https://login.microsoftonline.com/contoso.example")
    #expect(try await token(app).source == .cache)
    clock.advance(by: 3600)
    #expect(try await token(app).source == .server)
    #expect(authority.lastForm["refresh_token"] == "RT")
    #expect(store.records.map(\.id) == ["old"])
    let next = try TestApplication.make(authority, clock: clock, store: store)
    #expect(try await token(next).accessToken.exposed == "access-canary-1")
  }

  @Test("Times are written as decimal seconds in text, as MSAL.NET requires")
  func writtenTimes() async throws {
    let app = try application()
    _ = try await app.acquireToken(
      InteractiveTokenParameters(scopes: ["User.Read"], session: authority.pages))
    let json = try JSON(parsing: directory.read("cache.json"))
    let token = try #require(json["AccessToken"]?.object?.first?.value)
    for name in ["cached_at", "expires_on", "extended_expires_on"] {
      let text = try #require(token[name]?.string)
      #expect(Int(text) != nil)
    }
    let refreshToken = try #require(json["RefreshToken"]?.object?.first?.value)
    #expect(refreshToken["last_modification_time"]?.string == "1800000000")
    #expect(
      json["AppMetadata"]?.object?.first?.name
        == "appmetadata-login.microsoftonline.com-\(TestApplication.clientID)")
  }
}
