import CurlHTTP
public import FoundationEssentials

/// A clock that advances only on demand.
public final class ManualClock: Sendable {
  private let date: LockedValue<Date>

  /// Creates a clock, by default with a fixed date.
  public init(_ date: Date = Date(timeIntervalSince1970: 1_800_000_000)) {
    self.date = LockedValue(date)
  }

  /// The current time.
  public var now: Date { date.withLock { $0 } }

  /// Advances it; a negative number sets it back.
  public func advance(by seconds: Double) { date.withLock { $0 += seconds } }
}
