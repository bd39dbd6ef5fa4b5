import FoundationEssentials

/// Which records there are, by their IDs, and whose they are.
///
/// It tells a backend that has none from one that does not show them, and a record that was removed from one
/// that is missing.
struct RecordIndex: Sendable, Equatable {
  private(set) var ids: Set<String> = []
  /// Whose they are, by their IDs.
  ///
  /// An index that an earlier version has written does not say.
  private(set) var entries: [String: RecordEntry] = [:]
  /// Records that were removed, the last one last, with what tells a new sign-in from a renewal.
  private(set) var removed: [Removed] = []

  struct Removed: Sendable, Equatable {
    var id: String
    /// When the person had signed in, in any form; empty when that is not known.
    var signedIn: String
  }

  /// How many removed records are remembered: as many as could be in the memory of another process that
  /// was asleep meanwhile.
  private static let memory = 256

  init(ids: Set<String> = []) { self.ids = ids }

  /// Nil when `payload` is no index.
  init?(_ payload: Secret<Data>) {
    guard let json = try? JSON(parsing: payload.exposed), let ids = json["ids"]?.array,
      let removed = json["removed"]?.object
    else { return nil }
    self.ids = Set(ids.compactMap(\.string))
    self.removed = removed.map { Removed(id: $0.name, signedIn: $0.value.string ?? "") }
    for app in json["accounts"]?.object ?? [] {
      for cloud in app.value.object ?? [] {
        for record in cloud.value.object ?? [] where self.ids.contains(record.name) {
          guard let account = record.value.string else { continue }
          entries[record.name] = RecordEntry(
            id: record.name, account: AccountKey(homeAccountID: account, environment: cloud.name),
            clientID: app.name)
        }
      }
    }
  }

  var payload: Secret<Data> {
    let json = JSON.object([
      .init("ids", .array(ids.sorted().map(JSON.string))),
      .init("removed", .object(removed.map { .init($0.id, .string($0.signedIn)) })),
      .init("accounts", accounts),
    ])
    return Secret(Data(json.compactText.utf8))
  }

  /// By client ID and cloud, which are the same for most.
  private var accounts: JSON {
    func grouped(
      _ entries: [RecordEntry], by name: (RecordEntry) -> String, _ value: ([RecordEntry]) -> JSON
    ) -> JSON {
      let groups = Dictionary(grouping: entries, by: name).sorted { $0.key < $1.key }
      return .object(groups.map { .init($0.key, value($0.value)) })
    }
    return grouped(Array(entries.values), by: \.clientID) {
      grouped($0, by: \.account.cloud) {
        grouped($0, by: \.id) { .string($0.first?.account.homeAccountID ?? "") }
      }
    }
  }

  /// Whether it names a record, and says whose it is if that is known.
  func tells(of id: String, _ entry: RecordEntry?) -> Bool {
    ids.contains(id) && (entry == nil || entries[id] == entry)
  }

  func removal(of id: String) -> Removed? { removed.last { $0.id == id } }

  /// Names a record.
  ///
  /// - Parameter entry: whose it is; nil when it is no account's.
  mutating func insert(_ id: String, _ entry: RecordEntry?) {
    ids.insert(id)
    entries[id] = entry
    removed.removeAll { $0.id == id }
  }

  mutating func remove(_ id: String, signedIn: String) {
    forget(id)
    removed.append(Removed(id: id, signedIn: signedIn))
    removed.removeFirst(max(0, removed.count - Self.memory))
  }

  /// Takes out a record that is not there and was not removed.
  mutating func forget(_ id: String) {
    ids.remove(id)
    entries[id] = nil
    removed.removeAll { $0.id == id }
  }
}
