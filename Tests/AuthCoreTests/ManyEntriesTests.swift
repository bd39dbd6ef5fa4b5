import AuthCore
import FoundationEssentials
import TestSupport
import Testing

/// No work takes a time that grows with the square of a cache's size.
@Suite("Caches with very many entries")
struct ManyEntriesTests {
  private let directory: TemporaryDirectory
  private let client = #""client_id": "\#(TestApplication.clientID)""#

  private var store: FileTokenCacheStore {
    FileTokenCacheStore(path: directory.path + "/cache.json")
  }

  init() throws { directory = try TemporaryDirectory() }

  /// A section with `count` entries of Adele's account; `members` makes the others of each.
  private func section(_ name: String, _ count: Int, _ members: (Int) -> String) -> String {
    let owner = #""home_account_id": "\#(Person.adele.identifier)""#
    let all = owner + #", "environment": "login.microsoftonline.com""#
    let entries = (0..<count).map { #""\#($0)": {\#(all), \#(members($0))}"# }
    return #""\#(name)": {\#(entries.joined(separator: ","))}"#
  }

  private func write(_ members: [String]) throws {
    try directory.write("cache.json", "{\(members.joined(separator: ","))}")
  }

  @Test("The profiles of very many tenants are read without a delay", .timeLimit(.minutes(1)))
  func manyTenants() async throws {
    try await onOwnThread {
      let tenants = 60_000
      try write([
        section("RefreshToken", 1) { _ in #""secret": "RT", \#(client)"# },
        section("Account", tenants) { #""realm": "t\#($0)", "username": "\#($0)""# },
        section("IdToken", tenants) { #""realm": "t\#($0)", "secret": "", \#(client)"# },
      ])
      let app = try TestApplication.make(ScriptedAuthority(), store: store)
      let account = try #require(await app.accounts().first)
      #expect(account.tenantProfiles.count == tenants)
      #expect(account.tenantProfiles.last?.username == "\(tenants - 1)")
    }
  }

  @Test(
    "What very many apps of an account have in common is read once", .timeLimit(.minutes(1)))
  func commonProfiles() async throws {
    let (apps, tenants) = (10_000, 3000)
    let names = (0..<tenants).map { #""\#($0).example": "t\#($0)""# }.joined(separator: ",")
    try write([
      section("RefreshToken", apps) { #""secret": "RT", "client_id": "app \#($0)""# },
      section("Account", tenants) { #""realm": "t\#($0)", "username": "\#($0)""# },
      #""tenant_ids": {\#(names)}"#,
    ])
    #expect(try await store.load().count == apps)
  }

  @Test("Very many tokens of an account are imported without a delay", .timeLimit(.minutes(10)))
  func manyTokens() async throws {
    try await onOwnThread {
      let count = 3000
      let times = #""cached_at": "1799999000", "expires_on": "1800001800""#
      let text = [
        section("RefreshToken", 1) { _ in #""secret": "RT", \#(client)"# },
        section("Account", count) { #""realm": "t\#($0)", "username": "\#($0)""# },
        section("IdToken", count) { #""realm": "t\#($0)", "secret": "\#($0)", \#(client)"# },
        section("AccessToken", count) {
          #""realm": "t\#($0 % 2)", "target": "s\#($0)", "secret": "\#($0)", \#(times), \#(client)"#
        },
      ].joined(separator: ",")
      let contents = try UnifiedCache(Secret(Data("{\(text)}".utf8)))
      let stores: [any TokenCacheStore] = [MemoryTokenCacheStore(), store]
      for store in stores {
        #expect(try await contents.merge(into: store).map(\.kind) == [.new])
        #expect(try await contents.merge(into: store).map(\.kind) == [.unchanged])
        let app = try await UnifiedCache(of: store).accounts.first?.apps.first
        #expect(app?.accessTokens.count == count && app?.idTokens.count == count)
      }
    }
  }

  @Test("Very many apps of an account are imported without a delay", .timeLimit(.minutes(1)))
  func manyApps() async throws {
    try await onOwnThread {
      let apps = 5000
      let text = section("RefreshToken", apps) { #""secret": "RT", "client_id": "app \#($0)""# }
      let contents = try UnifiedCache(Secret(Data("{\(text)}".utf8)))
      #expect(try await contents.merge(into: MemoryTokenCacheStore()).count == apps)
    }
  }
}
