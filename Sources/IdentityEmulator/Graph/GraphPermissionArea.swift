/// A part of Microsoft Graph, with the permissions that it needs.
///
/// It is a table of the emulator's own, and not that of the library: what a test shows of the
/// library must not come from the library.
enum GraphPermissionArea: Sendable {
  case me, users, groups, organization, applications, mail, mailSending, calendars, contacts
  case files, sites
  case mailboxSettings, people, licenses, tasks, notes, teams, channels
  /// A photo of someone else.
  case photos
  /// The members of groups.
  case members
  /// What belongs to the user in the directory: reports, groups and devices.
  case relations

  /// The scopes of which a token needs one.
  func scopes(writes: Bool) -> Set<String> {
    let directory: Set = ["Directory.ReadWrite.All", "Directory.AccessAsUser.All"]
    switch (self, writes) {
    case (.me, false):
      return Self.readUsers.union(directory).union(["User.Read", "User.ReadWrite"])
    case (.me, true): return directory.union(["User.ReadWrite", "User.ReadWrite.All"])
    case (.users, false): return Self.readUsers.union(directory)
    case (.users, true): return directory.union(["User.ReadWrite.All"])
    case (.photos, false): return Self.readUsers
    case (.photos, true): return ["User.ReadWrite.All", "ProfilePhoto.ReadWrite.All"]
    case (.groups, false): return Self.readGroups.union(directory)
    case (.groups, true), (.members, true): return directory.union(["Group.ReadWrite.All"])
    case (.members, false):
      return Self.readGroups.union(directory).union(["GroupMember.ReadBasic.All"])
    case (.relations, false):
      return Self.readGroups.union(directory).union([
        "User.Read", "User.ReadWrite", "User.Read.All", "User.ReadWrite.All",
        "GroupMember.ReadBasic.All",
      ])
    case (.relations, true): return directory
    case (.licenses, _):
      return directory.union([
        "LicenseAssignment.Read.All", "User.Read", "User.Read.All", "User.ReadWrite.All",
        "Directory.Read.All",
      ])
    case (.organization, false):
      return directory.union([
        "User.Read", "Organization.Read.All", "Directory.Read.All",
        "DeviceManagementServiceConfig.Read.All",
      ])
    case (.organization, true): return ["Organization.ReadWrite.All"]
    case (.applications, false):
      return directory.union([
        "Application.Read.All", "Application.ReadWrite.All", "Directory.Read.All",
      ])
    case (.applications, true): return ["Application.ReadWrite.All"]
    case (.mail, false): return ["Mail.Read", "Mail.ReadWrite", "Mail.ReadBasic"]
    case (.mail, true): return ["Mail.ReadWrite"]
    case (.mailSending, _): return ["Mail.Send"]
    case (.calendars, false):
      return ["Calendars.Read", "Calendars.ReadBasic", "Calendars.ReadWrite"]
    case (.calendars, true): return ["Calendars.ReadWrite"]
    case (.contacts, false): return ["Contacts.Read", "Contacts.ReadWrite"]
    case (.contacts, true): return ["Contacts.ReadWrite"]
    case (.mailboxSettings, false): return ["MailboxSettings.Read", "MailboxSettings.ReadWrite"]
    case (.mailboxSettings, true): return ["MailboxSettings.ReadWrite"]
    case (.people, _): return ["People.Read", "People.Read.All"]
    case (.tasks, false): return ["Tasks.Read", "Tasks.ReadWrite"]
    case (.tasks, true): return ["Tasks.ReadWrite"]
    case (.notes, false): return ["Notes.Create", "Notes.Read", "Notes.ReadWrite"]
    case (.notes, true): return ["Notes.Create", "Notes.ReadWrite"]
    case (.teams, _): return directory.union(["Team.ReadBasic.All", "Directory.Read.All"])
    case (.channels, _):
      return directory.union([
        "Channel.ReadBasic.All", "Group.Read.All", "Group.ReadWrite.All", "Directory.Read.All",
      ])
    case (.files, false):
      return [
        "Files.Read", "Files.ReadWrite", "Files.Read.All", "Files.ReadWrite.All",
        "Sites.Read.All", "Sites.ReadWrite.All",
      ]
    case (.files, true): return ["Files.ReadWrite", "Files.ReadWrite.All", "Sites.ReadWrite.All"]
    case (.sites, false):
      return ["Sites.Read.All", "Sites.ReadWrite.All", "Sites.Manage.All", "Sites.FullControl.All"]
    case (.sites, true): return ["Sites.Manage.All", "Sites.FullControl.All"]
    }
  }

  private static let readUsers: Set = [
    "User.ReadBasic.All", "User.Read.All", "User.ReadWrite.All", "Directory.Read.All",
  ]

  private static let readGroups: Set = [
    "Group.ReadBasic.All", "Group.Read.All", "Group.ReadWrite.All", "GroupMember.Read.All",
    "GroupMember.ReadWrite.All", "Directory.Read.All",
  ]

  /// The error for a token without them.
  var refusal: GraphError {
    switch self {
    case .me, .users, .groups, .organization, .applications, .photos, .licenses, .members,
      .relations:
      .insufficientPrivileges
    case .mail, .mailSending, .calendars, .contacts, .mailboxSettings, .people, .tasks, .notes:
      .accessDenied
    case .teams, .channels: .missingScope
    case .files, .sites: .noFilePermission
    }
  }
}
