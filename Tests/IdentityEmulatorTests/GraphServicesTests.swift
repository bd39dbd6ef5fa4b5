import HTTPTypes
import Testing

@testable import IdentityEmulator

/// To Do, OneNote, Teams, and what else belongs to a user.
struct GraphServicesTests {
  private func withGraph(
    _ scopes: String, _ body: (GraphSession) async throws -> Void
  ) async throws {
    var configuration = EmulatorConfiguration()
    configuration.colleagueCount = 5
    try await withEmulator(configuration) { emulator, client in
      try await body(try await GraphSession(emulator, client, scopes: scopes))
    }
  }

  // https://learn.microsoft.com/graph/api/resources/todotask
  @Test func `A task is added to a list and completed`() async throws {
    try await withGraph("Tasks.ReadWrite") { graph in
      let list = try #require(try await graph(.get, "/me/todo/lists").items.first)
      #expect(list["wellknownListName"]?.string == "defaultList")
      let listID = try #require(list["id"]?.string)
      let path = "/me/todo/lists/\(listID)/tasks"
      let open = path + "?$filter=status%20ne%20'completed'"
      let before = try await graph(.get, open).items.count

      #expect(try await graph(.post, path, "{}").status == 400)
      let added = try await graph(.post, path, #"{"title": "Buy flowers"}"#)
      #expect(added.status == 201 && added.json["status"]?.string == "notStarted")
      #expect(added.json["@odata.etag"]?.string != nil)
      #expect(try await graph(.get, open).items.count == before + 1)

      let id = try #require(added.json["id"]?.string)
      let task = "\(path)/\(id)"
      #expect(try await graph(.patch, task, #"{"status": "completed"}"#).status == 200)
      #expect(try await graph(.get, open).items.count == before)
      #expect(try await graph(.delete, task).status == 204)
      #expect(try await graph(.get, task).status == 404)
    }
  }

  // https://learn.microsoft.com/graph/api/onenote-post-notebooks
  @Test func `A notebook can be created, and is not changed`() async throws {
    try await withGraph("Notes.Create") { graph in
      let made = try await graph(.post, "/me/onenote/notebooks", #"{"displayName": "Ideas"}"#)
      #expect(made.status == 201 && made.json["userRole"]?.string == "Owner")
      let names = try await graph(.get, "/me/onenote/notebooks").items
        .map { $0["displayName"]?.string }
      #expect(names.contains("Ideas"))
      let id = try #require(made.json["id"]?.string)
      let path = "/me/onenote/notebooks/\(id)"
      #expect(try await graph(.patch, path, #"{"displayName": "X"}"#).status == 405)
      #expect(try await graph(.delete, path).status == 405)
    }
  }

  // https://learn.microsoft.com/graph/api/user-list-joinedteams
  @Test func `The teams of a user have three properties, and channels`() async throws {
    try await withGraph("Team.ReadBasic.All Channel.ReadBasic.All GroupMember.Read.All") { graph in
      let teams = try await graph(.get, "/me/joinedTeams").items
      for team in teams {
        #expect(team.fields?.map { $0.0 }.sorted() == ["description", "displayName", "id"])
        let id = try #require(team["id"]?.string)
        // A team is that of a group.
        let group = try await graph(.get, "/groups/\(id)").json
        #expect(group["displayName"]?.string == team["displayName"]?.string)
        let channels = try await graph(.get, "/teams/\(id)/channels").items
        #expect(channels.first?["displayName"]?.string == "General")
      }
      #expect(!teams.isEmpty)
    }
  }

  @Test func `Only the inbox has rules`() async throws {
    try await withGraph("MailboxSettings.Read Mail.Read") { graph in
      let rules = try await graph(.get, "/me/mailFolders/inbox/messageRules").items
      #expect(rules.first?["sequence"]?.text == "1")
      #expect(try await graph(.get, "/me/mailFolders/archive/messageRules").items.isEmpty)
    }
  }

  @Test(arguments: [
    ("/me/todo/lists", "ErrorAccessDenied"), ("/me/onenote/notebooks", "ErrorAccessDenied"),
    ("/me/people", "ErrorAccessDenied"), ("/me/joinedTeams", "Forbidden"),
    ("/me/mailFolders/inbox/messageRules", "ErrorAccessDenied"),
    ("/users/bram@contoso.example/ownedDevices", "Authorization_RequestDenied"),
  ])
  func `Each needs its permission`(path: String, code: String) async throws {
    try await withGraph("User.Read Mail.Read") { graph in
      let refused = try await graph(.get, path)
      #expect(refused.status == 403 && refused.code == code)
    }
  }

  @Test func `What belongs to the user needs no permission for others`() async throws {
    try await withGraph("User.Read") { graph in
      let devices = try await graph(.get, "/me/ownedDevices").items
      #expect(devices.first?["@odata.type"]?.string == "#microsoft.graph.device")
      #expect(try await graph(.get, "/me/licenseDetails").items.count == 1)
      #expect(try await graph(.get, "/me/directReports").status == 200)
      #expect(try await graph(.get, "/me/memberOf").items.isEmpty == false)
      // They cannot be changed with it.
      let report = try await graph(.get, "/me/directReports?$select=id").items.first
      let id = try #require(report?["id"]?.string)
      let refused = try await graph(.patch, "/me/directReports/\(id)", #"{"jobTitle": "X"}"#)
      #expect(refused.status == 403)
    }
  }
}
