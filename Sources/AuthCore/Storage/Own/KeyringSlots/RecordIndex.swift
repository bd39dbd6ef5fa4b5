import FoundationEssentials

/// The IDs of all records, with their accounts.
///
/// It distinguishes an empty backend from one that does not show its records, and a removed record
/// from a missing one.
struct RecordIndex: Sendable, Equatable {
  private(set) var ids: Set<String> = []
  /// The accounts, by record ID.
  ///
  /// An index from an earlier version does not contain them.
  private(set) var entries: [String: RecordEntry] = [:]
  /// Removed records, the last one last, with their sign-in times, to tell a new sign-in from a
  /// renewal.
  private(set) var removed: [Removed] = []

  struct Removed: Sendable, Equatable {
    var id: String
    /// When the user had signed in, as text; empty when it is unknown.
    var signedIn: String
  }

  /// How many removed records are kept: enough for those that another process, suspended meanwhile,
  /// may still have in memory.
  private static let memory = 256

  init(ids: Set<String> = []) { self.ids = ids }

  /// Nil when `payload` is not an index.
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
    let json: JSON = [
      "ids": .array(ids.sorted().map(JSON.string)),
      "removed": .object(removed.map { JSON.Member($0.id, .string($0.signedIn)) }),
      "accounts": accounts,
    ]
    return Secret(Data(json.compactText.utf8))
  }

  /// Grouped by client ID and cloud, which most accounts share.
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

  /// Whether it contains a record, with its account if that is known.
  func tells(of id: String, _ entry: RecordEntry?) -> Bool {
    ids.contains(id) && (entry == nil || entries[id] == entry)
  }

  func removal(of id: String) -> Removed? { removed.last { $0.id == id } }

  /// Adds a record.
  ///
  /// - Parameter entry: its account; nil when it has none.
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

  /// Deletes the entry of a record that is missing, though it was not removed.
  mutating func forget(_ id: String) {
    ids.remove(id)
    entries[id] = nil
    removed.removeAll { $0.id == id }
  }
}
