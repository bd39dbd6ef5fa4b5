import FoundationEssentials

/// A device code and what has become of it (RFC 8628, section 3).
struct DeviceAuthorization: Sendable {
  /// How far the person has come.
  enum Progress: Sendable {
    case pending
    case approved(User, Tenant)
    case declined
    case redeemed
  }

  /// What the client asks the token endpoint with.
  let deviceCode: String
  /// What the person enters.
  let userCode: String
  let client: ClientRegistration
  let scopes: ScopeRequest
  let authority: Authority
  var issued = Date()
  /// The seconds the client has to leave between two polls.
  var interval: Int
  var lastPolled: Date?
  var progress = Progress.pending

  /// How long a code can be used, in seconds.
  static let lifetime = 900

  init(
    client: ClientRegistration, scopes: ScopeRequest, authority: Authority, interval: Int
  ) {
    deviceCode = Random.token(bytes: 96)
    userCode = Random.userCode()
    self.client = client
    self.scopes = scopes
    self.authority = authority
    self.interval = interval
  }

  var isExpired: Bool { issued.addingTimeInterval(TimeInterval(Self.lifetime)) <= Date() }

  /// Notes a poll.
  ///
  /// After one that comes too early the interval is longer, as RFC 8628, section 3.5, has it.
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
