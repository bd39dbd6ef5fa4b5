import FoundationEssentials
import Localization

/// How long ago something happened, in words.
enum TimeAgo {
  /// The time between `date` and `now`; a date to come counts as now.
  static func text(of date: Date, at now: Date) -> String {
    let minutes = Int(max(0, min(now.timeIntervalSince(date), 1e10)) / 60)
    switch minutes {
    case ..<1: return tr("Just now")
    case ..<60:
      return tr(.plural("{count} minute ago", "{count} minutes ago", count: minutes))
    case ..<(24 * 60):
      return tr(.plural("{count} hour ago", "{count} hours ago", count: minutes / 60))
    default:
      return tr(.plural("{count} day ago", "{count} days ago", count: minutes / (24 * 60)))
    }
  }
}
