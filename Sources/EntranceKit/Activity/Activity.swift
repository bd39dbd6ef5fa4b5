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
    case added(EventBuffer.Entry)
    /// Events were removed.
    case removed
    /// Tokens can only be shown shortened from now on.
    case tokensForgotten
  }

  private var buffer = EventBuffer()
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
    let entry = EventBuffer.Entry(
      id: lastID, date: now(), kind: kind, account: account?.shownName, title: title?.plain,
      message: message, isInLog: isInLog)
    changes.notify(buffer.append(entry) ? .removed : .added(entry))
  }

  /// The events before they are formatted, in their order, and the line that tells of removed ones.
  var entries: [EventBuffer.Entry] { buffer.all }

  /// The IDs of ``entries``.
  var ids: [ActivityEvent.ID] { buffer.ids }

  /// The user names of all accounts that there are events about.
  var accounts: Set<String> { buffer.accounts }

  /// What makes events of entries, as `display` and the personal details say.
  func view(showing display: TokenDisplay) -> View {
    let hiding = privacy?.hiding
    // Tokens are hidden with personal details.
    return View(display: hiding == nil ? display : .hidden, hiding: hiding)
  }

  /// What is hidden for others: of identifiers, which support asks for, only while they are hidden here.
  var personalDetails: PersonalDetails {
    var details = privacy?.known ?? PersonalDetails()
    details.keepsIdentifiers = privacy?.isOn != true
    return details
  }

  /// How events are shown.
  struct View: Sendable {
    fileprivate var display: TokenDisplay
    fileprivate var hiding: PersonalDetails?

    /// An event as it is shown.
    func event(_ entry: EventBuffer.Entry) -> ActivityEvent {
      let event = entry.event(showing: display)
      return hiding?.hidden(in: event) ?? event
    }

    /// Whether personal details are hidden.
    var hidesDetails: Bool { hiding != nil }

    /// A text as it is shown, such as the user name of an account.
    func shown(_ text: String) -> String { hiding?.hidden(in: text) ?? text }
  }

  /// The entry with an ID; nil if it was removed.
  func entry(_ id: ActivityEvent.ID) -> EventBuffer.Entry? { buffer[id] }

  /// The event with an ID, with tokens as `display` says; nil if it was removed.
  func event(_ id: ActivityEvent.ID, showing display: TokenDisplay) -> ActivityEvent? {
    entry(id).map(view(showing: display).event)
  }

  /// Whether any event is in the account page's log.
  var hasLogLines: Bool { buffer.entries.contains(where: \.isInLog) }

  /// Removes all events.
  func clear() {
    buffer.clear()
    changes.notify(.removed)
  }

  /// How many bytes the events take.
  var size: Int { buffer.size }

  /// Removes the oldest of what is too much for `limit` bytes.
  func shorten(to limit: Int) {
    if buffer.shorten(to: limit) { changes.notify(.removed) }
  }

  /// Replaces each token by its shortened form.
  func forgetTokens() {
    if buffer.forgetTokens() { changes.notify(.tokensForgotten) }
  }
}
