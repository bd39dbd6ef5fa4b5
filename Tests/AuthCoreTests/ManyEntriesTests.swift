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
}
