import FoundationEssentials

/// Which records there are, by their IDs.
///
/// It tells a place that has none from one that does not show them, and a record that was removed from one
/// that is missing.
struct RecordIndex: Sendable, Equatable {
  private(set) var ids: Set<String> = []
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
  }

  var payload: Secret<Data> {
    let json = JSON.object([
      .init("ids", .array(ids.sorted().map(JSON.string))),
      .init("removed", .object(removed.map { .init($0.id, .string($0.signedIn)) })),
    ])
    return Secret(Data(json.compactText.utf8))
  }

  func removal(of id: String) -> Removed? { removed.last { $0.id == id } }

  mutating func insert(_ id: String) {
    ids.insert(id)
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
    removed.removeAll { $0.id == id }
  }
}
