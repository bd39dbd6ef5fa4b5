import Sentences

/// What permissions of Microsoft Graph allow, in a line.
enum PermissionMeaning {
  /// What the permission allows; nil when that is not known.
  static func sentence(_ permission: String) -> Sentence? {
    // Outside of the global service, a scope is the address of its API and the name.
    let name = permission.split(separator: "/").last.map(String.init) ?? permission
    return signIn(name) ?? people(name) ?? content(name) ?? directory(name)
  }

  private static func signIn(_ name: String) -> Sentence? {
    switch name {
    case "openid": Sentence("Sign in with the account")
    case "profile": Sentence("See the user’s name and user name")
    case "email": Sentence("See the user’s email address")
    case "offline_access": Sentence("Keep access until it is revoked")
    case ".default": Sentence("All permissions that were consented to")
    case "user_impersonation": Sentence("Access this API as the user")
    default: nil
    }
  }

  private static func people(_ name: String) -> Sentence? {
    switch name {
    case "User.Read": Sentence("Read the user’s profile")
    case "User.ReadWrite": Sentence("Read and change the user’s profile")
    case "User.ReadBasic.All": Sentence("Read the names and photos of all users")
    case "User.Read.All": Sentence("Read the profiles of all users")
    case "User.ReadWrite.All": Sentence("Read and change the profiles of all users")
    case "User.Invite.All": Sentence("Invite guests")
    case "People.Read": Sentence("Read whom the user works with")
    case "People.Read.All": Sentence("Read whom all users work with")
    case "Presence.Read": Sentence("Read whether the user is available")
    case "Presence.Read.All": Sentence("Read whether users are available")
    case "Contacts.Read": Sentence("Read contacts")
    case "Contacts.ReadWrite": Sentence("Read, change, and delete contacts")
    default: nil
    }
  }

  private static func content(_ name: String) -> Sentence? {
    switch name {
    case "Mail.ReadBasic": Sentence("Read mail without its content")
    case "Mail.Read": Sentence("Read mail")
    case "Mail.ReadWrite": Sentence("Read, change, and delete mail")
    case "Mail.Send": Sentence("Send mail as the user")
    case "Mail.Read.Shared": Sentence("Read mail that others share")
    case "MailboxSettings.Read": Sentence("Read the settings of the mailbox")
    case "MailboxSettings.ReadWrite": Sentence("Read and change the settings of the mailbox")
    case "Calendars.ReadBasic": Sentence("Read events without body and attachments")
    case "Calendars.Read": Sentence("Read calendars")
    case "Calendars.ReadWrite": Sentence("Read, change, and delete calendars")
    case "Tasks.Read": Sentence("Read tasks")
    case "Tasks.ReadWrite": Sentence("Read, change, and delete tasks")
    case "Files.Read": Sentence("Read the user’s files")
    case "Files.ReadWrite": Sentence("Read, change, and delete the user’s files")
    case "Files.Read.All": Sentence("Read all files that the user can open")
    case "Files.ReadWrite.All":
      Sentence("Read, change, and delete all files that the user can open")
    case "Files.ReadWrite.AppFolder": Sentence("Use a folder of the app in the user’s files")
    case "Sites.Read.All": Sentence("Read all sites")
    case "Sites.ReadWrite.All": Sentence("Read, change, and delete all sites")
    case "Notes.Read": Sentence("Read notebooks")
    case "Notes.ReadWrite": Sentence("Read and change notebooks")
    case "Chat.Read": Sentence("Read chats")
    case "Chat.ReadWrite": Sentence("Read and write chats")
    case "ChatMessage.Send": Sentence("Send chat messages as the user")
    case "ChannelMessage.Read.All": Sentence("Read the messages of channels")
    case "ChannelMessage.Send": Sentence("Send messages to channels as the user")
    case "Team.ReadBasic.All": Sentence("Read the names of teams")
    case "OnlineMeetings.Read": Sentence("Read online meetings")
    case "OnlineMeetings.ReadWrite": Sentence("Read and change online meetings")
    case "IMAP.AccessAsUser.All": Sentence("Read, change, and delete mail over IMAP")
    case "POP.AccessAsUser.All": Sentence("Read and delete mail over POP")
    case "SMTP.Send": Sentence("Send mail as the user over SMTP")
    default: nil
    }
  }

  private static func directory(_ name: String) -> Sentence? {
    switch name {
    case "Directory.Read.All": Sentence("Read the directory")
    case "Directory.ReadWrite.All": Sentence("Read and change the directory")
    case "Directory.AccessAsUser.All": Sentence("Access the directory as the user")
    case "Group.Read.All": Sentence("Read all groups")
    case "Group.ReadWrite.All": Sentence("Read, change, and delete all groups")
    case "GroupMember.Read.All": Sentence("Read the members of groups")
    case "Application.Read.All": Sentence("Read the registrations of apps")
    case "Application.ReadWrite.All":
      Sentence("Read, change, and delete the registrations of apps")
    case "AuditLog.Read.All": Sentence("Read the sign-in logs and audit logs")
    case "Device.Read.All": Sentence("Read all devices")
    case "Organization.Read.All": Sentence("Read the details of the organization")
    case "Policy.Read.All": Sentence("Read the organization’s policies")
    case "Reports.Read.All": Sentence("Read reports on how services are used")
    case "RoleManagement.Read.Directory": Sentence("Read who is an administrator")
    case "RoleManagement.ReadWrite.Directory": Sentence("Read and change who is an administrator")
    case "DelegatedPermissionGrant.ReadWrite.All":
      Sentence("Read and change which permissions apps have")
    default: nil
    }
  }
}
