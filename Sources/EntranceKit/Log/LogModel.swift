/// The model of the account page's log: the events that belong there, with tokens as the user wants
/// to see them.
@MainActor
public final class LogModel {
  /// The observers of new lines, and of replaced lines.
  public let changes = Observers<LogChange>()
  /// Whether tokens are shown in full.
  public private(set) var showsFullTokens = false

  private let activity: Activity
  private let preferences: Preferences
  private var observers: [Observer] = []

  /// Creates the model of a view of `activity`.
  init(_ activity: Activity, _ preferences: Preferences) {
    self.activity = activity
    self.preferences = preferences
    applyPreference()
    observers = [
      activity.changes.add { [weak self] in self?.follow($0) },
      preferences.changes.add { [weak self] key in
        if key == .tokenDisplay { self?.applyPreference() }
      },
    ]
  }

  /// Removes all observers, because the window is closed.
  func close() {
    changes.removeAll()
    observers = []
  }

  /// Whether tokens may be shown in full.
  public var canShowFullTokens: Bool {
    !preferences.hidesPersonalDetails
      && (preferences.tokenDisplay == .full || !preferences.isLocked(.tokenDisplay))
  }

  /// Sets whether tokens are shown in full, or as the preference says.
  public func setShowsFullTokens(_ shows: Bool) {
    guard shows != showsFullTokens, canShowFullTokens else { return }
    showsFullTokens = shows
    replace()
  }

  /// The entries, as they show tokens now.
  public var entries: [ActivityEvent] {
    let view = activity.view(showing: tokenDisplay)
    return activity.entries.filter(\.isInLog).map(view.event)
  }

  /// Whether it has no lines.
  var isEmpty: Bool { !activity.hasLogLines }

  /// Empties the log.
  public func clear() { activity.clear() }

  private var tokenDisplay: TokenDisplay {
    guard !showsFullTokens else { return .full }
    return preferences.tokenDisplay == .hidden ? .hidden : .shortened
  }

  private func applyPreference() {
    showsFullTokens = preferences.tokenDisplay == .full
    replace()
  }

  private func replace() { changes.notify(.replaced(entries)) }

  private func follow(_ change: Activity.Change) {
    switch change {
    case .added(let entry) where entry.isInLog:
      changes.notify(.added(activity.view(showing: tokenDisplay).event(entry)))
    case .added: break
    case .tokensForgotten where !showsFullTokens: break
    case .removed, .tokensForgotten: replace()
    }
  }
}

/// A change of the log.
public enum LogChange: Sendable, Equatable {
  /// This entry was added at the end.
  case added(ActivityEvent)
  /// These entries replace all previous ones.
  case replaced([ActivityEvent])
}
