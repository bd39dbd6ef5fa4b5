extension String {
  /// The parts of `name=value`; nil when it is something else.
  var assignment: (name: String, value: String)? {
    let parts = split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty else { return nil }
    return (String(parts[0]), String(parts[1]))
  }
}
