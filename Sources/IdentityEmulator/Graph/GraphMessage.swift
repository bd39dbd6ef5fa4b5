import FoundationEssentials

/// The `message` resource.
enum GraphMessage {
  private static let subjects = [
    "Notes from Monday", "Lunch on Thursday?", "New keyboard shortcuts", "The slides you asked for",
    "Your train to Ghent", "Reading list", "Release checklist", "Photos from the workshop",
  ]

  /// The number of messages in each mailbox: more than two pages of the default size.
  private static let count = 23

  /// The messages of a user, newest first.
  ///
  /// They are the same in every run.
  static func all(for user: User) -> [JSON] {
    let senders = User.demo.filter { $0.username != user.username }
    return (0..<count).map { index in
      let sender = senders[index % senders.count]
      // A bit over five hours apart, counted back from 2026-01-31 09:00 UTC.
      let received = Date(timeIntervalSince1970: 1_769_850_000 - Double(index) * 19_000)
      let subject = subjects[index % subjects.count]
      return [
        "id": .string("AAMkAGI1\(Form.encode(user.givenName))\(String(1000 + index))AAA="),
        "receivedDateTime": .string(received.formatted(.iso8601)),
        "subject": .string(subject),
        "bodyPreview": .string("Hello \(user.givenName), this is about “\(subject)”."),
        "isRead": .bool(index > 2),
        "hasAttachments": .bool(index % 7 == 3),
        "from": [
          "emailAddress": [
            "name": .string(sender.displayName), "address": .string(sender.username),
          ]
        ],
      ]
    }
  }
}
