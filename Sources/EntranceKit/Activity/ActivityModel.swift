import Localization

/// The model of the Activity page: the events that its filter lets through, and the selected one.
///
/// Tokens are shortened here, whatever the log shows.
@MainActor
public final class ActivityModel {
  /// Which events are shown.
  public struct Filter: Sendable, Equatable {
    /// Which kinds.
    public var topic = Topic.everything
    /// The user name of the account that they are about; nil for all events.
    public var account: String?
    /// A text that they contain, in any case; empty for all events.
    public var text = ""

    /// Creates a filter that lets everything through.
    public init() {}
  }

  /// Kinds of events that are looked for together.
  public enum Topic: CaseIterable, Sendable {
    case everything
    case problems
    case signIns
    case requests
    case library

    /// The topic in words.
    public var label: String {
      switch self {
      case .everything: tr("Everything")
      case .problems: tr("Problems")
      case .signIns: tr("Sign-ins and tokens")
      case .requests: tr("Requests and responses")
      case .library: tr("Sign-in library")
      }
    }

    func contains(_ kind: ActivityEvent.Kind) -> Bool {
      switch self {
      case .everything: true
      case .problems: kind == .failure
      case .signIns: kind == .signIn || kind == .token
      case .requests: kind == .request || kind == .response
      case .library: kind == .library
      }
    }
  }

  /// A change of what is shown.
  public enum Change: Sendable, Equatable {
    /// The first event is new.
    case added
    /// So many more events were found, which are the last ones.
    case found(Int)
    /// All events may have changed.
    case replaced
    /// Another event was selected, or none.
    case selected
  }

  /// The user names of all accounts that there are events about, sorted.
  public private(set) var accounts: [String] = []
  /// Whether nothing has happened yet.
  public private(set) var isEmpty = true
  /// The event whose details are shown; nil for none.
  public private(set) var selected: ActivityEvent?
  /// Whether older events are still being searched for the filter's text.
  public var isSearching: Bool { search != nil }
  /// The observers of what is shown.
  public let changes = Observers<Change>()
  /// Which events are shown.
  public var filter = Filter() {
    didSet { if filter != oldValue { load() } }
  }

  let activity: Activity
  private var observer: Observer?
  /// The IDs of the events that the filter lets through, the latest last: those that came since it
  /// was set.
  private var newer: [ActivityEvent.ID] = []
  /// Those that were there before, the latest first.
  private var older: [ActivityEvent.ID] = []
  /// Whether personal details were hidden when the events were last read.
  private var hidesDetails = false
  /// Searches the older events.
  private var search: Task<Void, Never>?

  /// Creates the model of a page that shows `activity`.
  public init(_ activity: Activity) {
    self.activity = activity
    load()
    observer = activity.changes.add { [weak self] in self?.follow($0) }
  }

  isolated deinit { search?.cancel() }

  // MARK: - Events

  /// How many events the filter lets through.
  public var count: Int { newer.count + older.count }

  /// One of the events that the filter lets through, the latest first; nil when there is none.
  public func event(at index: Int) -> ActivityEvent? {
    id(at: index).flatMap { activity.event($0, showing: .shortened) }
  }

  /// The index of the selected event; nil when it is not among those that were found so far.
  public var selectedIndex: Int? {
    guard let id = selected?.id else { return nil }
    if let index = newer.lastIndex(of: id) { return newer.count - 1 - index }
    return older.firstIndex(of: id).map { $0 + newer.count }
  }

  /// All events that the filter lets through, the latest first.
  public var events: [ActivityEvent] { (0..<count).compactMap { event(at: $0) } }

  /// The entries of all events that the filter lets through, in their order.
  var shownEntries: [EventBuffer.Entry] {
    (older.reversed() + newer).compactMap { activity.entry($0) }
  }

  private func id(at index: Int) -> ActivityEvent.ID? {
    if newer.indices.contains(newer.count - 1 - index) { return newer[newer.count - 1 - index] }
    return older.indices.contains(index - newer.count) ? older[index - newer.count] : nil
  }

  /// Shows the details of an event, which is one that the filter lets through; of none if nil.
  public func select(at index: Int?) {
    let id = index.flatMap { self.id(at: $0) }
    guard id != selected?.id else { return }
    selected = id.flatMap { activity.event($0, showing: .shortened) }
    changes.notify(.selected)
  }

