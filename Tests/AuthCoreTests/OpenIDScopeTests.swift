import AuthCore
import FoundationEssentials
import TestSupport
import Testing

@Suite("Scopes of OpenID Connect, and long lists of scopes")
struct OpenIDScopeTests {
  let authority = ScriptedAuthority()
  let clock = ManualClock()
  let app: PublicClientApplication

  init() throws {
    app = try TestApplication.make(authority, clock: clock)
  }

  func signIn(_ scopes: [String] = ["User.Read"]) async throws -> Account {
    try await app.acquireToken(.init(scopes: scopes, session: authority.pages)).account
  }

  @Test("A token that was requested without 'email' is not used for it")
  func emailAlone() async throws {
    let account = try await signIn()
    #expect(try await app.silently(account, scopes: ["email"]).source == .server)
    #expect(authority.lastForm["scope"] == "email openid profile offline_access")
    let cached = try await app.silently(account, scopes: ["email"])
    #expect(cached.source == .cache)
    #expect(cached.accessToken.exposed == "access-canary-2")
    // It is not used for other scopes, and replaces no other token.
    #expect(try await app.silently(account).accessToken.exposed == "access-canary-1")
    #expect(try await app.silently(account, scopes: ["User.Read", "email"]).source == .cache)
  }

  @Test("A server need not list 'email' among the granted scopes", arguments: [true, false])
  func unlisted(hasOther: Bool) async throws {
    authority.edit(.tokens) { $0["scope"] = .string("openid profile User.Read") }
    let scopes = hasOther ? ["User.Read", "email"] : ["email"]
    let account = try await signIn(scopes)
    #expect(try await app.silently(account, scopes: scopes).source == .cache)
    #expect(authority.count(.token) == 1)
  }

  @Test("The next token for 'email' replaces the previous one")
  func replaced() async throws {
    let store = ScriptedStore()
    let app = try TestApplication.make(authority, clock: clock, store: store)
    let account = try await app.acquireToken(
      .init(scopes: ["email"], session: authority.pages)
    ).account
    for number in 2...4 {
      clock.advance(by: 3600)
      let parameters = SilentTokenParameters(scopes: ["email"], account: account)
      #expect(
        try await app.acquireTokenSilent(parameters).accessToken.exposed
          == "access-canary-\(number)")
      #expect(try await app.acquireTokenSilent(parameters).source == .cache)
      let json = try JSON(parsing: try #require(store.records.first).contents.exposed)
      #expect(json["AccessToken"]?.object?.count == 1)
    }
  }

  @Test("Of several matching tokens, the one that expires last is returned")
  func longest() async throws {
    let directory = try TemporaryDirectory()
    let store = FileTokenCacheStore(path: directory.path + "/cache.json")
    let account = try await TestApplication.make(authority, clock: clock, store: store)
      .acquireToken(.init(scopes: ["User.Read"], session: authority.pages)).account
    let text = String(decoding: try directory.read("cache.json"), as: UTF8.self)
    let entry = try #require(
      JSON(parsing: Data(text.utf8))["AccessToken"]?.object?.first?.value.compactText)
    // The tokens differ only in scopes and expiry.
    for (index, end) in ["1799999999", "1800003599"].enumerated() {
      let other =
        entry
        .replacing("User.Read", with: "Mail.Read User.Read").replacing("canary-1", with: "old")
        .replacing(#""expires_on":"1800003600""#, with: #""expires_on":"\#(end)""#)
      for position in ["first", "last"] {
        let added = "\"added\":" + other
        let both = position == "first" ? "\(added),\"a\":\(entry)" : "\"a\":\(entry),\(added)"
        var members = try #require(JSON(parsing: Data(text.utf8)).object)
        let place = try #require(members.firstIndex { $0.name == "AccessToken" })
        members[place].value = try JSON(parsing: Data("{\(both)}".utf8))
        try directory.write("cache.json", JSON.object(members).compactText)
        let app = try TestApplication.make(authority, clock: clock, store: store)
        let result = try await app.acquireTokenSilent(
          .init(scopes: ["User.Read"], account: account))
        #expect(result.accessToken.exposed == "access-canary-1", "\(index) \(position)")
      }
    }
    #expect(authority.count(.token) == 1)
  }

  @Test("The scopes of a result can be requested again", arguments: ["User.Read", "email"])
  func passedBack(scope: String) async throws {
    let result = try await app.acquireToken(.init(scopes: [scope], session: authority.pages))
    #expect(result.scopes.contains("openid"))
    let scopes = result.scopes + ["offline_access"]
    #expect(try await app.silently(result.account, scopes: scopes).source == .cache)
    _ = try await app.acquireToken(.init(scopes: scopes, session: authority.pages))
    let asked = authority.authorization["scope"]?.split(separator: " ") ?? []
    #expect(asked.count == 4 && Set(asked).count == 4)
    clock.advance(by: 3600)
    #expect(try await app.silently(result.account, scopes: scopes).source == .server)
  }

  @Test(
    "OpenID Connect scopes alone and empty lists are rejected immediately",
    arguments: [["openid"], ["profile", "offline_access"], ["OpenID"], []])
  func reserved(scopes: [String]) async throws {
    let account = try await signIn()
    let error = await #expect(throws: AuthenticationError.self) {
      try await app.silently(account, scopes: scopes)
    }
    #expect(error?.code == .invalidParameter)
    #expect(error?.correlationID?.isEmpty == false)
  }

  /// A search of each scope among all others took many minutes.
  @Test("A server may list sixty thousand scopes", .timeLimit(.minutes(2)))
  func long() async throws {
    let scopes = (1...60_000).map { "Scope.\($0)" }
    authority.edit(.tokens) { $0["scope"] = .string(scopes.joined(separator: " ")) }
    let account = try await signIn(["Scope.1"])
    #expect(try await app.silently(account, scopes: ["scope.60000"]).source == .cache)
    clock.advance(by: 3600)
    #expect(try await app.silently(account, scopes: ["Scope.60000"]).source == .server)
  }
}
