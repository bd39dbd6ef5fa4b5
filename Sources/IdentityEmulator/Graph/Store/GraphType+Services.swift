/// The types of To Do, OneNote and Teams, of applications, and what else belongs to a user.
extension GraphType {
  static let messageRule = GraphType(
    name: "messageRule",
    properties: names(
      "id actions conditions displayName exceptions hasError isEnabled isReadOnly sequence"))

  static let person = GraphType(
    name: "person",
    properties: names(
      """
      id birthday companyName department displayName givenName imAddress isFavorite jobTitle
      officeLocation personNotes personType phones postalAddresses profession scoredEmailAddresses
      surname userPrincipalName websites yomiCompany
      """),
    searched: ["displayName", "scoredEmailAddresses"], pageSize: (10, 1000))

  static let licenseDetails = GraphType(
    name: "licenseDetails", properties: names("id servicePlans skuId skuPartNumber"),
    isDirectory: true)

  static let device = GraphType(
    name: "device",
    properties: names(
      """
      id accountEnabled approximateLastSignInDateTime deviceId deviceOwnership displayName
      isCompliant isManaged manufacturer model operatingSystem operatingSystemVersion profileType
      registrationDateTime trustType
      """),
    isDirectory: true)

  static let application = GraphType(
    name: "application",
    properties: names(
      """
      id addIns api appId appRoles applicationTemplateId createdDateTime defaultRedirectUri
      deletedDateTime description disabledByMicrosoftStatus displayName groupMembershipClaims
      identifierUris info isDeviceOnlyAuthSupported isFallbackPublicClient keyCredentials notes
      optionalClaims parentalControlSettings passwordCredentials publicClient publisherDomain
      requiredResourceAccess samlMetadataUrl serviceManagementReference signInAudience spa tags
      tokenEncryptionKeyId uniqueName verifiedPublisher web
      """),
    searched: ["displayName"], isDirectory: true, required: ["displayName"])

  static let todoTaskList = GraphType(
    name: "todoTaskList",
    properties: names("id displayName isOwner isShared wellknownListName"),
    required: ["displayName"], eTagProperty: "@odata.etag")

  static let todoTask = GraphType(
    name: "todoTask",
    properties: names(
      """
      id body bodyLastModifiedDateTime categories completedDateTime createdDateTime dueDateTime
      hasAttachments importance isReminderOn lastModifiedDateTime recurrence reminderDateTime
      startDateTime status title
      """),
    required: ["title"], eTagProperty: "@odata.etag")

  static let notebook = GraphType(
    name: "notebook",
    properties: names(
      """
      id createdBy createdDateTime displayName isDefault isShared lastModifiedBy
      lastModifiedDateTime links sectionGroupsUrl sectionsUrl self userRole
      """),
    required: ["displayName"])

  static let team = GraphType(
    name: "team",
    properties: names(
      """
      id classification createdDateTime description displayName funSettings guestSettings
      internalId isArchived memberSettings messagingSettings specialization tenantId visibility
      webUrl
      """))

  static let channel = GraphType(
    name: "channel",
    properties: names(
      """
      id createdDateTime description displayName email isArchived isFavoriteByDefault
      membershipType tenantId webUrl
      """))
}
