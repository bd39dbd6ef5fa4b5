import FoundationEssentials

/// The calendar and the contacts of a user.
enum GraphEvent {
  private static let subjects = [
    "Weekly review", "Planning", "Lunch with Bram", "Design critique", "Train to Ghent",
    "Interview", "Release", "All hands",
  ]

  static func calendars(of user: User) -> [JSON] {
    ["Calendar", "Holidays"].enumerated().map { index, name in
      [
        "id": .string(calendarID(user, index)), "name": .string(name), "color": "auto",
        "hexColor": "", "isDefaultCalendar": .bool(index == 0), "canEdit": true, "canShare": true,
        "canViewPrivateItems": true, "isRemovable": .bool(index > 0), "changeKey": "1",
        "owner": ["name": .string(user.displayName), "address": .string(user.username)],
      ]
    }
  }

  static func calendarID(_ user: User, _ index: Int) -> String {
    "AAMkAGI1Calendar\(GUID.derived(from: user.username).prefix(8))\(index)AAA="
  }

  /// Forty events from the beginning of January 2026, a day apart.
  static func all(for user: User) -> [JSON] {
    (0..<40).map { index in
      // 2026-01-05 at nine, ten, eleven or twelve.
      let start = 1_767_603_600 + index * 86_400 + index % 4 * 3600
      let isAllDay = index % 13 == 12
      let subject = subjects[index % subjects.count]
      let length = isAllDay ? 86_400 : 1800 * (1 + index % 3)
      let day = isAllDay ? start - start % 86_400 : start
      return [
        "id": .string(
          "AAMkAGI1Event\(GUID.derived(from: user.username).prefix(8))\(1000 + index)AAA="),
        "createdDateTime": "2025-12-20T09:00:00Z", "lastModifiedDateTime": "2025-12-20T09:00:00Z",
        "changeKey": "1", "categories": .array(index % 5 == 0 ? ["Blue category"] : []),
        "subject": .string(subject), "bodyPreview": .string("About \(subject)"),
        "body": ["contentType": "text", "content": .string("About \(subject)")],
        "importance": "normal", "sensitivity": "normal", "isAllDay": .bool(isAllDay),
        "isCancelled": false, "isOrganizer": true, "showAs": .string(isAllDay ? "free" : "busy"),
        "type": "singleInstance", "hasAttachments": false, "isReminderOn": .bool(!isAllDay),
        "reminderMinutesBeforeStart": 15, "start": time(day), "end": time(day + length),
        "location": ["displayName": .string(index % 3 == 0 ? "18/2111" : "")],
        "organizer": user.emailAddress,
        "attendees": .array(
          User.demo.filter { $0.username != user.username }.prefix(index % 3).map { other in
            var attendee = other.emailAddress
            attendee["type"] = "required"
            return attendee
          }), "webLink": "https://outlook.example/calendar",
      ]
    }
  }

  private static func time(_ seconds: Int) -> JSON {
    let date = Date(timeIntervalSince1970: Double(seconds))
    return [
      "dateTime": .string(date.formatted(.iso8601).dropLast() + ".0000000"), "timeZone": "UTC",
    ]
  }

  static func contacts(of user: User) -> [JSON] {
    User.colleagues(12).enumerated().map { index, other in
      [
        "id": .string("AAMkAGI1Contact\(1000 + index)AAA="),
        "createdDateTime": "2025-12-20T09:00:00Z", "lastModifiedDateTime": "2025-12-20T09:00:00Z",
        "displayName": .string(other.displayName), "givenName": .string(other.givenName),
        "surname": .string(other.surname), "jobTitle": .optional(other.jobTitle),
        "companyName": "Contoso", "businessPhones": .array([]),
        "mobilePhone": .optional(other.mobilePhone),
        "emailAddresses": [
          ["name": .string(other.displayName), "address": .string(other.username)]
        ],
      ]
    }
  }
}
