public import FoundationEssentials

/// Dates in header fields (RFC 9110, section 5.6.7).
public enum HTTPDate {
  /// Parses one of the three forms; nil for any other text.
  ///
  ///     Sun, 06 Nov 1994 08:49:37 GMT
  ///     Sunday, 06-Nov-94 08:49:37 GMT
  ///     Sun Nov  6 08:49:37 1994
  ///
  /// A two-digit year is interpreted as at most 50 years after `now`.
  public static func date(_ text: String, near now: Date) -> Date? {
    let words = text.split { " ,-".contains($0) }
    let day: Substring, month: Substring, year: Substring, time: Substring
    if words.count == 6, words[5] == "GMT" {
      (day, month, year, time) = (words[1], words[2], words[3], words[4])
    } else if words.count == 5 {
      (month, day, time, year) = (words[1], words[2], words[3], words[4])
    } else {
      return nil
    }
    let clock = time.split(separator: ":", omittingEmptySubsequences: false).map(number)
    guard weekdays.contains(words[0].prefix(3)), let month = months.firstIndex(of: month),
      let day = number(day), (1...31).contains(day), clock.count == 3,
      let hour = clock[0], hour < 24, let minute = clock[1], minute < 60,
      // A leap second counts as the second after it.
      let second = clock[2], second <= 60, let century = number(year)
    else { return nil }
    func date(inYear year: Int) -> Date {
      let days = days(before: year, month + 1, day)
      return Date(
        timeIntervalSince1970: Double(((days * 24 + hour) * 60 + minute) * 60 + second))
    }
    guard year.count == 2 else { return year.count == 4 ? date(inYear: century) : nil }
    let fiftyYears = 50 * 365.25 * 86_400
    let candidate = date(inYear: 2000 + century)
    return candidate > now + fiftyYears ? date(inYear: 1900 + century) : candidate
  }

  /// A date in the first of these forms; nil for one without a month.
  package static func text(_ date: Date) -> String? {
    // 2026-11-23T19:46:12Z
    let parts = date.formatted(.iso8601).split { "-T:Z".contains($0) }
    guard parts.count == 6, let month = Int(parts[1]), months.indices.contains(month - 1) else {
      return nil
    }
    let days = Int((date.timeIntervalSince1970 / 86400).rounded(.down))
    // The first day of 1970 was a Thursday.
    let weekday = weekdays[((days + 3) % 7 + 7) % 7]
    let time = parts[3...].joined(separator: ":")
    return "\(weekday), \(parts[2]) \(months[month - 1]) \(parts[0]) \(time) GMT"
  }

  private static let weekdays: [Substring] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  private static let months: [Substring] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static func number(_ text: Substring) -> Int? {
    guard text.count <= 4, text.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
    return Int(text)
  }

  /// The days from the start of 1970 to a day of the Gregorian calendar.
  private static func days(before year: Int, _ month: Int, _ day: Int) -> Int {
    // Counting years from March puts the leap day at the end.
    let year = month > 2 ? year : year - 1
    let month = (month + 9) % 12
    let leapDays = year / 4 - year / 100 + year / 400
    return year * 365 + leapDays + (153 * month + 2) / 5 + day - 1 - 719_468
  }
}
