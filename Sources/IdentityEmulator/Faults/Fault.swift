/// A fault that the emulator can simulate, which a program writes as its name: `["wrong-issuer"]`.
///
/// ``all`` has them all, and so has `identity-emulator --faults`.
public struct Fault: Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The name that activates it.
  public let name: String
  /// The description, on one line.
  public let meaning: String
  private(set) var changes = FaultChanges()

  /// A fault that changes the value at `place`.
  init<Value>(
    _ name: String, _ meaning: String, _ place: FaultChanges.Place<Value>,
    _ edit: @escaping FaultChanges.Edit<Value>
  ) {
    self.name = name
    self.meaning = meaning
    changes[keyPath: place] = edit
  }

  /// The same fault, which changes the value at another place too.
  func and<Value>(
    _ place: FaultChanges.Place<Value>, _ edit: @escaping FaultChanges.Edit<Value>
  ) -> Fault {
    var fault = self
    fault.changes[keyPath: place] = edit
    return fault
  }

  /// The fault called `name`; nil when there is none.
  public init?(named name: String) {
    guard let fault = Self.all.first(where: { $0.name == name }) else { return nil }
    self = fault
  }

  /// The fault called `name`.
  ///
  /// A name that no fault has ends the program.
  public init(stringLiteral name: String) {
    guard let fault = Self(named: name) else {
      let names = Self.names(like: name).joined(separator: ", ")
      fatalError("There is no fault '\(name)'. Did you mean one of \(names)?")
    }
    self = fault
  }

  /// The name.
  public var description: String { name }

  /// The names that are most similar to `name`, best match first; names that contain it come before
  /// all others.
  public static func names(like name: String) -> [String] {
    all.map(\.name)
      .map { ($0.contains(name) ? 0 : 1, distance(from: name, to: $0), $0) }
      .sorted { $0 < $1 }.prefix(3).map(\.2)
  }

  /// The number of characters to insert, delete or replace to turn `one` into `other`
  /// (Levenshtein).
  private static func distance(from one: String, to other: String) -> Int {
    var row = Array(0...other.count)
    for (index, character) in one.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for (column, candidate) in other.enumerated() {
        let changed = diagonal + (character == candidate ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(changed, diagonal + 1, row[column] + 1)
      }
    }
    return row[other.count]
  }
}

extension Fault: Hashable {
  /// Compares the names.
  public static func == (one: Fault, other: Fault) -> Bool { one.name == other.name }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
