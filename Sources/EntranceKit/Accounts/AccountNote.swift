import FoundationEssentials
import Glibc
import Localization
import Sentences

/// What this app notes about an account, besides its tokens.
struct AccountNote: Sendable, Equatable {
  /// The name that the user gave it; nil for none.
  var name: String?
  /// The day of its last use, counted from January 1, 1970; nil when it is unknown.
  ///
  /// Only the day, so that the file is rarely written.
  var lastDay: Int?

  /// Notes a use.
  mutating func use(at date: Date) { lastDay = Self.day(of: date) }

  /// When it was last used, in words; nil when that is unknown.
  func lastUseText(at now: Date) -> String? {
    guard let lastDay, let today = Self.day(of: now) else { return nil }
    let (days, isTooLong) = today.subtractingReportingOverflow(lastDay)
    guard !isTooLong else { return nil }
    return switch days {
    case ...0: tr("Last used today")
    case 1: tr("Last used yesterday")
    default: tr(.plural("Last used {count} day ago", "Last used {count} days ago", count: days))
    }
  }

  /// The day of a time, in the user's time zone.
  private static func day(of date: Date) -> Int? {
    guard var time = time_t(exactly: date.timeIntervalSince1970.rounded(.down)) else { return nil }
    var local = tm()
    guard localtime_r(&time, &local) != nil else { return nil }
    let (seconds, isTooLong) = time.addingReportingOverflow(local.tm_gmtoff)
    return isTooLong ? nil : seconds / 86_400
  }
}
