import FoundationEssentials

/// The mail of a user: messages, folders and attachments.
enum GraphMessage {
  private static let subjects = [
    "Notes from Monday", "Lunch on Thursday?", "New keyboard shortcuts", "The slides you asked for",
    "Your train to Ghent", "Reading list", "Release checklist", "Photos from the workshop",
  ]

  /// The number of messages in each mailbox: more than two pages of the default size.
  private static let count = 23

  /// The folders of every mailbox: name in paths, name for people.
  private static let folderNames = [
    ("inbox", "Inbox"), ("drafts", "Drafts"), ("sentitems", "Sent Items"),
    ("deleteditems", "Deleted Items"), ("archive", "Archive"), ("junkemail", "Junk Email"),
  ]

  /// The ID of a folder that every mailbox has; nil for any other name.
  static func folderID(_ wellKnownName: String) -> String? {
    let name = wellKnownName.lowercased()
    guard name != "msgfolderroot" else { return rootFolder }
    return folderNames.firstIndex { $0.0 == name }.map { "AAMkAGI1Folder\($0)AAA=" }
  }

  private static let rootFolder = "AAMkAGI1FolderRootAAA="

  static var folders: [JSON] {
    folderNames.map { name, title in
      [
        "id": .string(folderID(name) ?? ""), "displayName": .string(title),
        "parentFolderId": .string(rootFolder), "childFolderCount": 0, "isHidden": false,
        "unreadItemCount": 0, "totalItemCount": 0, "sizeInBytes": 0,
        "wellKnownName": .string(name),
      ]
    }
  }

  /// The rules of every inbox.
  static let rules: [JSON] = [
    [
      "id": "AQAAAGI1Rule0=", "displayName": "Newsletters to the archive", "sequence": 1,
      "isEnabled": true, "hasError": false, "isReadOnly": false,
      "conditions": ["subjectContains": ["Newsletter"]],
      "actions": [
        "moveToFolder": .string(folderID("archive") ?? ""), "stopProcessingRules": true,
      ],
    ]
  ]

  /// The ID of a new item of a mailbox.
  static func newID() -> String { "AAMkAGI1\(Random.token(bytes: 24))AAA=" }

  /// The messages of a user, newest first.
  ///
  /// They are the same in every run.
  static func all(for user: User) -> [JSON] {
    let senders = User.demo.filter { $0.username != user.username }
    return (0..<count).map { index in
      let sender = senders[index % senders.count]
      // A bit over five hours apart, counted back from 2026-01-31 09:00 UTC.
      let received = Date(timeIntervalSince1970: 1_769_850_000 - Double(index) * 19_000)
      let isSent = index % 6 == 5
      var message = message(
        subject: subjects[index % subjects.count], at: received, from: isSent ? user : sender,
        to: isSent ? sender : user)
      let name = String(user.username.prefix { $0 != "@" }.filter(\.isLetter))
      let number = String(1000 + index)
      message["id"] = .string("AAMkAGI1\(name)\(number)AAA=")
      message["isRead"] = .bool(index > 2)
      message["hasAttachments"] = .bool(index % 7 == 3)
      message["conversationId"] = .string("AAQkAGI1\(name)\(number)")
      message["parentFolderId"] = .string(folderID(isSent ? "sentitems" : "inbox") ?? "")
      return message
    }
  }

  private static func message(subject: String, at date: Date, from: User, to: User) -> JSON {
    let time = JSON.string(date.formatted(.iso8601))
    let text = "Hello \(to.givenName), this is about “\(subject)”."
    return [
      "id": "", "createdDateTime": time, "lastModifiedDateTime": time, "receivedDateTime": time,
      "sentDateTime": time, "hasAttachments": false,
      "internetMessageId": .string("<\(date.epochSeconds)@\(from.username)>"),
      "subject": .string(subject), "bodyPreview": .string(text), "importance": "normal",
      "parentFolderId": "", "conversationId": "", "isRead": true, "isDraft": false,
      "webLink": "https://outlook.example/mail", "inferenceClassification": "focused",
      "categories": .array([]), "flag": ["flagStatus": "notFlagged"],
      "body": [
        "contentType": "text", "content": .string(text + "\n\nBest wishes\n" + from.givenName),
      ],
      "sender": from.emailAddress, "from": from.emailAddress, "toRecipients": [to.emailAddress],
      "ccRecipients": .array([]), "bccRecipients": .array([]), "replyTo": .array([]),
    ]
  }

  /// The attachments of a message that has some at the start.
  static func attachments(of message: String) -> [GraphSeeds.Seed] {
    // The number is at the end of the ID, before the padding.
    let digits = message.dropLast(4).reversed().prefix(while: \.isNumber).reversed()
    guard message.hasPrefix("AAMkAGI1"), let number = Int(String(digits)),
      (1000..<1000 + count).contains(number), (number - 1000) % 7 == 3
    else { return [] }
    let sizes = [1 << 10, 48 << 10]
    return sizes.enumerated().map { index, size in
      let isText = index == 0
      let content = GraphContent.generated(
        seed: UInt64(number + index), count: size, isText: isText)
      return (
        attachment(
          id: "\(message.dropLast(4))BEgAQ\(index)=", name: isText ? "Notes.txt" : "Slides.pdf",
          type: isText ? "text/plain" : "application/pdf", size: size), content
      )
    }
  }

  static func attachment(id: String, name: String, type: String, size: Int) -> JSON {
    [
      "@odata.type": "#microsoft.graph.fileAttachment", "id": .string(id),
      "@odata.mediaContentType": .string(type), "lastModifiedDateTime": "2026-01-30T09:00:00Z",
      "name": .string(name), "contentType": .string(type), "size": .number(size),
      "isInline": false, "contentId": .null, "contentLocation": .null,
    ]
  }
}
