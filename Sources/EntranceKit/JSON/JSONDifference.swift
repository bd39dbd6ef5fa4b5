import AuthCore

/// What differs between two JSON documents, place by place.
///
/// The order of an object's members is no difference. The items of lists are compared by their
/// `id`, if each of them has one that is unique, and otherwise by their index.
struct JSONDifference: Sendable, Equatable {
  /// How a place differs.
  enum Kind: Sendable, Equatable {
    /// Only the second document has it.
    case added
    /// Only the first document has it.
    case removed
    /// Both have it, with different values.
    case changed
    /// The items of a list are the same, in another order.
    case reordered
  }

  /// The place, as a JSONPath (RFC 9535).
  let path: String
  /// How it differs.
  let kind: Kind
  /// The value in the first document; nil when it has none.
  let before: JSON?
  /// The value in the second document; nil when it has none.
  let after: JSON?

  /// Compares two documents.
  ///
  /// - Parameter limit: how many differences are looked for; what follows them is left out.
  /// - Returns: the differences in the order of the second document, with what only the first one
  ///   has behind the other members; nil when the task is canceled.
  static func differences(
    _ before: JSON, _ after: JSON, upTo limit: Int = .max
  ) -> [JSONDifference]? {
    var search = Search(limit: limit)
    search.compare(before, after, at: .document)
    return search.isCanceled ? nil : search.found
  }
}

/// A place, whose path is made only for a difference: each one begins with that of the one around it.
private indirect enum Place {
  case document
  case inside(Place, segment: String)

  var path: String {
    switch self {
    case .document: "$"
    case .inside(let place, let segment): place.path + segment
    }
  }
}

/// What was found so far.
private struct Search {
  let limit: Int
  var found: [JSONDifference] = []
  var isCanceled = false
  private var steps = 0

  init(limit: Int) { self.limit = limit }

  private var isDone: Bool { isCanceled || found.count >= limit }

  private mutating func add(
    _ kind: JSONDifference.Kind, _ place: Place, _ before: JSON?, _ after: JSON?
  ) {
    guard !isDone else { return }
    found.append(JSONDifference(path: place.path, kind: kind, before: before, after: after))
  }

  mutating func compare(_ before: JSON, _ after: JSON, at place: Place) {
    steps += 1
    if steps & 0xFF == 0, Task.isCancelled { isCanceled = true }
    guard !isDone, before != after else { return }
    switch (before, after) {
    case (.object(let old), .object(let new)): compare(old, new, at: place)
    case (.array(let old), .array(let new)): compare(old, new, at: place)
    default: add(.changed, place, before, after)
    }
  }

  private mutating func compare(_ old: [JSON.Member], _ new: [JSON.Member], at place: Place) {
    let before = Dictionary(old.map { ($0.name, $0.value) }) { one, _ in one }
    for member in new {
      let inner = Place.inside(place, segment: Self.segment(member.name))
      if let value = before[member.name] {
        compare(value, member.value, at: inner)
      } else {
        add(.added, inner, nil, member.value)
      }
    }
    let names = Set(new.map(\.name))
    for member in old where !names.contains(member.name) {
      let inner = Place.inside(place, segment: Self.segment(member.name))
      add(.removed, inner, member.value, nil)
    }
  }

  private mutating func compare(_ old: [JSON], _ new: [JSON], at place: Place) {
    guard let oldIDs = Self.ids(old), let newIDs = Self.ids(new) else {
      for index in 0..<max(old.count, new.count) {
        let inner = Place.inside(place, segment: "[\(index)]")
        if index >= old.count {
          add(.added, inner, nil, new[index])
        } else if index >= new.count {
          add(.removed, inner, old[index], nil)
        } else {
          compare(old[index], new[index], at: inner)
        }
      }
      return
    }
    let before = Dictionary(zip(oldIDs, old)) { one, _ in one }
    for (id, item) in zip(newIDs, new) {
      let inner = Place.inside(place, segment: Self.segment(id: id))
      if let value = before[id] {
        compare(value, item, at: inner)
      } else {
        add(.added, inner, nil, item)
      }
    }
    let (oldSet, newSet) = (Set(oldIDs), Set(newIDs))
    for (id, item) in zip(oldIDs, old) where !newSet.contains(id) {
      add(.removed, .inside(place, segment: Self.segment(id: id)), item, nil)
    }
    let order = [oldIDs.filter(newSet.contains), newIDs.filter(oldSet.contains)]
    guard order[0] != order[1] else { return }
    let lists = [oldIDs, newIDs].map { JSON.array($0.map(JSON.string)) }
    add(.reordered, place, lists[0], lists[1])
  }

  /// The IDs of the items; nil when they cannot be told apart by them.
  ///
  /// An empty list has all that it needs.
  private static func ids(_ items: [JSON]) -> [String]? {
    let ids = items.compactMap { $0["id"]?.string }
    return ids.count == items.count && Set(ids).count == ids.count ? ids : nil
  }

  /// The part of a path for a member (RFC 9535, sections 2.5.1 and 2.3.1).
  private static func segment(_ name: String) -> String {
    let isShort =
      name.unicodeScalars.allSatisfy {
        $0 == "_" || ("a"..."z").contains($0) || ("A"..."Z").contains($0)
          || ("0"..."9").contains($0)
      } && name.unicodeScalars.first.map { !("0"..."9").contains($0) } == true
    return isShort ? ".\(name)" : "[\(quoted(name))]"
  }

  /// The part of a path for the item with an ID.
  private static func segment(id: String) -> String { "[?@.id == \(quoted(id))]" }

  private static func quoted(_ text: String) -> String {
    var quoted = "'"
    for scalar in text.unicodeScalars {
      if scalar == "'" {
        quoted += "\\'"
      } else if scalar == "\"" {
        quoted += "\""
      } else {
        JSON.write(scalar, to: &quoted)
      }
    }
    return quoted + "'"
  }
}
