import FoundationEssentials

/// Pauses renewals that failed while a cached token was valid: for a minute, the cached token is
/// returned at once, so that an offline app does not wait for the network at every call.
///
/// Unlike ``Throttle``, this also covers servers that could not be reached.
struct RenewalPauses: Sendable {
  /// How long a failed renewal is paused, in seconds.
  static let length = 60.0

  private var pauses: [SilentRequestKey: Pause] = [:]

  /// Whether the renewal for `key` failed recently.
  func cover(_ key: SilentRequestKey, at date: Date) -> Bool { pauses[key]?.covers(date) == true }

  /// Records that the renewal for `key` failed.
  mutating func start(_ key: SilentRequestKey, at date: Date) {
    pauses = pauses.filter { $0.value.covers(date) }
    pauses[key] = Pause(from: date, for: Self.length)
  }
}
