import Localization
import MicrosoftGraph

/// A request to begin with.
struct ExplorerSample: Sendable {
  /// What it is for.
  let title: String
  /// What samples it is listed with.
  private(set) var subject = ""
  let request: ExplorerRequest
  /// The least permissions; empty until they are looked up.
  private(set) var permissions: [String] = []
  private var kinds: [GraphPermissions.AccountKind] = []
  /// What needs the permissions: the requests of a batch, or the request itself.
  private let parts: [ExplorerRequest]

  private init(
    _ title: String, _ address: String, _ method: ExplorerRequest.Method = .get,
    fields: String = "", body: String = ""
  ) {
    self.title = title
    request = ExplorerRequest(method, address, fields: fields, body: body)
    parts = [request]
  }

  /// Resources to read in one batch, by their paths below the version.
  private init(_ title: String, batch paths: [String]) {
    self.title = title
    parts = paths.map { ExplorerRequest(.get, "/v1.0\($0)") }
    let lines = paths.enumerated().map { index, path in
      "    { \"id\": \"\(index + 1)\", \"method\": \"GET\", \"url\": \"\(path)\" }"
    }
    request = ExplorerRequest(
      .post, "/v1.0/$batch",
      body: "{\n  \"requests\": [\n\(lines.joined(separator: ",\n"))\n  ]\n}")
  }

  /// The method unless it only reads, the least permissions, and what to know before it is sent.
  var details: String {
    let only: String? =
      kinds.isEmpty || kinds.contains(.personal)
      ? nil : tr("Work or school account")
    let risk = parts.compactMap(\.method.risk).first
    let needs = permissions.isEmpty ? nil : permissions.joined(separator: ", ")
    let method = request.method == .get ? nil : request.method.rawValue
    return [method, needs, only, risk].compactMap(\.self)
      .joined(separator: " · ")
  }

  /// The samples with their permissions and kinds of accounts, by Microsoft's table.
  static func described() async -> [ExplorerSample] { await lookUp.value }

  /// Looks all of them up, once.
  private static let lookUp = Task { await describe() }

  @concurrent
  private static func describe() async -> [ExplorerSample] {
    all.map { sample in
      var sample = sample
      let kinds = sample.parts.map { part in
        GraphPermissions.accountKinds(for: part.method.http, GraphPath(url: part.address))
      }
      sample.kinds = (kinds.first ?? []).filter { kind in kinds.allSatisfy { $0.contains(kind) } }
      let account = sample.kinds.contains(.work) ? GraphPermissions.AccountKind.work : .personal
      sample.permissions = sample.parts.compactMap { part in
        let found = GraphPermissions.least(
          for: part.method.http, GraphPath(url: part.address), account: account)
        return found?.least.first?.permission
      }
      return sample
    }
  }
}

extension ExplorerRequest.Method {
  /// What to know before a request with it is sent; nil when it only reads.
  fileprivate var risk: String? {
    switch self {
    case .get: nil
    case .delete: tr("Deletes data")
    case .post, .put, .patch: tr("Changes data")
    }
  }
}

extension ExplorerSample {
  private static let eventual = "ConsistencyLevel: eventual"

  /// All samples, in the user's language.
  static var all: [ExplorerSample] {
    let groups: [(String, [ExplorerSample])] = [
      (tr("Profile"), person), (tr("Mail"), mail), (tr("Calendar"), calendar),
      (tr("Files"), files), (tr("People"), people), (tr("Tasks and Notebooks"), tasks),
      (tr("Organization"), directory), (tr("Teams"), teams), (tr("Batches"), batch),
    ]
    return groups.flatMap { subject, samples in
      samples.map { sample in
        var sample = sample
        sample.subject = subject
        return sample
      }
    }
  }

  private static var person: [ExplorerSample] {
    [
      Self(tr("My profile"), "/v1.0/me"),
      Self(
        tr("Name, job, and email address only"), "/v1.0/me?$select=displayName,jobTitle,mail"),
      Self(tr("My photo"), "/v1.0/me/photo/$value"),
      Self(tr("My manager"), "/v1.0/me/manager"),
      Self(tr("My direct reports"), "/v1.0/me/directReports"),
      Self(tr("Groups that I am a member of"), "/v1.0/me/memberOf?$select=displayName"),
      Self(tr("My licenses"), "/v1.0/me/licenseDetails"),
      Self(
        tr("Change my mobile phone number"), "/v1.0/me", .patch,
        body: "{\n  \"mobilePhone\": \"+1 555 0100\"\n}"),
    ]
  }