  /// Returns when all events were searched.
  public func finishSearch() async { await search?.value }

  // MARK: - Filter

  private var shownView: Activity.View { activity.view(showing: .shortened) }

  private func follow(_ change: Activity.Change) {
    guard case .added(let entry) = change else { return load() }
    isEmpty = false
    let view = shownView
    let isNewAccount = note(entry.account, view)
    let isShown = filter.includes(entry, view) && filter.textMatches(entry, view)
    if isShown { newer.append(entry.id) }
    if isNewAccount { changes.notify(.replaced) } else if isShown { changes.notify(.added) }
  }

  private func load() {
    search?.cancel()
    search = nil
    let view = shownView
    let known = accounts
    accounts = activity.accounts.map { view.shown($0) }.uniqueAndSorted
    var next = filter
    // Its name is hidden now, or shown again.
    if let account = filter.account, known.contains(account), !accounts.contains(account) {
      next.account = nil
    }
    // It would show personal details, which are hidden from now on.
    if view.hidesDetails, !hidesDetails, view.shown(filter.text) != filter.text { next.text = "" }
    hidesDetails = view.hidesDetails
    guard next == filter else { return filter = next }
    let ids = activity.ids
    isEmpty = ids.isEmpty
    (newer, older) = ([], [])
    if filter == Filter() {
      older = ids.reversed()
    } else {
      find(view)
    }
    changes.notify(.replaced)
    if let id = selected?.id {
      let entry = activity.entry(id).flatMap { filter.includes($0, view) ? $0 : nil }
      selected = entry.flatMap { filter.textMatches($0, view) ? view.event($0) : nil }
      changes.notify(.selected)
    }
  }

  /// Finds the events that the filter lets through: the latest at once.
  private func find(_ view: Activity.View) {
    let candidates = activity.entries.reversed().filter { filter.includes($0, view) }
    guard !filter.text.isEmpty else { return older = candidates.map(\.id) }
    let first = candidates.prefix(Self.searchedAtOnce)
    older = first.filter { filter.textMatches($0, view) }.map(\.id)
    searchRest(Array(candidates.dropFirst(first.count)), view)
  }

  /// How many events are searched before the first ones are shown.
  private static let searchedAtOnce = 500

  /// Searches more events, on another thread: many long texts take a while.
  private func searchRest(_ entries: [EventBuffer.Entry], _ view: Activity.View) {
    guard !entries.isEmpty else { return }
    search = Task { [weak self, filter] in
      let found = await filter.found(in: entries, view)
      guard let self, !Task.isCancelled else { return }
      search = nil
      older += found
      changes.notify(.found(found.count))
    }
  }

  /// - Returns: whether there was no event about the account before.
  private func note(_ account: String?, _ view: Activity.View) -> Bool {
    guard let account = account.map({ view.shown($0) }), !accounts.contains(account) else {
      return false
    }
    accounts = (accounts + [account]).uniqueAndSorted
    return true
  }
}

extension ActivityModel.Filter {
  /// Whether it includes an event's kind and account.
  fileprivate func includes(_ entry: EventBuffer.Entry, _ view: Activity.View) -> Bool {
    topic.contains(entry.kind)
      && (account == nil || entry.account.map { view.shown($0) } == account)
  }

  /// Whether an event's title or the beginning of its text contains the text, in any case.
  fileprivate func textMatches(_ entry: EventBuffer.Entry, _ view: Activity.View) -> Bool {
    guard !text.isEmpty else { return true }
    let words = text.lowercased()
    let event = view.event(entry)
    if event.title.lowercased().contains(words) { return true }
    let start = event.text.utf8.prefix(Self.searchedSize)
    return String(decoding: start, as: UTF8.self).lowercased().contains(words)
  }

  /// How many bytes of a long text are searched.
  private static let searchedSize = 64 << 10

  /// The IDs of the entries in which the text is found.
  @concurrent
  fileprivate func found(
    in entries: [EventBuffer.Entry], _ view: Activity.View
  ) async -> [ActivityEvent.ID] {
    var found: [ActivityEvent.ID] = []
    for entry in entries {
      guard !Task.isCancelled else { break }
      if textMatches(entry, view) { found.append(entry.id) }
    }
    return found
  }
}

extension [String] {
  fileprivate var uniqueAndSorted: [String] { Set(self).sorted() }
}
