import FoundationEssentials
import Localization

/// The events in memory; tokens are kept separately, so that they can be shown in full or
/// shortened.
///
/// It keeps a limited number of bytes: what is too much is removed from its oldest messages, with a
/// line that says so.
struct EventBook {
  /// An event before it is formatted.
  struct Entry {
    var id = 0
    var date: Date
    var kind = ActivityEvent.Kind.information
    var account: String?
    var title: String?
    var message: LogMessage
    var isInLog = true

    /// The event, with tokens as `display` says.
    func event(showing display: TokenDisplay) -> ActivityEvent {
      ActivityEvent(
        id: id, date: date, kind: kind, account: account, title: title,
        folded: message.folded(showing: display), isInLog: isInLog)
    }
  }

  /// How many bytes are kept: the largest response that is accepted, 32 MB, with its indentation.
  static let limit = 64 << 20
  /// How many bytes of older messages remain beside the newest one, however large it is.
  private static let reserve = 1 << 20

  private(set) var entries: [Entry] = []
  /// Tells that messages were removed.
  private var removal: Entry?
  private var size = 0

  /// Adds an entry.
  ///
  /// - Returns: whether something was removed from older messages.
  mutating func append(_ entry: Entry) -> Bool {
    entries.append(entry)
    let added = entry.message.size
    size += added
    guard size > Self.limit else { return false }
    // Not only what is too much, else the next message would do it again.
    let goal = max(Self.limit / 4 * 3 - added, Self.reserve) + added
    removeBodies(untilBelow: goal)
    removeMessages(untilBelow: goal)
    return true
  }

  private mutating func removeBodies(untilBelow goal: Int) {
    for index in entries.indices.dropLast() where size > goal {
      let before = entries[index].message.size
      entries[index].message.removeBody()
      size -= before - entries[index].message.size
    }
  }

  private mutating func removeMessages(untilBelow goal: Int) {
    var count = 0
    while size > goal, count < entries.count - 1 {
      size -= entries[count].message.size
      count += 1
    }
    guard count > 0 else { return }
    removal = Entry(
      id: entries[count - 1].id, date: entries[count - 1].date,
      message: LogMessage(tr("Older lines were removed, because the log was full.")))
    entries.removeFirst(count)
  }

  /// Removes all messages.
  mutating func clear() { self = EventBook() }

  /// Replaces each token by its shortened form.
  ///
  /// - Returns: whether there was any.
  mutating func forgetTokens() -> Bool {
    let withToken = entries.indices.filter { entries[$0].message.hasToken }
    for index in withToken { entries[index].message.forgetToken() }
    size = entries.reduce(0) { $0 + $1.message.size }
    return !withToken.isEmpty
  }

  /// All events, formatted.
  func events(showing display: TokenDisplay) -> [ActivityEvent] {
    ([removal].compactMap(\.self) + entries).map { $0.event(showing: display) }
  }
}
