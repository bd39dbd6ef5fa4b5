import FoundationEssentials

extension Date {
  /// Whether it is longer ago than `seconds`; setting the clock back must not make it younger.
  func isOlder(than seconds: Double, at now: Date) -> Bool {
    now < self || now >= self + seconds
  }
}
