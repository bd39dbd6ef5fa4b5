/// Names a set of items.
enum GraphKey: Sendable, Hashable {
  case users(Tenant)
  case groups(Tenant)
  case organization(Tenant)
  case applications(Tenant)
  case sites(Tenant)
  /// The mail of the user with an ID.
  case messages(String)
  case mailFolders(String)
  case attachments(owner: String, message: String)
  case calendars(String)
  case events(String)
  case contacts(String)
  case messageRules(String)
  case people(String)
  case licenses(String)
  /// The devices that a user owns.
  case devices(String)
  case taskLists(String)
  case tasks(owner: String, list: String)
  case notebooks(String)
  case teams(Tenant)
  case channels(team: String)
  /// The files and folders of a drive.
  case items(drive: String)

  var type: GraphType {
    switch self {
    case .users: .user
    case .groups: .group
    case .organization: .organization
    case .applications: .application
    case .sites: .site
    case .messages: .message
    case .mailFolders: .mailFolder
    case .attachments: .attachment
    case .calendars: .calendar
    case .events: .event
    case .contacts: .contact
    case .messageRules: .messageRule
    case .people: .person
    case .licenses: .licenseDetails
    case .devices: .device
    case .taskLists: .todoTaskList
    case .tasks: .todoTask
    case .notebooks: .notebook
    case .teams: .team
    case .channels: .channel
    case .items: .driveItem
    }
  }

  /// Whether its items are only read here, though Graph may change them.
  var isOnlyRead: Bool {
    switch self {
    case .messageRules, .people, .licenses, .devices, .teams, .channels: true
    default: false
    }
  }
}
