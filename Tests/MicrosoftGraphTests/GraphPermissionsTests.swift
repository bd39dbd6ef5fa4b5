import FoundationEssentials
import HTTPTypes
import Testing

@testable import MicrosoftGraph

/// The expected permissions are those of Microsoft's pages of the methods, unless said otherwise.
@Suite("Permissions of Microsoft Graph")
struct GraphPermissionsTests {
  private func least(
    _ method: HTTPRequest.Method, _ path: String, _ kind: GraphPermissions.AccountKind = .work
  ) -> [String]? {
    GraphPermissions.least(for: method, GraphPath(url: path), account: kind)?.least
      .map(\.permission)
  }

  @Test(
    "The least permission of a request is known",
    arguments: [
      (HTTPRequest.Method.get, "/me", "User.Read"),
      (.patch, "/me", "User.ReadWrite"),
      (.get, "/users", "User.ReadBasic.All"),
      (.get, "/users/delta", "User.Read.All"),
      (.get, "/me/photo/$value", "User.Read"),
      (.get, "/me/messages", "Mail.ReadBasic"),
      (.get, "/me/messages/{id}/attachments", "Mail.Read"),
      (.post, "/me/messages", "Mail.ReadWrite"),
      (.post, "/me/sendMail", "Mail.Send"),
      (.get, "/me/mailFolders", "Mail.ReadBasic"),
      (.delete, "/me/messages/{id}", "Mail.ReadWrite"),
      (.get, "/me/events", "Calendars.ReadBasic"),
      (.post, "/me/events", "Calendars.ReadWrite"),
      (.get, "/me/calendar", "Calendars.Read"),
      (.patch, "/users/{id}/calendar", "Calendars.ReadWrite"),
      (.get, "/me/calendars/{id}", "Calendars.Read"),
      (.get, "/groups/{id}/calendar", "Group.Read.All"),
      (.get, "/me/contacts", "Contacts.Read"),
      (.get, "/me/drive/root/children", "Files.Read"),
      (.put, "/me/drive/items/{id}/content", "Files.ReadWrite"),
      (.get, "/me/drive/recent", "Files.Read"),
      (.get, "/me/joinedTeams", "Team.ReadBasic.All"),
      (.get, "/teams/{id}/channels", "Channel.ReadBasic.All"),
      (.post, "/teams/{id}/channels/{id}/messages", "ChannelMessage.Send"),
      (.get, "/me/chats", "Chat.ReadBasic"),
      (.post, "/groups", "Group.ReadWrite.All"),
      (.get, "/sites/{id}", "Sites.Read.All"),
      (.get, "/me/todo/lists", "Tasks.Read"),
      (.get, "/me/planner/tasks", "Tasks.Read"),
      (.get, "/me/people", "People.Read"),
      (.get, "/applications", "Application.Read.All"),
      (.get, "/devices", "Device.Read.All"),
      (.get, "/auditLogs/signIns", "AuditLog.Read.All"),
      (.get, "/me/presence", "Presence.Read"),
      (.get, "/me/mailboxSettings", "MailboxSettings.Read"),
      (.get, "/directoryRoles", "RoleManagement.Read.Directory"),
    ])
  func known(method: HTTPRequest.Method, path: String, expected: String) {
    #expect(least(method, path)?.first == expected)
  }

  @Test(
    "A path is understood however it is written",
    arguments: [
      "me/messages", "/me/messages/", "//me//messages", "/ME/Messages", "/v1.0/me/messages",
      "/beta/me/messages?$top=5&$filter=a eq 'b/c'", "https://graph.microsoft.com/v1.0/me/messages",
      "https://graph.microsoft.us/beta/me/messages#x", "/me/%6Dessages", "/me/messages/$count",
      "/users/{id}/messages", "/users/ada@contoso.com/messages",
      "/users('ada@contoso.com')/messages",
    ])
  func spellings(path: String) {
    #expect(least(.get, path)?.first == "Mail.ReadBasic")
  }

  @Test("Functions, casts, references, keys and items by their path are understood")
  func forms() {
    let same: [(HTTPRequest.Method, String, String)] = [
      (.get, "/users/delta", "/users/delta()"),
      (.get, "/users/delta", "/users/microsoft.graph.delta()"),
      (.get, "/groups/{id}/members", "/groups/{id}/members/microsoft.graph.user"),
      (.get, "/groups/{id}/members", "/groups/{id}/members/microsoft.graph.user/$count"),
      (.get, "/groups/{id}/members", "/groups/{id}/members/$ref"),
      (.get, "/users", "/users/$count"),
      (.get, "/me/drive/items/{id}/children", "/me/drive/root:/a/b c/d.txt:/children"),
      (.get, "/me/drive/root", "/me/drive/root:"),
      (.put, "/me/drive/items/{id}/content", "/me/drive/root:/a/b.txt:/content"),
      (.put, "/me/drive/items/{id}/content", "/me/drive/items/1:/b.txt:/content"),
      (.get, "/me/drive/items/{id}", "/me/drive/special/approot:/b.txt"),
      (.get, "/sites/{id}", "/sites/contoso.sharepoint.com:/teams/hr"),
      (.get, "/sites/{id}/lists", "/sites/contoso.sharepoint.com:/teams/hr:/lists"),
      (.get, "/drives/{id}/root/search(q={value})", "/drives/1/root/search(q='a/b%3F')"),
      (.get, "/applications/{id}", "/applications(appId='00000000-0000-0000-0000-000000000001')"),
      (
        .get, "/me/drive/items/{id}/workbook/worksheets/{id}/charts",
        "/me/drive/items/1/workbook/worksheets('Sheet1')/charts"
      ),
      (.get, "/drives/{id}/root/delta", "/sites/root/drives/1/root/delta"),
      (.get, "/users/{id}/calendarView", "/me/calendarView?startDateTime=1&endDateTime=2"),
    ]
    for (method, path, other) in same {
      #expect(least(method, path) != nil, "\(path)")
      #expect(least(method, path)?.first == least(method, other)?.first, "\(other)")
    }
  }

