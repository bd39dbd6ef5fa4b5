import FoundationEssentials

/// The times in an ID token, and what they tell about this device's clock.
extension IDToken {
  /// The tolerated difference between the clocks of this device and the service, in seconds.
  private static let clockTolerance = 300.0

  /// The earliest and latest times that are told apart, in seconds: the years 1 and 9999.
  private static let times = -62_135_596_800.0...253_402_300_799.0

  /// The time in the claim called `name`, in seconds since 1970 (RFC 7519, section 2: NumericDate).
  private func time(_ name: String) -> Double? {
    claims[name]?.number.map { min(max($0, Self.times.lowerBound), Self.times.upperBound) }
  }

  /// How far this device's clock is ahead of the service's, or behind it when negative; nil when the
  /// token, which was just received, is valid by this device's clock.
  func clockDifference(at date: Date) -> Duration? {
    func ahead(of claim: String) -> Double? {
      time(claim).map { date.timeIntervalSince1970 - $0 }
    }
    let sinceStart = ["iat", "nbf"].compactMap { ahead(of: $0) }.min() ?? 0
    if sinceStart < -Self.clockTolerance { return .seconds(sinceStart) }
    let sinceEnd = ahead(of: "exp") ?? 0
    return sinceEnd < Self.clockTolerance ? nil : .seconds(max(sinceStart, sinceEnd))
  }

  /// The longest accepted lifetime, in seconds.
  private static let longestLife = 366 * 86_400.0

  /// When the token expires, by the clock of this device; nil when it does not say.
  ///
  /// A token that looks expired when it arrives means that the clock is wrong: then its lifetime
  /// counts from `date`.
  func expiry(receivedAt date: Date) -> Date? {
    guard let end = time("exp") else { return nil }
    var life = end - date.timeIntervalSince1970
    if life <= 0, let start = time("iat") { life = end - start }
    return life > 0 ? date + min(life, Self.longestLife) : nil
  }
}
