import FoundationEssentials
import Localization

/// How long the Explorer keeps requests: those that were sent, and what is typed for the next one.
public enum RequestRetention: String, PreferenceChoice {
  /// They are not kept at all.
  case nothing
  /// For 24 hours.
  case day = "1-day"
  /// For 7 days.
  case week = "7-days"
  /// For 30 days.
  case month = "30-days"
  /// Until the person clears them.
  case forever

  /// The time in words.
  public var label: String {
    guard let days else { return tr("Forever") }
    return days == 0 ? tr("Do not keep") : tr(.plural("{count} day", "{count} days", count: days))
  }

  /// For how many days; nil for ever.
  private var days: Int? {
    switch self {
    case .nothing: 0
    case .day: 1
    case .week: 7
    case .month: 30
    case .forever: nil
    }
  }

  /// Whether something of `date` is still kept at `now`.
  func keeps(_ date: Date, at now: Date) -> Bool {
    guard let days else { return true }
    // A clock that was set back makes nothing last longer than its time.
    return days > 0 && abs(now.timeIntervalSince(date)) < Double(days) * 24 * 60 * 60
  }
}

/// What may be kept of requests, by the preferences.
public struct RequestRule: Sendable, Equatable {
  /// How long they are kept.
  var retention = RequestRetention.forever
  /// Whether the bodies of those that were sent are kept.
  var keepsBodies = false

  /// What is kept of `requests` at `now`.
  func kept(_ requests: SentRequests, at now: Date) -> SentRequests {
    let kept = requests.only { retention.keeps($0, at: now) }
    return keepsBodies ? kept : kept.withoutBodies
  }
}
