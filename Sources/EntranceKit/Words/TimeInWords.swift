import FoundationEssentials
import Sentences

/// Times in words.
enum TimeInWords {
  /// The times that are told, in seconds since 1970: the years 1 and 9999.
  private static let calendar = -62_135_596_800.0...253_402_300_799.0

  /// A time in seconds since 1970 (RFC 7519, section 2: NumericDate); nil outside of the calendar.
  static func date(_ seconds: Double) -> Date? {
    calendar.contains(seconds) ? Date(timeIntervalSince1970: seconds) : nil
  }

  /// The time in UTC, and how far away it is: `2026-11-24 10:54:34 UTC, in 52 minutes`.
  static func sentence(_ date: Date, at now: Date) -> Sentence {
    // 2026-11-24T10:54:34Z (RFC 3339)
    let time = date.formatted(.iso8601).replacing("T", with: " ").replacing("Z", with: "")
    return Sentence(
      "{time} UTC, {distance}", ["time": time, "distance": distance(to: date, at: now)])
  }

  /// How far away a time is: `in 52 minutes`, `2 days ago`.
  static func distance(to date: Date, at now: Date) -> Sentence {
    let distance = date.timeIntervalSince(now)
    guard let seconds = Int(exactly: abs(distance).rounded(.down)) else {
      return Sentence("very far away")
    }
    return distance < 0 ? past(seconds) : future(seconds)
  }

  /// How long ago something happened, in the largest unit: `Just now`, `5 minutes ago`; a date to come
  /// counts as now.
  static func ago(_ date: Date, at now: Date) -> Sentence {
    let minutes = Int(max(0, min(now.timeIntervalSince(date), 1e10)) / 60)
    return switch minutes {
    case ..<1: Sentence("Just now")
    case ..<(24 * 60): past(minutes * 60)
    default: .plural("{count} day ago", "{count} days ago", count: minutes / (24 * 60))
    }
  }

  private static func future(_ seconds: Int) -> Sentence {
    switch seconds {
    case ..<60: .plural("in {count} second", "in {count} seconds", count: seconds)
    case ..<3600: .plural("in {count} minute", "in {count} minutes", count: seconds / 60)
    case ..<172_800: .plural("in {count} hour", "in {count} hours", count: seconds / 3600)
    case ..<63_072_000: .plural("in {count} day", "in {count} days", count: seconds / 86_400)
    default: .plural("in {count} year", "in {count} years", count: seconds / 31_536_000)
    }
  }

  private static func past(_ seconds: Int) -> Sentence {
    switch seconds {
    case ..<60: .plural("{count} second ago", "{count} seconds ago", count: seconds)
    case ..<3600: .plural("{count} minute ago", "{count} minutes ago", count: seconds / 60)
    case ..<172_800: .plural("{count} hour ago", "{count} hours ago", count: seconds / 3600)
    case ..<63_072_000: .plural("{count} day ago", "{count} days ago", count: seconds / 86_400)
    default: .plural("{count} year ago", "{count} years ago", count: seconds / 31_536_000)
    }
  }
}
