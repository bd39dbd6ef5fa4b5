/// Tenant, object and application IDs.
enum GUID {
  /// Whether `text` is a GUID as Microsoft writes it: 8-4-4-4-12 hex digits.
  static func isValid(_ text: some StringProtocol) -> Bool {
    let groups = text.split(separator: "-", omittingEmptySubsequences: false)
    return groups.map(\.utf8.count) == [8, 4, 4, 4, 12]
      && groups.allSatisfy { $0.utf8.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit } }
  }
}
