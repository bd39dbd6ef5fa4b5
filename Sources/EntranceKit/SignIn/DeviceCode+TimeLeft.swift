public import AuthCore
public import FoundationEssentials

extension DeviceCode {
  /// The seconds until it expires; 0 when it has.
  public func secondsLeft(at now: Date = Date()) -> Int {
    Int(exactly: max(0, expiresOn.timeIntervalSince(now)).rounded(.up)) ?? 0
  }

  /// The time until it expires, in minutes and seconds such as `4:05`, after hours if there are any.
  public func timeLeft(at now: Date = Date()) -> String { Countdown.text(secondsLeft(at: now)) }
}
