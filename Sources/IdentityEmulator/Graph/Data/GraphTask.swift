/// The task lists and the tasks of a user.
enum GraphTask {
  private static let titles = [
    "Water the plants", "Book the train to Ghent", "Review the slides", "Call the dentist",
    "Order keyboards", "Write the release notes",
  ]

  static func lists(of user: User) -> [JSON] {
    ["Tasks", "Errands"].enumerated().map { index, name in
      let kind = index == 0 ? "defaultList" : "none"
      return [
        "id": .string("AAMkAGI1List\(GUID.derived(from: user.username).prefix(8))\(index)AAA="),
        "displayName": .string(name), "isOwner": true, "isShared": false,
        "wellknownListName": .string(kind),
      ]
    }
  }

  /// The tasks of a list that a user has at the start; a list that was made later has none.
  static func all(for user: User, in list: String) -> [JSON] {
    guard let number = lists(of: user).firstIndex(where: { $0["id"]?.string == list }) else {
      return []
    }
    return titles.indices.filter { $0 % 2 == number }.map { task($0, in: list) }
  }

  private static func task(_ index: Int, in list: String) -> JSON {
    let status = index < 2 ? "completed" : "notStarted"
    let importance = index == 2 ? "high" : "normal"
    return [
      "id": .string("AAMkAGI1Task\(GUID.derived(from: list).prefix(8))\(1000 + index)AAA="),
      "createdDateTime": "2026-01-05T09:00:00Z", "lastModifiedDateTime": "2026-01-05T09:00:00Z",
      "title": .string(titles[index]), "status": .string(status), "importance": .string(importance),
      "isReminderOn": false, "hasAttachments": false, "categories": .array([]),
      "body": ["contentType": "text", "content": ""],
    ]
  }
}
