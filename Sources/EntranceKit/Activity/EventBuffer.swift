import FoundationEssentials
import Localization

/// The events in memory; tokens are kept separately, so that they can be shown in full or
/// shortened.
///
/// It keeps a limited number of bytes: what is too much is removed from its oldest messages, with a
/// line that says so.
struct EventBuffer {
  /// An event before it is formatted.
  struct Entry: Sendable {
    var id = 0
    var date: Date
    var kind = ActivityEvent.Kind.information
    var account: String?
    var title: String?
    var message: LogMessage
    var isInLog = true

    /// How many bytes it takes, with what there is of an event besides its text.
    var size: Int { message.size + 256 }

    /// The event, with tokens as `display` says.
    func event(showing display: TokenDisplay) -> ActivityEvent {
      ActivityEvent(
        id: id, date: date, kind: kind, account: account, title: title,
        folded: message.folded(showing: display), isInLog: isInLog)
    }
  }

  /// How many bytes are kept: the largest response that is in the log, 32 MB, with its indentation.
  static let limit = 64 << 20
  /// How many bytes of older messages remain beside the newest one, however large it is.
  private static let reserve = 1 << 20

  /// The entries, in their order; their IDs follow each other.
  private(set) var entries: [Entry] = []
  /// The user names of all accounts that there are entries about.
  private(set) var accounts: Set<String> = []
  /// Tells that messages were removed.
  private var removal: Entry?
  /// How many bytes the entries take.
  private(set) var size = 0

  /// Adds an entry.
  ///
  /// - Returns: whether something was removed from older messages.
  mutating func append(_ entry: Entry) -> Bool {
    entries.append(entry)
    if let account = entry.account { accounts.insert(account) }
    let added = entry.size
    size += added
    guard size > Self.limit else { return false }
    // Not only what is too much, else the next message would do it again.
    let goal = max(Self.limit / 4 * 3 - added, Self.reserve) + added
    // All but the newest one.
    remove(upTo: entries.count - 1, untilBelow: goal)
    return true
  }

  /// Removes what is too much for `limit`, also of the newest message.
  ///
  /// - Returns: whether something was removed.
  mutating func shorten(to limit: Int) -> Bool {
    guard size > limit else { return false }
    remove(upTo: entries.count, untilBelow: limit)
    return true
  }

  /// Removes the long texts of the first `end` messages, and then the messages, the oldest first.
  private mutating func remove(upTo end: Int, untilBelow goal: Int) {
    removeBodies(upTo: end, untilBelow: goal)
    removeMessages(upTo: end, untilBelow: goal)
  }

  private mutating func removeBodies(upTo end: Int, untilBelow goal: Int) {
    for index in entries.indices.prefix(end) where size > goal {
      let before = entries[index].size
      entries[index].message.removeBody()
      size -= before - entries[index].size
    }
  }

  private mutating func removeMessages(upTo end: Int, untilBelow goal: Int) {
    var count = 0
    while size > goal, count < end {
      size -= entries[count].size
      count += 1
    }
    guard count > 0 else { return }
    removal = Entry(
      id: entries[count - 1].id, date: entries[count - 1].date,
      message: LogMessage(tr("Older lines were removed, because the log was full.")))
    entries.removeFirst(count)
    accounts = Set(entries.compactMap(\.account))
  }

  /// Removes all messages.
  mutating func clear() { self = EventBuffer() }

  /// Replaces each token by its shortened form.
  ///
  /// - Returns: whether there was any.
  mutating func forgetTokens() -> Bool {
    let withToken = entries.indices.filter { entries[$0].message.hasToken }
    for index in withToken { entries[index].message.forgetToken() }
    size = entries.reduce(0) { $0 + $1.size }
    return !withToken.isEmpty
  }

  /// All entries, and the line that tells of removed ones.
  var all: [Entry] { [removal].compactMap(\.self) + entries }

  /// The IDs of ``all``.
  var ids: [Int] { [removal?.id].compactMap(\.self) + entries.map(\.id) }

  /// The entry with an ID; nil if it was removed.
  subscript(id: Int) -> Entry? {
    guard let first = entries.first?.id, id >= first else {
      return removal?.id == id ? removal : nil
    }
    return id - first < entries.count ? entries[id - first] : nil
  }
}