  private static var mail: [ExplorerSample] {
    [
      Self(
        tr("Latest mail"), "/v1.0/me/messages?$top=10&$select=subject,from,receivedDateTime"),
      Self(
        tr("Unread mail in the inbox"),
        "/v1.0/me/mailFolders/inbox/messages?$filter=isRead eq false&$select=subject"),
      Self(tr("Mail with attachments"), "/v1.0/me/messages?$filter=hasAttachments eq true"),
      Self(tr("Search mail for a word"), "/v1.0/me/messages?$search=\"budget\""),
      Self(tr("Mail folders and their item counts"), "/v1.0/me/mailFolders"),
      Self(tr("Mail rules"), "/v1.0/me/mailFolders/inbox/messageRules"),
      Self(
        tr("Changes in the inbox"),
        "/v1.0/me/mailFolders/inbox/messages/delta?$select=subject,isRead"),
      Self(tr("One message"), "/v1.0/me/messages/{id}"),
      Self(
        tr("Attachments of a message"),
        "/v1.0/me/messages/{id}/attachments?$select=name,contentType,size"),
      Self(
        tr("Save a draft"), "/v1.0/me/messages", .post,
        body: """
          {
            "subject": "Hello",
            "body": { "contentType": "text", "content": "Written with Entrance." },
            "toRecipients": [{ "emailAddress": { "address": "someone@example.com" } }]
          }
          """),
      Self(
        tr("Send mail"), "/v1.0/me/sendMail", .post,
        body: """
          {
            "message": {
              "subject": "Hello",
              "body": { "contentType": "text", "content": "Sent with Entrance." },
              "toRecipients": [{ "emailAddress": { "address": "someone@example.com" } }]
            }
          }
          """),
      Self(
        tr("Mark a message as read"), "/v1.0/me/messages/{id}", .patch,
        body: "{\n  \"isRead\": true\n}"),
      Self(
        tr("Move a message to the archive"), "/v1.0/me/messages/{id}/move", .post,
        body: "{\n  \"destinationId\": \"archive\"\n}"),
      Self(tr("Delete a message"), "/v1.0/me/messages/{id}", .delete),
    ]
  }

  private static var calendar: [ExplorerSample] {
    [
      Self(tr("My events"), "/v1.0/me/events?$top=10&$select=subject,start,end"),
      Self(
        tr("Events of a month"),
        "/v1.0/me/calendarView?startDateTime=2027-01-01T00:00:00Z&endDateTime=2027-02-01T00:00:00Z"
      ),
      Self(tr("My calendars"), "/v1.0/me/calendars"),
      Self(
        tr("Add an event"), "/v1.0/me/events", .post,
        body: """
          {
            "subject": "Lunch",
            "start": { "dateTime": "2027-01-15T12:00:00", "timeZone": "UTC" },
            "end": { "dateTime": "2027-01-15T13:00:00", "timeZone": "UTC" }
          }
          """),
      Self(
        tr("Change the time of an event"), "/v1.0/me/events/{id}", .patch,
        body: """
          {
            "start": { "dateTime": "2027-01-16T12:00:00", "timeZone": "UTC" },
            "end": { "dateTime": "2027-01-16T13:00:00", "timeZone": "UTC" }
          }
          """),
      Self(tr("Delete an event"), "/v1.0/me/events/{id}", .delete),
    ]
  }

