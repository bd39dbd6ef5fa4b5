import FoundationEssentials

/// Renewals that failed while a cached token served: for a minute it serves at once, so that an app
/// which is offline does not wait for the network at every call.
///
/// ``Throttle`` minds the server that answered; this is for the one that was not reached, too.
struct RenewalPauses: Sendable {
  /// How long a renewal is left alone that failed, in seconds.
  static let length = 60.0

  private var starts: [SilentRequestKey: Date] = [:]

  /// Whether the renewal for `key` failed a short while ago.
  ///
  /// A clock that was set back must not make a pause last for longer.
  func cover(_ key: SilentRequestKey, at date: Date) -> Bool {
    guard let start = starts[key] else { return false }
    return start <= date && date < start + Self.length
  }

  /// Takes in that the renewal for `key` failed.
  mutating func start(_ key: SilentRequestKey, at date: Date) {
    starts = starts.filter { date < $0.value + Self.length }
    starts[key] = date
  }
}
