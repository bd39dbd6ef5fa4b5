import AuthCore
import FoundationEssentials
import Localization
import Sentences

/// A difference between this computer's clock and the sign-in service's.
struct WrongClock {
  /// How far this computer's clock is ahead, or behind when negative.
  let difference: Duration
  /// When the difference was noticed, by the clock in question, and by one that nobody can set.
  private let date: Date
  private let instant = ContinuousClock.now

  /// Services issue tokens that are valid since some minutes before.
  private static let tolerance = 600.0

  /// The longest difference, in seconds: the years that dates have.
  private static let longest = Duration.seconds(10_000 * 366 * 86_400)

  /// Creates a difference that was noticed at `date`.
  init(_ difference: Duration, at date: Date) {
    self.difference = min(max(difference, .zero - Self.longest), Self.longest)
    self.date = date
  }

  /// Whether the clock has been set right, as far as can be known before the next answer.
  func isCorrected(at now: Date) -> Bool {
    let change = now.timeIntervalSince(date) - instant.duration(to: .now) / .seconds(1)
    return abs(difference / .seconds(1) + change) <= Self.tolerance
  }

  /// The notice of it.
  ///
  /// - Parameter canOpenSettings: whether the desktop's date and time settings can be opened.
  func notice(canOpenSettings: Bool) -> Notice {
    let time = Self.words(for: difference)
    let text =
      difference > .zero
      ? tr(
        "This computer’s clock is about {time} ahead of the sign-in service’s clock.",
        ["time": time])
      : tr(
        "This computer’s clock is about {time} behind the sign-in service’s clock.",
        ["time": time])
    let advice = tr(
      "Entrance works anyway, but other programs may fail. Correct the date and time.")
    return Notice(
      id: Notice.clockID, style: .warning, title: tr("The Clock Seems to Be Wrong"),
      text: join([text, advice]),
      buttons: canOpenSettings
        ? [
          Notice.Button(
            label: tr("Date and _Time Settings"), action: .openDateSettings)
        ] : [],
      canBeDismissed: true)
  }

  /// A duration in the unit that people would use.
  private static func words(for duration: Duration) -> Sentence {
    let seconds = duration.components.seconds.magnitude
    func count(_ unit: UInt64) -> Int { Int(clamping: (seconds + unit / 2) / unit) }
    return switch seconds {
    case ..<7200: .plural("{count} minute", "{count} minutes", count: count(60))
    case ..<172_800: .plural("{count} hour", "{count} hours", count: count(3600))
    default: .plural("{count} day", "{count} days", count: count(86_400))
    }
  }
}

extension Notice {
  static let clockID = "clock"
}

/// Shows a notice of a wrong clock, until the clock is right.
@MainActor
final class ClockCheck {
  private let status: WindowStatus
  private let desktop: any SignInDesktop
  /// The difference between the clocks, as the last answer of the sign-in service told it.
  private var clock: WrongClock?

  init(_ status: WindowStatus, _ desktop: any SignInDesktop) {
    self.status = status
    self.desktop = desktop
  }

  /// Shows what a token just received tells about this computer's clock.
  func check(_ result: AuthenticationResult) {
    // A token from the cache tells nothing.
    guard result.source == .server else { return }
    guard let difference = result.clockDifference else { return set(nil) }
    let isNew = clock == nil
    set(WrongClock(difference, at: status.workspace.now()))
    if isNew, let notice = status.notices[Notice.clockID] { status.log(notice.text) }
  }

  /// Removes the notice when the clock has been set right since.
  func checkAgain() {
    if clock?.isCorrected(at: status.workspace.now()) == true { set(nil) }
  }

  private func set(_ clock: WrongClock?) {
    let wasDismissed = self.clock != nil && status.notices[Notice.clockID] == nil
    self.clock = clock
    guard let clock else { return status.remove(Notice.clockID) }
    if !wasDismissed { status.put(clock.notice(canOpenSettings: desktop.hasDateSettings)) }
  }
}
