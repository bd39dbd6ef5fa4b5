/// Names a set of items.
enum GraphKey: Sendable, Hashable {
  case users(Tenant)
  case groups(Tenant)
  case organization(Tenant)
  case sites(Tenant)
  /// The mail of the user with an ID.
  case messages(String)
  case mailFolders(String)
  case attachments(owner: String, message: String)
  case calendars(String)
  case events(String)
  case contacts(String)
  /// The files and folders of a drive.
  case items(drive: String)

  var type: GraphType {
    switch self {
    case .users: .user
    case .groups: .group
    case .organization: .organization
    case .sites: .site
    case .messages: .message
    case .mailFolders: .mailFolder
    case .attachments: .attachment
    case .calendars: .calendar
    case .events: .event
    case .contacts: .contact
    case .items: .driveItem
    }
  }
}
