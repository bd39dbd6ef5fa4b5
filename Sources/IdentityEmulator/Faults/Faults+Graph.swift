extension Set<Fault> {
  /// The number of bytes that a large answer has at least.
  private static let largeAnswer = 10_000_000

  /// A member that makes an answer of Microsoft Graph large; nil without such a fault.
  var largeMember: (String, JSON)? {
    if contains(.graphManyItems) {
      let item: JSON = ["id": 123_456, "displayName": "Adele Vance", "isRead": true]
      let count = Self.largeAnswer / (item.text.utf8.count + 1) + 1
      return ("items", .array(Array(repeating: item, count: count)))
    }
    if contains(.graphLongText) {
      return ("content", .string(String(repeating: "0123456789", count: Self.largeAnswer / 10)))
    }
    return nil
  }
}
