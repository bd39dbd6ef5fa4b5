/// A type of Microsoft Graph's resources.
struct GraphType: Sendable {
  let name: String
  /// The name of the properties.
  let properties: Set<String>
  /// The properties that a response has when a request selects none; nil for all.
  var defaults: Set<String>?
  /// What `$expand` and paths go on to, with the names of their types.
  var related: [String: String] = [:]
  /// The properties that `$search` looks into.
  var searched: [String] = []
  /// Whether it is in the directory, where some queries need `ConsistencyLevel: eventual`.
  var isDirectory = false
  /// The number of items on a page, by default and at most.
  var pageSize = (standard: 100, maximum: 999)
  /// The properties that a new item needs.
  var required: [String] = []
  /// Whether its items have an ETag, and which property has it.
  var eTagProperty: String?

  /// The names of what it leads to.
  var navigations: Set<String> { Set(related.keys) }

  func has(_ property: String) -> Bool {
    properties.contains(property) || property.hasPrefix("@odata.")
  }

  /// Graph's sentence for a property that it does not have.
  func missingProperty(_ property: String) -> String {
    "Could not find a property named '\(property)' on type 'microsoft.graph.\(name)'."
  }

  /// The type of a navigation property.
  static func navigation(_ property: String, of type: GraphType) -> GraphType {
    type.related[property].flatMap { named[$0] } ?? directoryObject
  }
}

/// The types that the emulator plays.
extension GraphType {
  static func names(_ list: String) -> Set<String> {
    Set(list.split(whereSeparator: \.isWhitespace).map(String.init))
  }

  private static let named: [String: GraphType] = Dictionary(
    uniqueKeysWithValues: [
      user, group, organization, message, mailFolder, attachment, calendar, event, contact, drive,
      driveItem, site, directoryObject,
    ].map { ($0.name, $0) })

  static let directoryObject = GraphType(
    name: "directoryObject", properties: user.properties.union(group.properties),
    related: ["manager": "user"], isDirectory: true)

  static let user = GraphType(
    name: "user",
    properties: names(
      """
      id accountEnabled ageGroup assignedLicenses assignedPlans businessPhones city companyName
      country createdDateTime department displayName employeeId employeeType faxNumber givenName
      identities jobTitle mail mailNickname mobilePhone officeLocation onPremisesSyncEnabled
      otherMails passwordProfile postalCode preferredLanguage proxyAddresses signInActivity state
      streetAddress surname usageLocation userPrincipalName userType mailboxSettings aboutMe
      """),
    defaults: names(
      """
      businessPhones displayName givenName jobTitle mail mobilePhone officeLocation
      preferredLanguage surname userPrincipalName id
      """),
    related: [
      "manager": "user", "directReports": "user", "memberOf": "group",
      "transitiveMemberOf": "group", "messages": "message", "mailFolders": "mailFolder",
      "events": "event", "calendar": "calendar", "calendars": "calendar", "calendarView": "event",
      "contacts": "contact", "drive": "drive", "drives": "drive", "photo": "profilePhoto",
    ],
    searched: ["displayName", "mail", "userPrincipalName", "givenName", "surname"],
    isDirectory: true,
    required: [
      "accountEnabled", "displayName", "mailNickname", "passwordProfile", "userPrincipalName",
    ])

  static let group = GraphType(
    name: "group",
    properties: names(
      """
      id createdDateTime description displayName groupTypes isAssignableToRole mail mailEnabled
      mailNickname membershipRule preferredLanguage proxyAddresses renewedDateTime
      securityEnabled securityIdentifier theme visibility
      """),
    related: [
      "members": "user", "transitiveMembers": "user", "owners": "user", "drive": "drive",
      "photo": "profilePhoto",
    ],
    searched: ["displayName", "description", "mail", "mailNickname"], isDirectory: true,
    required: ["displayName", "mailEnabled", "mailNickname", "securityEnabled"])

  static let organization = GraphType(
    name: "organization",
    properties: names(
      """
      id city country countryLetterCode createdDateTime displayName postalCode state street
      technicalNotificationMails tenantType verifiedDomains
      """),
    isDirectory: true)

