extension Scope {
  /// The scopes of Microsoft Graph that can be consented to.
  static let graph: [Scope] = table.split(separator: "\n").compactMap { line in
    let parts = line.split(separator: "|").map { $0.drop { $0 == " " } }
    guard parts.count == 2, let name = parts[0].split(separator: " ").first else { return nil }
    return Scope(name: String(name), meaning: String(parts[1]))
  }

  /// A scope of Graph with its description, on each line.
  private static let table = """
    User.Read | Sign you in and read your profile
    User.ReadWrite | Read and update your profile
    User.ReadBasic.All | Read the basic profiles of all users
    User.Read.All | Read the full profiles of all users
    User.ReadWrite.All | Read and write the full profiles of all users
    People.Read | Read your list of relevant people
    Directory.Read.All | Read the directory
    Directory.ReadWrite.All | Read and write the directory
    Directory.AccessAsUser.All | Access the directory as you
    Group.ReadBasic.All | Read the basic properties of all groups
    Group.Read.All | Read all groups
    Group.ReadWrite.All | Read and write all groups
    GroupMember.ReadBasic.All | Read the basic properties of groups and their members
    GroupMember.Read.All | Read the members of groups
    GroupMember.ReadWrite.All | Read and write the members of groups
    Organization.Read.All | Read the organization
    LicenseAssignment.Read.All | Read all license assignments
    DeviceManagementServiceConfig.Read.All | Read the configuration of device management
    Application.Read.All | Read applications
    Application.ReadWrite.All | Read and write applications
    AuditLog.Read.All | Read the audit log
    Policy.Read.All | Read the policies of the organization
    Reports.Read.All | Read all usage reports
    Device.Read | Read your list of devices
    Device.Read.All | Read all devices
    Mail.Read | Read your mail
    Mail.ReadBasic | Read your mail without its text
    Mail.ReadWrite | Read and write your mail
    Mail.Send | Send mail as you
    Mail.Read.Shared | Read your and shared mail
    Mail.ReadWrite.Shared | Read and write your and shared mail
    Mail.Send.Shared | Send mail for others
    MailboxSettings.Read | Read your mailbox settings
    MailboxSettings.ReadWrite | Read and write your mailbox settings
    Calendars.Read | Read your calendars
    Calendars.ReadBasic | Read your calendars without details
    Calendars.ReadWrite | Read and write your calendars
    Calendars.Read.Shared | Read your and shared calendars
    Calendars.ReadWrite.Shared | Read and write your and shared calendars
    Contacts.Read | Read your contacts
    Contacts.ReadWrite | Read and write your contacts
    Files.Read | Read your files
    Files.Read.All | Read all files that you have access to
    Files.Read.Selected | Read the files that you select
    Files.ReadWrite | Read and write your files
    Files.ReadWrite.All | Read and write all files that you have access to
    Files.ReadWrite.AppFolder | Have access to its own folder
    Sites.Read.All | Read all sites that you have access to
    Sites.ReadWrite.All | Read and write all sites that you have access to
    Sites.Manage.All | Create and change lists in all sites
    Sites.FullControl.All | Have full control of all sites
    Notes.Create | Read the titles of your notebooks and create pages
    Notes.Read | Read your notebooks
    Notes.ReadWrite | Read and write your notebooks
    Tasks.Read | Read your tasks
    Tasks.ReadWrite | Read and write your tasks
    Team.ReadBasic.All | Read the names of teams
    Channel.ReadBasic.All | Read the names of channels
    ChannelMessage.Send | Send messages to channels
    Chat.Read | Read your chats
    Chat.ReadWrite | Read and write your chats
    Presence.Read | Read your presence
    Presence.Read.All | Read the presence of all users
    OnlineMeetings.Read | Read your online meetings
    OnlineMeetings.ReadWrite | Read and write your online meetings
    IMAP.AccessAsUser.All | Read and write your mail with IMAP
    POP.AccessAsUser.All | Read and write your mail with POP
    SMTP.Send | Send mail from your mailbox with SMTP
    """
}
