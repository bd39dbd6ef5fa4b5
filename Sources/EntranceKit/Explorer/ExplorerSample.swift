import Localization
import MicrosoftGraph

/// A request to begin with.
struct ExplorerSample: Sendable {
  /// What it is for.
  let title: String
  let request: ExplorerRequest
  /// The least permission; nil until it is looked up.
  private(set) var permission: String?
  private var kinds: [GraphPermissions.AccountKind] = []

  private init(
    _ title: String, _ address: String, _ method: ExplorerRequest.Method = .get,
    fields: String = "", body: String = ""
  ) {
    self.title = title
    request = ExplorerRequest(method, address, fields: fields, body: body)
  }

  /// Method, least permission, and what to know before it is sent.
  var details: String {
    let only: String? =
      kinds.isEmpty || kinds.contains(.personal)
      ? nil : tr("Work or school account")
    let risk: String? =
      switch request.method {
      case .get: nil
      case .delete: tr("Deletes")
      case .post, .put, .patch: tr("Changes data")
      }
    return [request.method.rawValue, permission, only, risk].compactMap(\.self)
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
      let path = GraphPath(url: sample.request.address)
      sample.kinds = GraphPermissions.accountKinds(for: sample.request.method.http, path)
      let permissions = GraphPermissions.least(
        for: sample.request.method.http, path,
        account: sample.kinds.contains(.work) ? .work : .personal)
      sample.permission = permissions?.least.first?.permission
      return sample
    }
  }
}

extension ExplorerSample {
  private static let eventual = "ConsistencyLevel: eventual"

  /// All samples, in the user's language.
  static var all: [ExplorerSample] { person + mail + calendar + files + people + directory }

  private static var person: [ExplorerSample] {
    [
      Self(tr("My profile"), "/v1.0/me"),
      Self(
        tr("Name, job and mail address only"), "/v1.0/me?$select=displayName,jobTitle,mail"),
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
      Self(tr("Delete a message"), "/v1.0/me/messages/{id}", .delete),
    ]
  }

  private static var calendar: [ExplorerSample] {
    [
      Self(tr("Next events"), "/v1.0/me/events?$top=10&$select=subject,start,end"),
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
    ]
  }

  private static var files: [ExplorerSample] {
    [
      Self(tr("My drive and its space"), "/v1.0/me/drive"),
      Self(tr("Files in the root folder"), "/v1.0/me/drive/root/children"),
      Self(tr("Files shared with me"), "/v1.0/me/drive/sharedWithMe"),
      Self(tr("Search files for a word"), "/v1.0/me/drive/root/search(q='report')"),
      Self(
        tr("Create a folder"), "/v1.0/me/drive/root/children", .post,
        body: "{\n  \"name\": \"New Folder\",\n  \"folder\": {}\n}"),
      Self(
        tr("Write a text file"), "/v1.0/me/drive/root:/Hello.txt:/content", .put,
        fields: "Content-Type: text/plain", body: "Written with Entrance.\n"),
    ]
  }

  private static var people: [ExplorerSample] {
    [
      Self(tr("My contacts"), "/v1.0/me/contacts"),
      Self(tr("People I work with"), "/v1.0/me/people"),
      Self(
        tr("Add a contact"), "/v1.0/me/contacts", .post,
        body: "{\n  \"givenName\": \"Ada\",\n  \"surname\": \"Lovelace\"\n}"),
      Self(tr("My task lists"), "/v1.0/me/todo/lists"),
      Self(tr("My notebooks"), "/v1.0/me/onenote/notebooks"),
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
      Self(tr("Groups in the organization"), "/v1.0/groups?$select=displayName,description"),
      Self(tr("Members of a group"), "/v1.0/groups/{id}/members"),
      Self(tr("The organization"), "/v1.0/organization"),
      Self(tr("My devices"), "/v1.0/me/ownedDevices"),
      Self(tr("Teams that I am a member of"), "/v1.0/me/joinedTeams"),
    ]
  }
}
