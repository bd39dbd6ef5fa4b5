extension HTTPFile.Request {
  /// A part of a request.
  ///
  /// An enum: a request has no other parts.
  public enum Part: Sendable {
    /// The address.
    case address
    /// The header fields.
    case fields
    /// The body.
    case body
  }

  /// The part that is in a line; nil when it is in none of them.
  public func part(at line: Int) -> Part? {
    if line == self.line { return .address }
    if place.fieldLines.contains(line) { return .fields }
    let count = content.body.utf8.count { $0 == UInt8(ascii: "\n") }
    let isBody = place.body != nil && line >= place.bodyLine && line <= place.bodyLine + count
    return isBody ? .body : nil
  }
}
