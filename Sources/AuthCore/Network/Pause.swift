import FoundationEssentials

/// A time during which something that failed is not tried again.
struct Pause: Sendable {
  let start: Date
  let end: Date

  init(from start: Date, for seconds: Double) {
    (self.start, end) = (start, start + seconds)
  }

  /// Whether `date` is in it; setting the clock back must not extend it.
  func covers(_ date: Date) -> Bool { start <= date && date < end }
}

extension Date {
  /// Whether it is longer ago than `seconds`; setting the clock back must not make it younger.
  func isOlder(than seconds: Double, at now: Date) -> Bool {
    !Pause(from: self, for: seconds).covers(now)
  }
}