  private static var files: [ExplorerSample] {
    [
      Self(tr("My drive and its storage"), "/v1.0/me/drive"),
      Self(tr("Files in the root folder"), "/v1.0/me/drive/root/children"),
      Self(tr("Files in a folder"), "/v1.0/me/drive/root:/Documents:/children"),
      Self(tr("Contents of a file"), "/v1.0/me/drive/items/{id}/content"),
      Self(tr("Changes in my drive"), "/v1.0/me/drive/root/delta"),
      Self(tr("Files shared with me"), "/v1.0/me/drive/sharedWithMe"),
      Self(tr("Search files for a word"), "/v1.0/me/drive/root/search(q='report')"),
      Self(
        tr("Create a folder"), "/v1.0/me/drive/root/children", .post,
        body: "{\n  \"name\": \"New Folder\",\n  \"folder\": {}\n}"),
      Self(
        tr("Write a text file"), "/v1.0/me/drive/root:/Hello.txt:/content", .put,
        fields: "Content-Type: text/plain", body: "Written with Entrance.\n"),
      Self(
        tr("Start uploading a large file"), "/v1.0/me/drive/root:/Video.mp4:/createUploadSession",
        .post,
        body: "{\n  \"item\": { \"@microsoft.graph.conflictBehavior\": \"rename\" }\n}"),
      Self(
        tr("Rename a file"), "/v1.0/me/drive/items/{id}", .patch,
        body: "{\n  \"name\": \"New name.txt\"\n}"),
    ]
  }

  private static var people: [ExplorerSample] {
    [
      Self(tr("My contacts"), "/v1.0/me/contacts"),
      Self(
        tr("Contacts with an email address"),
        "/v1.0/me/contacts?$filter=emailAddresses/any(a:a/address eq 'someone@example.com')"),
      Self(tr("People I work with"), "/v1.0/me/people"),
      Self(
        tr("Add a contact"), "/v1.0/me/contacts", .post,
        body: "{\n  \"givenName\": \"Ada\",\n  \"surname\": \"Lovelace\"\n}"),
    ]
  }

  private static var tasks: [ExplorerSample] {
    [
      Self(tr("My task lists"), "/v1.0/me/todo/lists"),
      Self(
        tr("Open tasks of a list"),
        "/v1.0/me/todo/lists/{id}/tasks?$filter=status ne 'completed'"),
      Self(
        tr("Add a task"), "/v1.0/me/todo/lists/{id}/tasks", .post,
        body: "{\n  \"title\": \"Buy flowers\",\n  \"importance\": \"high\"\n}"),
      Self(
        tr("Mark a task as completed"), "/v1.0/me/todo/lists/{id}/tasks/{task-id}", .patch,
        body: "{\n  \"status\": \"completed\"\n}"),
      Self(tr("My notebooks"), "/v1.0/me/onenote/notebooks"),
      Self(
        tr("Create a notebook"), "/v1.0/me/onenote/notebooks", .post,
        body: "{\n  \"displayName\": \"Ideas\"\n}"),
    ]
  }

  private static var directory: [ExplorerSample] {
    [
      Self(tr("People in the organization"), "/v1.0/users?$select=displayName,mail&$top=25"),
      Self(
        tr("Number of users"), "/v1.0/users?$count=true&$top=1&$select=id",
        fields: eventual),
      Self(
        tr("Search people by name"), "/v1.0/users?$search=\"displayName:adele\"",
        fields: eventual),
      Self(
        tr("Changes to users"), "/v1.0/users/delta?$select=displayName,mail"),
      Self(tr("Groups in the organization"), "/v1.0/groups?$select=displayName,description"),
      Self(
        tr("Search groups by name"), "/v1.0/groups?$search=\"displayName:design\"",
        fields: eventual),
      Self(tr("Members of a group"), "/v1.0/groups/{id}/members"),
      Self(
        tr("Create a group"), "/v1.0/groups", .post,
        body: """
          {
            "displayName": "Hiking",
            "mailNickname": "hiking",
            "mailEnabled": true,
            "securityEnabled": false,
            "groupTypes": ["Unified"]
          }
          """),
      Self(tr("The organization"), "/v1.0/organization"),
      Self(tr("My devices"), "/v1.0/me/ownedDevices"),
    ]
  }

  private static var teams: [ExplorerSample] {
    [
      Self(tr("Teams that I am a member of"), "/v1.0/me/joinedTeams"),
      Self(tr("Channels of a team"), "/v1.0/teams/{id}/channels"),
    ]
  }

  private static var batch: [ExplorerSample] {
    [
      Self(
        tr("Several requests at once"),
        batch: ["/me?$select=displayName", "/me/mailFolders/inbox", "/me/calendars"])
    ]
  }
}
