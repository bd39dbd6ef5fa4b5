package import AuthCore
package import Sentences

/// A query of a JSON document (JSONPath, RFC 9535), without its functions.
package struct JSONPath: Sendable, Equatable {
  private let segments: [Segment]

  /// Why a text is no query.
  package struct Failure: Error, Equatable {
    /// Where it begins, in characters from 1.
    package let column: Int
    /// What is wrong.
    package let reason: Sentence
  }

  /// Parses a query, such as `$.value[?@.mail != null].displayName`.
  package init(_ text: String) throws(Failure) {
    var parser = JSONPathParser(text)
    segments = try parser.query()
  }

  /// What the query selects, in the order of the document.
  package func select(_ document: JSON) -> [JSON] {
    Self.select(segments, document, in: Search(document, steps: .max))
  }

  /// What the query selects, in the order of the document; nil when that takes more than so many
  /// steps, about one for each value that is looked at, or the task is canceled.
  package func select(_ document: JSON, steps: Int) -> [JSON]? {
    let search = Search(document, steps: steps)
    let nodes = Self.select(segments, document, in: search)
    return search.isStopped ? nil : nodes
  }

  /// The document, and how much of it may still be looked at.
  private final class Search {
    let root: JSON
    private let isLimited: Bool
    private var left: Int
    private(set) var isStopped = false

    init(_ root: JSON, steps: Int) {
      (self.root, left, isLimited) = (root, steps, steps != .max)
    }

    /// Takes one step.
    ///
    /// - Returns: whether the search goes on.
    func takeStep() -> Bool {
      guard isLimited else { return true }
      guard !isStopped else { return false }
      left -= 1
      if left < 0 || left & 0xFFF == 0 && Task.isCancelled { isStopped = true }
      return !isStopped
    }
  }

  struct Segment: Sendable, Equatable {
    /// Whether it is about all descendants, `..`.
    var isDescendant: Bool
    var selectors: [Selector]
  }

  indirect enum Selector: Sendable, Equatable {
    case name(String)
    case wildcard
    case index(Int)
    case slice(start: Int?, end: Int?, step: Int)
    case filter(Condition)
  }

  indirect enum Condition: Sendable, Equatable {
    case exists(Query)
    case compares(Value, Comparison, Value)
    case not(Condition)
    case and([Condition])
    case or([Condition])
  }

  enum Comparison: String, Sendable, CaseIterable {
    case equal = "=="
    case unequal = "!="
    case atMost = "<="
    case atLeast = ">="
    case less = "<"
    case greater = ">"
  }

  /// A query within a condition.
  struct Query: Sendable, Equatable {
    /// Whether it begins with the document, and not with the current value.
    var isAbsolute: Bool
    var segments: [Segment]

    /// Whether it selects one value at most.
    var isSingular: Bool {
      segments.allSatisfy { segment in
        guard !segment.isDescendant, segment.selectors.count == 1 else { return false }
        switch segment.selectors[0] {
        case .name, .index: return true
        default: return false
        }
      }
    }
  }

  enum Value: Sendable, Equatable {
    case literal(JSON)
    case query(Query)
  }

  // MARK: Selection

  private static func select(_ segments: [Segment], _ start: JSON, in search: Search) -> [JSON] {
    var nodes = [start]
    for segment in segments {
      let parents =
        segment.isDescendant ? nodes.flatMap { withDescendants($0, in: search) } : nodes
      nodes = parents.flatMap { node in
        segment.selectors.flatMap { select($0, node, in: search) }
      }
    }
    return nodes
  }

  private static func withDescendants(_ node: JSON, in search: Search) -> [JSON] {
    [node] + children(node, in: search).flatMap { withDescendants($0, in: search) }
  }

  private static func children(_ node: JSON, in search: Search) -> [JSON] {
    let all = node.array ?? node.object?.map(\.value) ?? []
    return all.allSatisfy { _ in search.takeStep() } ? all : []
  }

  private static func select(_ selector: Selector, _ node: JSON, in search: Search) -> [JSON] {
    switch selector {
    case .name(let name): return node.object?.last { $0.name == name }.map { [$0.value] } ?? []
    case .wildcard: return children(node, in: search)
    case .index(let index):
      guard let list = node.array else { return [] }
      let place = index < 0 ? list.count + index : index
      return list.indices.contains(place) ? [list[place]] : []
    case .slice(let start, let end, let step):
      return node.array.map { slice($0, start, end, step) } ?? []
    case .filter(let condition):
      return children(node, in: search).filter { holds(condition, $0, in: search) }
    }
  }

  /// A part of a list (RFC 9535, section 2.3.4.2.2).
  private static func slice(_ list: [JSON], _ start: Int?, _ end: Int?, _ step: Int) -> [JSON] {
    guard step != 0 else { return [] }
    func place(_ number: Int) -> Int { number < 0 ? list.count + number : number }
    let isUp = step > 0
    let first = place(start ?? (isUp ? 0 : list.count - 1))
    let last = end.map(place) ?? (isUp ? list.count : -1)
    let lower = isUp ? min(max(first, 0), list.count) : min(max(last, -1), list.count - 1)
    let upper = isUp ? min(max(last, 0), list.count) : min(max(first, -1), list.count - 1)
    // A step that is larger than the list has the effect of its size.
    let step = max(min(step, list.count + 1), -list.count - 1)
    return isUp
      ? stride(from: lower, to: upper, by: step).map { list[$0] }
      : stride(from: upper, to: lower, by: step).map { list[$0] }
  }

  // MARK: Conditions

  private static func holds(_ condition: Condition, _ node: JSON, in search: Search) -> Bool {
    switch condition {
    case .exists(let query): return !values(query, node, in: search).isEmpty
    case .not(let inner): return !holds(inner, node, in: search)
    case .and(let all): return all.allSatisfy { holds($0, node, in: search) }
    case .or(let any): return any.contains { holds($0, node, in: search) }
    case .compares(let one, let comparison, let other):
      let (one, other) = (value(one, node, in: search), value(other, node, in: search))
      switch comparison {
      case .equal: return isEqual(one, other, in: search)
      case .unequal: return !isEqual(one, other, in: search)
      case .less: return isLess(one, other)
      case .greater: return isLess(other, one)
      case .atMost: return isLess(one, other) || isEqual(one, other, in: search)
      case .atLeast: return isLess(other, one) || isEqual(one, other, in: search)
      }
    }
  }

  private static func values(_ query: Query, _ node: JSON, in search: Search) -> [JSON] {
    select(query.segments, query.isAbsolute ? search.root : node, in: search)
  }

  /// A value; nil for a query that selects nothing.
  private static func value(_ value: Value, _ node: JSON, in search: Search) -> JSON? {
    switch value {
    case .literal(let json): json
    case .query(let query): values(query, node, in: search).first
    }
  }

  private static func isEqual(_ one: JSON?, _ other: JSON?, in search: Search) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    guard search.takeStep() else { return false }
    if let number = one.number, let second = other.number { return number == second }
    if let list = one.array, let second = other.array {
      return list.count == second.count
        && zip(list, second).allSatisfy { isEqual($0, $1, in: search) }
    }
    if let members = one.object, let second = other.object {
      guard members.count == second.count else { return false }
      let values = Dictionary(second.map { ($0.name, $0.value) }) { $1 }
      return members.allSatisfy { member in
        values[member.name].map { isEqual(member.value, $0, in: search) } ?? false
      }
    }
    return one == other
  }

  private static func isLess(_ one: JSON?, _ other: JSON?) -> Bool {
    if let number = one?.number, let second = other?.number { return number < second }
    guard let text = one?.string, let second = other?.string else { return false }
    // By code points, not by a language's rules.
    return text.unicodeScalars.lexicographicallyPrecedes(second.unicodeScalars)
  }
}
