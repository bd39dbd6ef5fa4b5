import AuthCore
import FoundationEssentials
import HTTPTypes
import IdentityEmulator
import MicrosoftGraph
import TestSupport
import Testing

@Suite("Collections of Graph, over TLS")
struct GraphPageTests {
  struct Item: Decodable, Sendable, Equatable {
    var id: String
  }

  /// An emulator with few users, so that a page of each is read quickly.
  static let small: EmulatorConfiguration = {
    var configuration = EmulatorConfiguration()
    configuration.colleagueCount = 5
    return configuration
  }()

  struct User: Decodable, Sendable, Equatable {
    var id: String
    var displayName: String
  }

  @Test("The items of all pages come in order, with the header fields on every request")
  func items() async throws {
    try await World.with { world in
      let (graph, _) = try await world.graph(scopes: ["User.Read", "Mail.Read"])
      await world.emulator.forgetRequests()
      var subjects: [String] = []
      for try await item in graph.items(
        GraphRequest(.get, "/me/messages").prefer(.immutableIDs), of: Item.self)
      {
        subjects.append(item.id)
      }
      #expect(subjects.count == 23 && Set(subjects).count == 23)
      let requests = await world.emulator.requests
      #expect(requests.count == 3)
      let prefer = try #require(HTTPField.Name("Prefer"))
      #expect(requests.allSatisfy { $0.headers[prefer] == "IdType=\"ImmutableId\"" })
    }
  }

  @Test("Pages are requested as they are needed, up to a limit")
  func limit() async throws {
    try await World.with { world in
      let (graph, _) = try await world.graph(scopes: ["User.Read", "Mail.Read"])
      await world.emulator.forgetRequests()
      for try await _ in graph.items("/me/messages", of: Item.self) { break }
      #expect(await world.emulator.requests.count == 1)

      var pages: [GraphPage<Item>] = []
      for try await page in graph.pages("/me/messages", of: Item.self, pageLimit: 2) {
        pages.append(page)
      }
      #expect(pages.map(\.items.count) == [10, 10])
      #expect(pages.last?.nextLink != nil)
    }
  }

  @Test("The count of an advanced query is on the first page; JSON is as the server wrote it")
  func count() async throws {
    try await World.with(Self.small) { world in
      let (graph, _) = try await world.graph(scopes: ["User.Read.All"])
      let request = GraphRequest(.get, "/users", .top(1))
      var counts: [Int?] = []
      for try await page in graph.pages(request.advancedQuery) { counts.append(page.count) }
      #expect(counts.first == counts.count && counts.dropFirst().allSatisfy { $0 == nil })
      for try await page in graph.pages(request, pageLimit: 1) {
        #expect(page.count == nil)
        #expect(page.items.first?["displayName"]?.string == "Adele Vance")
      }
    }
  }

  @Test("A delta query brings everything, then only the changes, and what is gone")
  func delta() async throws {
    try await World.with(Self.small) { world in
      let (graph, _) = try await world.graph(scopes: ["User.Read.All"])
      var known: [String: String] = [:]
      var token: GraphDeltaToken?
      func update() async throws -> Int {
        var count = 0
        for try await page in graph.delta("/users/delta", of: User.self, since: token) {
          if page.startsOver { known = [:] }
          for change in page.changes {
            count += 1
            switch change {
            case .changed(let user): known[user.id] = user.displayName
            case .removed(let id, let reason):
              #expect(reason == "deleted")
              known[id] = nil
            }
          }
          token = page.token ?? token
        }
        return count
      }
      let all = try await update()
      #expect(all > 2 && known.count == all && known.values.contains("Bram Okafor"))
      #expect(try await update() == 0)

      try await world.emulator.deleteUser("bram@contoso.example")
      #expect(try await update() == 1)
      #expect(known.count == all - 1 && !known.values.contains("Bram Okafor"))

      // The token is forgotten: everything is sent again.
      await world.emulator.forgetDeltaTokens()
      known["stale"] = "Stale"
      #expect(try await update() == all - 1)
      #expect(known.count == all - 1)
    }
  }
}
