/// The notebooks of a user.
enum GraphNotebook {
  static func all(for user: User) -> [JSON] {
    ["Notes", "Journal"].enumerated().map { index, name in
      let address = "https://contoso.example/personal/notebooks/\(name)"
      return [
        "id": .string("1-\(GUID.derived(from: "notebook \(user.username) \(name)"))"),
        "createdDateTime": "2025-02-01T09:00:00Z", "lastModifiedDateTime": "2026-01-20T09:00:00Z",
        "displayName": .string(name), "isDefault": .bool(index == 0), "isShared": false,
        "userRole": "Owner",
        "links": [
          "oneNoteClientUrl": ["href": .string("onenote:\(address)")],
          "oneNoteWebUrl": ["href": .string(address)],
        ],
      ]
    }
  }
}
