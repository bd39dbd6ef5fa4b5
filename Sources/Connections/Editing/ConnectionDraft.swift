package import AuthCore
public import Sentences

/// A connection as a person writes it down: values that may not fit yet.
///
/// Its members are the fields of ``ConnectionFields``. A text that is empty is a field that is left
/// out of `apps.json`.
@dynamicMemberLookup
public struct ConnectionDraft: Sendable, Equatable {
  /// The fields that are there, by name.
  private var values: [String: JSON] = [:]

  /// What an import has left out or chosen on this computer, in sentences for the person; nil when
  /// there is nothing to say.
  public var remark: Sentence? {
    remarks.isEmpty ? nil : Sentence(remarks.map(\.sentence)).plain
  }

  /// What an import says to the person.
  package struct Remark: Sendable, Equatable {
    /// The field that it is about; nil when it is none, or not one alone.
    package var field: String?
    /// What it says.
    package var sentence: Sentence
  }

  /// The parts of ``remark``, the most important one first.
  package internal(set) var remarks: [Remark] = []

  /// Creates an empty draft.
  public init() {}

  /// Reads what a connection of the file says; a field of another type reads as left out.
  init(_ json: JSON) {
    for field in ConnectionFields.fields { values[field.name] = field.normalized(json[field.name]) }
  }

  /// The value of a field.
  public subscript<Value>(
    dynamicMember path: KeyPath<ConnectionFields, ConnectionField<Value>>
  ) -> Value {
    get { self[ConnectionFields.shared[keyPath: path]] }
    set { self[ConnectionFields.shared[keyPath: path]] = newValue }
  }

  /// The value of a field.
  public subscript<Value>(field: ConnectionField<Value>) -> Value {
    get { field.value(values[field.name]) }
    set { values[field.name] = field.json(newValue) }
  }

  /// The value of a field for the file; nil when it is left out.
  func value(of field: any AnyConnectionField) -> JSON? { values[field.name] }

  /// Adds what another description of the same app says and this one does not; in a list, what is
  /// missing there.
  package mutating func add(_ other: ConnectionDraft) {
    let schema = ConnectionFields.shared
    // What describes another service or API does not belong to this one.
    let isSameService =
      self.authority.isEmpty || other.authority.isEmpty || self.authority == other.authority
    let isSameAPI = self.api.isEmpty || other.api.isEmpty || self.api == other.api
    let foreign: [String] =
      (isSameService ? [] : [schema.authorityKind.name, schema.knownAuthorities.name])
      + (isSameAPI ? [] : [schema.scopes.name])
    for (name, value) in other.values where !foreign.contains(name) {
      let old = values[name]
      if let list = old?.array, let more = value.array {
        guard list.count < Self.mostTexts else { continue }
        values[name] = .array(list + more.filter { !list.contains($0) })
      } else if old == nil {
        values[name] = value
      }
    }
    for remark in other.remarks where remarks.count < Self.mostRemarks {
      // One about a value that was not taken is not about this app.
      let isTaken = remark.field.map { values[$0] == other.values[$0] } ?? true
      if isTaken, !remarks.contains(remark) { remarks.append(remark) }
    }
  }

  /// Whether it says more of an app than its client ID.
  package var saysMoreThanClientID: Bool {
    var other = ConnectionDraft()
    other.clientID = self.clientID
    return self != other
  }

  /// The longest list that gets more from another description: a text can have very many of them.
  private static let mostTexts = 256
  /// The most remarks that an app has after that.
  private static let mostRemarks = 10

  /// The fields that are there, in the order of the documentation.
  package var json: JSON {
    .object(
      ConnectionFields.fields.compactMap { field in
        value(of: field).map { JSON.Member(field.name, $0) }
      })
  }

  /// The connection that this describes.
  ///
  /// - Throws: ``ConnectionFileError`` with the first field that does not fit, such as `clientID`.
  public func connection() throws(ConnectionFileError) -> Connection {
    try Connection(ConnectionObject(json: json, path: "", places: [:]), storage: nil)
  }
}
