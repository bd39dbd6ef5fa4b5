/// A part of Microsoft Graph, with the permissions that it needs.
///
/// It is a table of the emulator's own, and not that of the library: what a test shows of the
/// library must not come from the library.
enum GraphArea: Sendable {
  case me, users, groups, organization, mail, mailSending, calendars, contacts, files, sites
  /// A photo of someone else.
  case photos

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
    case (.groups, false):
      return directory.union([
        "Group.Read.All", "Group.ReadWrite.All", "GroupMember.Read.All",
        "GroupMember.ReadWrite.All", "Directory.Read.All",
      ])
    case (.groups, true): return directory.union(["Group.ReadWrite.All"])
    case (.organization, false):
      return directory.union(["User.Read", "Organization.Read.All", "Directory.Read.All"])
    case (.organization, true): return ["Organization.ReadWrite.All"]
    case (.mail, false): return ["Mail.Read", "Mail.ReadWrite", "Mail.ReadBasic"]
    case (.mail, true): return ["Mail.ReadWrite"]
    case (.mailSending, _): return ["Mail.Send"]
    case (.calendars, false):
      return ["Calendars.Read", "Calendars.ReadBasic", "Calendars.ReadWrite"]
    case (.calendars, true): return ["Calendars.ReadWrite"]
    case (.contacts, false): return ["Contacts.Read", "Contacts.ReadWrite"]
    case (.contacts, true): return ["Contacts.ReadWrite"]
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

  /// The error for a token without them.
  var refusal: GraphError {
    switch self {
    case .me, .users, .groups, .organization, .photos: .insufficientPrivileges
    case .mail, .mailSending, .calendars, .contacts: .accessDenied
    case .files, .sites: .noFilePermission
    }
  }
}
