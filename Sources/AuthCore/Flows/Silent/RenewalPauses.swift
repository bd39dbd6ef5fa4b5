import FoundationEssentials

/// Pauses renewals that failed while a cached token was valid: for a minute, the cached token is
/// returned at once, so that an offline app does not wait for the network at every call.
///
/// Unlike ``Throttle``, this also covers servers that could not be reached.
struct RenewalPauses: Sendable {
  /// How long a failed renewal is paused, in seconds.
  static let length = 60.0

  private var starts: [SilentRequestKey: Date] = [:]

  /// Whether the renewal for `key` failed recently.
  ///
  /// Setting the clock back must not extend a pause.
  func cover(_ key: SilentRequestKey, at date: Date) -> Bool {
    guard let start = starts[key] else { return false }
    return start <= date && date < start + Self.length
  }

  /// Records that the renewal for `key` failed.
  mutating func start(_ key: SilentRequestKey, at date: Date) {
    starts = starts.filter { date < $0.value + Self.length }
    starts[key] = date
  }
}
