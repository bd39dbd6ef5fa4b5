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
  /// The observers of the events.
  let changes = Observers<Change>()

  /// Creates an activity without events.
  ///
  /// - Parameter now: the computer's clock.
  public init(now: @escaping () -> Date = { Date() }) {
    self.now = now
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
    book.events(showing: display)
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
