import CurlHTTP
public import FoundationEssentials

/// A clock that stands still until it is moved.
public final class SetClock: Sendable {
  private let date: LockedValue<Date>

  /// Starts the clock at a date of its own.
  public init(_ date: Date = Date(timeIntervalSince1970: 1_800_000_000)) {
    self.date = LockedValue(date)
  }

  /// The time it shows.
  public var now: Date { date.withLock { $0 } }

  /// Moves it; backwards when `seconds` is negative.
  public func advance(by seconds: Double) { date.withLock { $0 += seconds } }
}
