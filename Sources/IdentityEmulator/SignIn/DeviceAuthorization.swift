import FoundationEssentials

/// A device code and its state (RFC 8628, section 3).
struct DeviceAuthorization: Sendable {
  /// The state of the sign-in.
  enum Progress: Sendable {
    case pending
    case approved(User, Tenant)
    case declined
    case redeemed
  }

  /// The device code.
  let deviceCode = Random.token(bytes: 96)
  /// The user code.
  let userCode = Random.userCode()
  let client: ClientRegistration
  let scopes: ScopeRequest
  let authority: Authority
  var issued = Date()
  /// The minimum interval between polls, in seconds.
  var interval: Int
  var lastPolled: Date?
  var progress = Progress.pending

  /// The lifetime of a code, in seconds.
  static let lifetime = 900

  var isExpired: Bool { issued.addingTimeInterval(TimeInterval(Self.lifetime)) <= Date() }

  /// Records a poll.
  ///
  /// After a poll that comes too early, the interval is longer (RFC 8628, section 3.5).
  /// - Returns: whether it came too early.
  mutating func isPolledTooEarly(at date: Date) -> Bool {
    defer { lastPolled = date }
    guard let lastPolled, date < lastPolled.addingTimeInterval(TimeInterval(interval)) else {
      return false
    }
    interval += 5
    return true
  }
}