  @Test("What Microsoft does not list is not guessed")
  func unknown() {
    for path in [
      "", "/", "/$batch", "/users/microsoft.graph.noSuchFunction(a=1)", "/me/noSuchThing",
      "/users/{id}/$noSuch", "https://", "https://graph.microsoft.com", "/me/messages/1/2/3/4/5",
    ] {
      #expect(least(.get, path) == nil, "\(path)")
    }
    #expect(least(.delete, "/me/drive/recent") == nil)
    #expect(least(.trace, "/me") == nil)
  }

  @Test("The kinds of account that can make a request are told apart")
  func kinds() {
    #expect(GraphPermissions.accountKinds(for: .get, "/me") == [.work, .personal])
    #expect(least(.get, "/me", .personal) == ["User.Read"])
    #expect(least(.get, "/me/joinedTeams", .personal) == nil)
    #expect(!GraphPermissions.accountKinds(for: .get, "/me/joinedTeams").contains(.personal))
    #expect(GraphPermissions.accountKinds(for: .get, "/users/{id}/messages").contains(.application))
    #expect(GraphPermissions.accountKinds(for: .get, "/noSuchThing") == [])
  }

  @Test("Who cannot make a request is said by who can")
  func refusals() {
    func words(_ kinds: [GraphPermissions.AccountKind]) -> String {
      "\(GraphPermissions.refusal(of: kinds))"
    }
    #expect(
      words([.application])
        == "This request needs an application permission; no signed-in user can make it.")
    #expect(words([.work, .application]) == "Personal accounts cannot make this request.")
    #expect(words([.personal]) == "Work and school accounts cannot make this request.")
  }

  @Test("A token lacks nothing when it has any permission that is enough")
  func missing() throws {
    let messages = try #require(GraphPermissions.least(for: .get, "/me/messages"))
    #expect(messages.missing(from: []) == ["Mail.ReadBasic"])
    #expect(messages.missing(from: ["User.Read", "Mail.Send"]) == ["Mail.ReadBasic"])
    for scope in [
      "Mail.ReadBasic", "Mail.Read", "Mail.ReadWrite", "mail.read",
      "https://graph.microsoft.com/Mail.Read", "https://dod-graph.microsoft.us/Mail.Read",
    ] {
      #expect(messages.missing(from: [scope]) == [], "\(scope)")
    }
    #expect(messages.missing(from: ["https://api.contoso.com/Mail.Read"]) == ["Mail.ReadBasic"])
  }

  @Test("A permission that requires another is enough only with it")
  func alsoRequired() throws {
    // "AppRoleAssignment.ReadWrite.All and Application.Read.All"
    let path: GraphPath = "/servicePrincipals/{id}/appRoleAssignments"
    let assign = try #require(GraphPermissions.least(for: .post, path))
    #expect(assign.missing(from: ["AppRoleAssignment.ReadWrite.All"]) == ["Application.Read.All"])
    #expect(
      assign.missing(from: ["AppRoleAssignment.ReadWrite.All", "Application.Read.All"]) == [])
    #expect(
      assign.missing(from: ["AppRoleAssignment.ReadWrite.All", "Directory.Read.All"]) == [])
    #expect(
      Set(assign.missing(from: [])) == ["AppRoleAssignment.ReadWrite.All", "Application.Read.All"])
  }

  /// The lines are a method, a path and the permissions for work and for personal accounts, which
  /// another program has read from Microsoft's source: `|` is between those of which one is
  /// enough, and `-` is for a path that is not there as it is written.
  @Test("Microsoft's sample queries have the permissions of Microsoft's source")
  func samples() throws {
    let directory = URL(filePath: #filePath).deletingLastPathComponent()
    let data = try Data(contentsOf: directory.appending(path: "sample-queries.txt"))
    let lines = String(decoding: data, as: UTF8.self).split(separator: "\n")
    #expect(lines.count > 250)
    var found: [Substring: (all: Int, known: Int)] = [:]
    for line in lines {
      let fields = line.split(separator: " ")
      let method = try #require(HTTPRequest.Method(String(fields[0])))
      let version = fields[1].dropFirst().prefix { $0 != "/" }
      let isKnown = least(method, String(fields[1])) != nil
      found[version, default: (0, 0)].all += 1
      found[version, default: (0, 0)].known += isKnown ? 1 : 0
      for (kind, expected) in zip([GraphPermissions.AccountKind.work, .personal], fields[2...]) {
        guard expected != "-" else { continue }
        let names = Set(least(method, String(fields[1]), kind) ?? [])
        #expect(names == Set(expected.split(separator: "|").map(String.init)), "\(line)")
      }
    }
    let version1 = try #require(found["v1.0"])
    #expect(Double(version1.known) / Double(version1.all) >= 0.97)
  }

  @Test("The table tells its date and its source")
  func source() {
    #expect(GraphPermissions.date.wholeMatch(of: /20\d\d-\d\d-\d\d/) != nil)
    #expect(GraphPermissions.commit.wholeMatch(of: /[0-9a-f]{40}/) != nil)
  }
}
