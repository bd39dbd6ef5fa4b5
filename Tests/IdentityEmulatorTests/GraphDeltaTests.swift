import FoundationEssentials
import HTTPTypes
import Testing

@testable import IdentityEmulator

/// Delta queries, by the links that the emulator gives.
struct GraphDeltaTests {
  private func withGraph(
    _ body: (Emulator, GraphSession) async throws -> Void
  ) async throws {
    var configuration = EmulatorConfiguration()
    configuration.colleagueCount = 3
    try await withEmulator(configuration) { emulator, client in
      try await body(
        emulator,
        try await GraphSession(emulator, client, scopes: "User.Read.All Files.ReadWrite"))
    }
  }

  private func names(_ page: GraphSession.Reply) -> [String?] {
    page.items.map { $0["name"]?.string }
  }

  @Test(arguments: ["delta?token=latest", "delta(token='latest')", "delta?$deltatoken=latest"])
  func `The changes of a drive come from now on, with its own token`(path: String) async throws {
    try await withGraph { emulator, graph in
      let now = try await graph(.get, "/me/drive/root/\(path)")
      #expect(now.status == 200 && now.items.isEmpty)
      let link = try #require(now.json["@odata.deltaLink"]?.string)
      let token = try #require(Form(encoded: link.split(separator: "?").last ?? "")["token"])

      try await emulator.addFile("New.txt", Data("1".utf8))
      let followed = try await graph(.get, link)
      #expect(names(followed) == ["New.txt"])
      let asked = try await graph(.get, "/me/drive/root/delta?token=\(token)")
      #expect(names(asked) == ["New.txt"])
      let function = try await graph(.get, "/me/drive/root/delta(token='\(token)')")
      #expect(names(function) == ["New.txt"])
    }
  }

  @Test func `The changes of the directory come from now on`() async throws {
    try await withGraph { emulator, graph in
      let now = try await graph(.get, "/users/delta?$deltatoken=latest")
      #expect(now.status == 200 && now.items.isEmpty)
      let link = try #require(now.json["@odata.deltaLink"]?.string)
      try await emulator.deleteUser("bram@contoso.example")
      let changes = try await graph(.get, link).items
      #expect(changes.map { $0["@removed"]?["reason"]?.string } == ["deleted"])
    }
  }

  @Test func `A change while pages are read is told later, and moves no page`() async throws {
    try await withGraph { emulator, graph in
      let everyone = Set(try await graph(.get, "/users").items.compactMap { $0["id"]?.string })
      let bram = try await graph.id("/users/bram@contoso.example")
      var page = try await graph(.get, "/users/delta?$top=2")
      var seen = Set(page.items.compactMap { $0["id"]?.string })
      #expect(seen.contains(bram))
      try await emulator.deleteUser("bram@contoso.example")
      while let next = page.json["@odata.nextLink"]?.string {
        page = try await graph(.get, next)
        seen.formUnion(page.items.compactMap { $0["id"]?.string })
      }
      #expect(seen == everyone)

      let link = try #require(page.json["@odata.deltaLink"]?.string)
      let changes = try await graph(.get, link).items
      #expect(changes.map { $0["id"]?.string } == [bram])
      #expect(changes.first?["@removed"]?["reason"]?.string == "deleted")
    }
  }

  @Test func `A change while pages of changes are read is told later`() async throws {
    try await withGraph { emulator, graph in
      let now = try await graph(.get, "/me/drive/root/delta?token=latest&$top=1")
      for name in ["a", "b"] { try await emulator.addFile(name, Data("1".utf8)) }
      let first = try await graph(.get, try #require(now.json["@odata.deltaLink"]?.string))
      #expect(names(first) == ["a"])
      try await emulator.addFile("c", Data("1".utf8))
      let second = try await graph(.get, try #require(first.json["@odata.nextLink"]?.string))
      #expect(names(second) == ["b"])
      let last = try await graph(.get, try #require(second.json["@odata.deltaLink"]?.string))
      #expect(names(last) == ["c"])
    }
  }
}
