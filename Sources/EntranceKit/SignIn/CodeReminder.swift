import Localization
import Sentences

/// Chooses when a screen reader says how long a code can still be entered: nobody hears the time run.
///
/// When the code is shown, by ``sentence(secondsLeft:)``, and once five minutes and one minute before
/// the end, or as soon after as it is heard: who enters the code in a browser is in another window.
/// That the code has expired is said by what is shown then.
public struct CodeReminder: Sendable {
  /// The times that are told, in seconds before the end.
  private static let times = [300, 60]

  /// Those of the times that are to come, the next one first.
  private var ahead: [Int]
  private var isDue = false

  /// Begins when a code is shown that has so many seconds left.
  public init(secondsLeft: Int) { ahead = Self.times.filter { $0 < secondsLeft } }

  /// What to say now; nil for nothing.
  ///
  /// - Parameters:
  ///   - secondsLeft: the seconds until the code expires.
  ///   - isHeard: whether a screen reader would say it now.
  public mutating func text(secondsLeft: Int, isHeard: Bool) -> String? {
    while let time = ahead.first, secondsLeft <= time {
      ahead.removeFirst()
      isDue = true
    }
    guard isDue, isHeard, secondsLeft > 0 else { return nil }
    isDue = false
    return Self.sentence(secondsLeft: secondsLeft)
  }

  /// How long a code can still be entered, in minutes that have begun.
  public static func sentence(secondsLeft: Int) -> String {
    tr(
      .plural(
        "The code expires in {count} minute.", "The code expires in {count} minutes.",
        count: (secondsLeft + 59) / 60))
  }
}
