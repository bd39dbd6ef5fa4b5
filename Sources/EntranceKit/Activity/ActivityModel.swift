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
    /// The first one of ``ActivityModel/events`` is new.
    case added
    /// All of ``ActivityModel/events`` may have changed.
    case replaced
    /// Another event was selected, or none.
    case selected
  }

  /// The events that the filter lets through, the latest first.
  public private(set) var events: [ActivityEvent] = []
  /// The user names of all accounts that there are events about, sorted.
  public private(set) var accounts: [String] = []
  /// Whether nothing has happened yet.
  public private(set) var isEmpty = true
  /// The event whose details are shown; nil for none.
  public private(set) var selected: ActivityEvent?
  /// The observers of what is shown.
  public let changes = Observers<Change>()
  /// Which events are shown.
  public var filter = Filter() {
    didSet { if filter != oldValue { load() } }
  }

  let activity: Activity
  private var observer: Observer?

  /// Creates the model of a page that shows `activity`.
  public init(_ activity: Activity) {
    self.activity = activity
    load()
    observer = activity.changes.add { [weak self] in self?.follow($0) }
  }

  /// Shows the details of an event; of none if nil.
  public func select(_ id: ActivityEvent.ID?) {
    guard id != selected?.id else { return }
    selected = events.first { $0.id == id }
    changes.notify(.selected)
  }

  private func follow(_ change: Activity.Change) {
    guard case .added(let entry) = change else { return load() }
    let event = activity.event(entry, showing: .shortened)
    isEmpty = false
    let isNewAccount = note(event.account)
    guard lets(event) else {
      if isNewAccount { changes.notify(.replaced) }
      return
    }
    events.insert(event, at: 0)
    changes.notify(isNewAccount ? .replaced : .added)
  }

  private func load() {
    let all = activity.events(showing: .shortened)
    isEmpty = all.isEmpty
    let known = accounts
    accounts = []
    for event in all { _ = note(event.account) }
    // Its name is hidden now, or shown again.
    if let account = filter.account, known.contains(account), !accounts.contains(account) {
      return filter.account = nil
    }
    events = all.reversed().filter(lets)
    changes.notify(.replaced)
    if let id = selected?.id {
      selected = events.first { $0.id == id }
      changes.notify(.selected)
    }
  }

  /// - Returns: whether there was no event about the account before.
  private func note(_ account: String?) -> Bool {
    guard let account, !accounts.contains(account) else { return false }
    accounts = (accounts + [account]).sorted()
    return true
  }

  private func lets(_ event: ActivityEvent) -> Bool {
    filter.topic.contains(event.kind)
      && (filter.account == nil || event.account == filter.account)
      && (filter.text.isEmpty || event.contains(filter.text))
  }
}

extension ActivityEvent {
  /// How many bytes of a long text are searched.
  private static let searchedSize = 64 << 10

  /// Whether its title or the beginning of its text contains `words`, in any case.
  fileprivate func contains(_ words: String) -> Bool {
    let words = words.lowercased()
    if title.lowercased().contains(words) { return true }
    let start = String(decoding: folded.whole.utf8.prefix(Self.searchedSize), as: UTF8.self)
    return start.lowercased().contains(words)
  }
}
