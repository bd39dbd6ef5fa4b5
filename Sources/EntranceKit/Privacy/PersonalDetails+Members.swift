import CurlHTTP

// What Microsoft Graph's JSON says about people, in members with fixed names: the answers are also
// about others than the accounts that are known.
extension PersonalDetails {
  /// The members whose texts are personal, by their names in Microsoft Graph v1.0.
  ///
  /// What many people have in common, such as `usageLocation` and `preferredLanguage`, is shown: an
  /// answer without any text would show nothing. So is `state`, which is a region only in few
  /// objects of those that have it.
  private static let personalNames: [String] = [
    // Who somebody is, and what people call what is theirs: a group, a calendar, a device, a file.
    "displayName", "givenName", "surname", "middleName", "firstName", "lastName", "nickName",
    "preferredName", "fileAs", "initials", "name", "fileName", "userName", "customerName",
    "spouseName", "assistantName", "manager", "children", "profession", "companyName",
    "deviceName", "managedDeviceName", "mailNickname", "userDisplayName", "deviceDisplayName",
    "principalDisplayName", "invitedUserDisplayName", "issuerAssignedId", "yomiGivenName",
    "yomiSurname", "yomiCompanyName", "birthday", "employeeId",
    // What somebody does where: in a team, these tell one person from all others.
    "jobTitle", "department", "officeLocation", "costCenter", "division", "hireDate",
    "employeeHireDate", "employeeLeaveDateTime",
    // Where to find somebody, also what is no address by its form.
    "userPrincipalName", "mail", "email", "address", "otherMails", "proxyAddresses",
    "imAddress", "imAddresses", "emailAddress", "invitedUserEmailAddress",
    "onPremisesSamAccountName", "onPremisesUserPrincipalName", "onPremisesDistinguishedName",
    "onPremisesDomainName", "onPremisesNetBiosName", "onPremisesImmutableId",
    "onPremisesSecurityIdentifier", "securityIdentifier", "businessPhones", "homePhones",
    "mobilePhone", "faxNumber", "phone", "phoneNumber", "number", "customerPhone", "street",
    "streetAddress", "city", "postalCode", "country", "countryOrRegion", "ipAddress",
    "webUrl", "webDavUrl", "contentUrl", "joinUrl", "joinWebUrl", "onlineMeetingUrl", "path",
    "@microsoft.graph.downloadUrl", "@content.downloadUrl", "href", "mySite",
    // What somebody has written: messages, events, tasks, notes, files, and what is found in them.
    "subject", "bodyPreview", "preview", "content", "contentBytes", "title", "topic", "summary",
    "description", "comment", "comments", "notes", "personalNotes", "personNotes",
    "customerNotes", "aboutMe", "mentionText", "skills", "interests", "schools", "pastProjects",
    "responsibilities", "internalReplyMessage", "externalReplyMessage",
    // What rules for messages look for.
    "senderContains", "recipientContains", "subjectContains", "bodyContains",
    "bodyOrSubjectContains", "headerContains",
    // A property that was asked for alone; lists of objects have the same name.
    "value",
    // The fields of SharePoint's lists.
    "fileLeafRef", "fileRef", "linkFilename", "linkTitle", "linkFilenameNoMenu",
  ]

  /// What an organization has added to its users: mostly numbers of its staff and the like.
  private static let extensionNames = (1...15).map { "extensionAttribute\($0)" }

  /// A batch has header fields as members.
  private static let personalMembers = Set(
    (personalNames + extensionNames + personalFields).map { $0.utf8.map(\.lowercased) })

  /// The header fields of answers that say where files are, and what they are called.
  static let personalFields: Set<String> = ["content-disposition", "content-location", "location"]

  /// The texts of a personal member whose name begins at `start`, without their quotation marks;
  /// empty when it is none, or has other values than a text or a list of texts.
  ///
  /// - Parameter start: where a quotation mark is.
  static func personalStrings(_ bytes: [UInt8], at start: Int) -> [Range<Int>] {
    let name = contents(bytes, at: start)
    guard name.count <= longestName else { return [] }
    var position = afterBlanks(bytes, name.upperBound + 1)
    guard position < bytes.count, bytes[position] == UInt8(ascii: ":"),
      personalMembers.contains(bytes[name].map(\.lowercased))
    else { return [] }
    position = afterBlanks(bytes, position + 1)
    guard position < bytes.count else { return [] }
    if bytes[position] == quote { return [contents(bytes, at: position)] }
    guard bytes[position] == UInt8(ascii: "[") else { return [] }
    var strings: [Range<Int>] = []
    position = afterBlanks(bytes, position + 1)
    while position < bytes.count, bytes[position] == quote {
      let text = contents(bytes, at: position)
      strings.append(text)
      position = afterBlanks(bytes, text.upperBound + 1)
      guard position < bytes.count, bytes[position] == UInt8(ascii: ",") else { break }
      position = afterBlanks(bytes, position + 1)
    }
    return strings
  }

  private static let quote = UInt8(ascii: "\"")

  /// As long as the longest name, and a bit more.
  private static let longestName = 40

  /// What is between a quotation mark and the next one; no string of JSON has more than one line.
  private static func contents(_ bytes: [UInt8], at start: Int) -> Range<Int> {
    var end = start + 1
    while end < bytes.count, bytes[end] != quote, bytes[end] != UInt8(ascii: "\n") {
      end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
    }
    return (start + 1)..<min(end, bytes.count)
  }

  private static func afterBlanks(_ bytes: [UInt8], _ start: Int) -> Int {
    var position = start
    while position < bytes.count, " \t\r\n".utf8.contains(bytes[position]) { position += 1 }
    return position
  }
}