  static let message = GraphType(
    name: "message",
    properties: names(
      """
      id bccRecipients body bodyPreview categories ccRecipients changeKey conversationId
      conversationIndex createdDateTime flag from hasAttachments importance inferenceClassification
      internetMessageHeaders internetMessageId isDeliveryReceiptRequested isDraft isRead
      isReadReceiptRequested lastModifiedDateTime parentFolderId receivedDateTime replyTo sender
      sentDateTime subject toRecipients uniqueBody webLink
      """),
    related: ["attachments": "attachment"],
    searched: ["subject", "body", "from", "toRecipients"], pageSize: (10, 1000),
    eTagProperty: "@odata.etag")

  static let mailFolder = GraphType(
    name: "mailFolder",
    properties: names(
      """
      id childFolderCount displayName isHidden parentFolderId sizeInBytes totalItemCount
      unreadItemCount wellKnownName
      """),
    defaults: names(
      """
      id childFolderCount displayName isHidden parentFolderId sizeInBytes totalItemCount
      unreadItemCount
      """),
    related: ["messages": "message", "childFolders": "mailFolder"],
    pageSize: (10, 1000), required: ["displayName"])

  static let attachment = GraphType(
    name: "attachment",
    properties: names(
      """
      id contentType contentBytes contentId contentLocation isInline lastModifiedDateTime name size
      """
    ),
    pageSize: (10, 1000), required: ["name", "contentBytes"])

  static let calendar = GraphType(
    name: "calendar",
    properties: names(
      """
      id allowedOnlineMeetingProviders canEdit canShare canViewPrivateItems changeKey color
      defaultOnlineMeetingProvider hexColor isDefaultCalendar isRemovable name owner
      """),
    related: ["events": "event", "calendarView": "event"],
    pageSize: (10, 1000), required: ["name"])

  static let event = GraphType(
    name: "event",
    properties: names(
      """
      id allowNewTimeProposals attendees body bodyPreview categories changeKey createdDateTime end
      hasAttachments iCalUId importance isAllDay isCancelled isDraft isOnlineMeeting isOrganizer
      isReminderOn lastModifiedDateTime location locations onlineMeeting onlineMeetingUrl organizer
      originalEndTimeZone originalStartTimeZone recurrence reminderMinutesBeforeStart
      responseRequested responseStatus sensitivity seriesMasterId showAs start subject
      transactionId type uid webLink
      """),
    pageSize: (10, 1000), required: ["subject", "start", "end"], eTagProperty: "@odata.etag")

  static let contact = GraphType(
    name: "contact",
    properties: names(
      """
      id birthday businessPhones categories changeKey companyName createdDateTime displayName
      emailAddresses fileAs givenName homePhones jobTitle lastModifiedDateTime mobilePhone
      officeLocation parentFolderId personalNotes surname
      """),
    searched: ["displayName", "emailAddresses"], pageSize: (10, 1000),
    eTagProperty: "@odata.etag")

  static let drive = GraphType(
    name: "drive",
    properties: names(
      """
      id createdBy createdDateTime description driveType lastModifiedBy lastModifiedDateTime name
      owner quota webUrl
      """),
    related: ["root": "driveItem", "items": "driveItem"])

  static let driveItem = GraphType(
    name: "driveItem",
    properties: names(
      """
      id audio bundle cTag content createdBy createdDateTime deleted description eTag file
      fileSystemInfo folder image lastModifiedBy lastModifiedDateTime location malware name package
      parentReference photo publication remoteItem root searchResult shared sharepointIds size
      specialFolder video webDavUrl webUrl @microsoft.graph.downloadUrl
      """),
    related: [
      "children": "driveItem", "thumbnails": "driveItem", "permissions": "driveItem",
    ],
    pageSize: (200, 1000), eTagProperty: "eTag")

  static let site = GraphType(
    name: "site",
    properties: names(
      "id createdDateTime description displayName isPersonalSite lastModifiedDateTime name root "
        + "siteCollection webUrl"),
    related: ["drive": "drive", "drives": "drive", "sites": "site"],
    searched: ["displayName", "name", "description"])
}
