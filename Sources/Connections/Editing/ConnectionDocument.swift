public import AuthCore
import Sentences

/// The text of `apps.json`, changed as a person would change it: comments and all that is not
/// changed stay.
///
/// Whatever a change would make of the file is checked first: it throws, and the text stays as it was,
/// when the file could not be read afterwards.
public struct ConnectionDocument: Sendable, Equatable {
  private var text: JSONText
  /// The connections, in the order of the file.
  public private(set) var connections: [Connection]

  /// Reads the text of a file.
  ///
  /// - Throws: ``ConnectionFileError`` with line and field of the first fault.
  public init(_ bytes: [UInt8]) throws(ConnectionFileError) {
    text = try JSONText(file: bytes)
    connections = try ConnectionFile.connections(of: text)
  }

  /// Creates a document without connections.
  public init() {
    do throws(ConnectionFileError) {
      try self.init(Array("{\n  \"version\": 1,\n  \"apps\": []\n}\n".utf8))
    } catch {
      preconditionFailure("an empty file can be read")
    }
  }

  /// The text, as UTF-8.
  public var bytes: [UInt8] { text.bytes }

  /// What the file says of the connection called `name`; nil when there is none.
  public func draft(of name: String) -> ConnectionDraft? {
    index(of: name).flatMap { text.json[list]?.array?[$0] }.map(ConnectionDraft.init)
  }

  /// A name like `name` that no connection has: with a number behind it where that takes one.
  ///
  /// - Parameters:
  ///   - name: the name that is wanted.
  ///   - others: the names of connections elsewhere, which are not free either.
  public func freeName(like name: String, besides others: Set<String> = []) -> String {
    let taken = others.union(connections.map(\.name))
    guard taken.contains(name) else { return name }
    var number = 2
    while taken.contains("\(name) \(number)") { number += 1 }
    return "\(name) \(number)"
  }

  // MARK: Changes

  /// Adds a connection at the end.
  ///
  /// - Throws: ``ConnectionFileError`` with the first field that does not fit.
  public mutating func add(_ draft: ConnectionDraft) throws(ConnectionFileError) {
    let (list, count) = (list, connections.count)
    try change(ConnectionFields.fields, to: draft, at: count) { (text) throws(JSONError) in
      try text.insert(draft.json, at: count, of: list)
    }
  }

  /// Changes those fields of the connection called `name` that `draft` has otherwise.
  ///
  /// - Throws: ``ConnectionFileError`` with the first field that does not fit.
  public mutating func replace(
    _ name: String, with draft: ConnectionDraft
  ) throws(ConnectionFileError) {
    guard let index = index(of: name), let old = self.draft(of: name) else { return }
    // What was not changed is no reason to refuse a change, such as a CA file that went away.
    let list = list
    let changed = ConnectionFields.fields.filter { old.value(of: $0) != draft.value(of: $0) }
    try change(changed, to: draft, at: index) { (text) throws(JSONError) in
      for field in changed {
        try text.set(field.name, of: "\(list)[\(index)]", to: draft.value(of: field))
      }
    }
  }

  /// Takes the connection called `name` out.
  ///
  /// - Returns: what ``restore(_:)`` puts back; nil when there is no such connection.
  public mutating func remove(_ name: String) throws(ConnectionFileError) -> Removed? {
    guard let index = index(of: name) else { return nil }
    let list = list
    let removed = Removed(
      name: name, index: index, text: text.text(of: "\(list)[\(index)]"))
    try change { (text) throws(JSONError) in try text.remove(at: index, of: list) }
    return removed
  }

  /// Puts a connection that was taken out where it was, with the comments in it.
  ///
  /// - Throws: ``ConnectionFileError`` when another has its name by now.
  public mutating func restore(_ removed: Removed) throws(ConnectionFileError) {
    let (list, index) = (list, min(removed.index, connections.count))
    try change { (text) throws(JSONError) in
      try text.insert(text: removed.text, at: index, of: list)
    }
  }

  /// A connection that was taken out.
  public struct Removed: Sendable, Equatable {
    /// What it was called.
    public let name: String
    let index: Int
    let text: [UInt8]
  }

  /// Where the accounts of all connections are kept; nil for where it fits.
  public var storage: StorageKind? {
    text.json["storage"]?.string.flatMap(StorageKind.init)
  }

  /// Says where accounts are kept; nil for where it fits.
  public mutating func setStorage(_ kind: StorageKind?) throws(ConnectionFileError) {
    try change { (text) throws(JSONError) in
      try text.set("storage", of: "", to: kind.map { .string($0.rawValue) })
    }
  }

  /// The field of the list in this file.
  private var list: String { ConnectionFile.listField(of: text.json) }

  private func index(of name: String) -> Int? {
    connections.firstIndex { $0.name == name }
  }

  /// Makes a change, with which a person may have entered `fields` for the connection at `index`.
  private mutating func change(
    _ fields: [any AnyConnectionField] = [], to draft: ConnectionDraft = ConnectionDraft(),
    at index: Int = 0,
    _ change: (inout JSONText) throws(JSONError) -> Void
  ) throws(ConnectionFileError) {
    var text = text
    do throws(JSONError) {
      try change(&text)
    } catch {
      throw ConnectionFileError(error)
    }
    let connections = try ConnectionFile.connections(of: text)
    for field in fields {
      guard let reason = field.refusal(of: draft) else { continue }
      let path = "\(list)[\(index)].\(field.name)"
      throw ConnectionFileError(line: text.places[path]?.line, field: path, reason: reason)
    }
    (self.connections, self.text) = (connections, text)
  }
}
