import AuthCore
public import FoundationEssentials

/// What happened: the events of which the account page's log and the Activity page are views.
///
/// It lasts as long as the program, within a limit of bytes; nothing of it is written to disk.
@MainActor
public final class Activity {
  /// A change of the events.
  enum Change {
    /// An event was added at the end.
    case added(EventBook.Entry)
    /// Events were removed.
    case removed
    /// Tokens can only be shown shortened from now on.
    case tokensForgotten
  }

  private var book = EventBook()
  private var lastID = 0
  private let now: () -> Date
  private let privacy: Privacy?
  private var observer: Observer?
  /// The observers of the events.
  let changes = Observers<Change>()

  /// Creates an activity without events.
  ///
  /// - Parameter now: the computer's clock.
  public convenience init(now: @escaping () -> Date = { Date() }) {
    self.init(now: now, privacy: nil)
  }

  /// Creates an activity without events.
  ///
  /// - Parameter privacy: hides personal details of events.
  init(now: @escaping () -> Date, privacy: Privacy?) {
    self.now = now
    self.privacy = privacy
    observer = privacy?.changes.add { [weak self] in self?.changes.notify(.removed) }
  }

  /// Adds an event.
  ///
  /// - Parameters:
  ///   - title: the event in a line; the first line of the message if nil.
  ///   - isInLog: whether the account page's log shows it.
  func add(
    _ kind: ActivityEvent.Kind, _ message: LogMessage, account: String? = nil,
    title: String? = nil, isInLog: Bool = true
  ) {
    lastID += 1
    let entry = EventBook.Entry(
      id: lastID, date: now(), kind: kind, account: account?.plain, title: title?.plain,
      message: message, isInLog: isInLog)
    changes.notify(book.append(entry) ? .removed : .added(entry))
  }

  /// The events, in their order, with tokens as `display` says.
  public func events(showing display: TokenDisplay) -> [ActivityEvent] {
    let events = book.events(showing: allowed(display))
    return privacy.map { privacy in events.map { privacy.shown($0) } } ?? events
  }

  /// An event as it is shown, with tokens as `display` says.
  func event(_ entry: EventBook.Entry, showing display: TokenDisplay) -> ActivityEvent {
    let event = entry.event(showing: allowed(display))
    return privacy?.shown(event) ?? event
  }

  /// Tokens are hidden with personal details.
  private func allowed(_ display: TokenDisplay) -> TokenDisplay {
    privacy?.isOn == true ? .hidden : display
  }

  /// Whether any event is in the account page's log.
  var hasLogLines: Bool { book.entries.contains(where: \.isInLog) }

  /// Removes all events.
  func clear() {
    book.clear()
    changes.notify(.removed)
  }

  /// Replaces each token by its shortened form.
  func forgetTokens() {
    if book.forgetTokens() { changes.notify(.tokensForgotten) }
  }
}
