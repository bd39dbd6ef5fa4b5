import AuthCore
import Sentences

/// A field of a connection.
public struct ConnectionField<Value: Sendable>: Sendable {
  /// Where a form shows the field.
  package enum Row: Sendable {
    /// With the fields that everybody needs.
    case basic
    /// With those that few people need.
    case advanced
  }

  /// The name in the file.
  public let name: String
  /// The row in which a form shows the text as it is; nil when it shows something else.
  package var row: Row?
  /// Why a value that a person enters cannot be used, although the file may have it.
  var refusal: @Sendable (Value) -> Sentence? = { _ in nil }
  /// The value in the file, in an object that is checked; nil when it is absent.
  let read: @Sendable (ConnectionObject) throws(ConnectionFileError) -> Value?
  /// The value of a draft; one of another type counts as absent.
  let value: @Sendable (JSON?) -> Value
  /// The value for the file; nil to leave the field out.
  let json: @Sendable (Value) -> JSON?
}

/// What the fields of all types have in common.
protocol AnyConnectionField: Sendable {
  var name: String { get }
  /// Checks the type of the value in a file.
  func check(_ object: ConnectionObject) throws(ConnectionFileError)
  /// The value for a draft, as it would be written.
  func normalized(_ json: JSON?) -> JSON?
  /// Why what a person enters cannot be used; nil when it can.
  func refusal(of draft: ConnectionDraft) -> Sentence?
}

extension ConnectionField: AnyConnectionField {
  func check(_ object: ConnectionObject) throws(ConnectionFileError) { _ = try read(object) }
  func normalized(_ json: JSON?) -> JSON? { self.json(value(json)) }
  func refusal(of draft: ConnectionDraft) -> Sentence? { refusal(draft[self]) }
}

// MARK: - Types

extension ConnectionField<String> {
  /// A text; an empty one is left out.
  ///
  /// - Parameter limit: how long it may be, in Unicode scalars.
  init(
    _ name: String, row: Row? = nil, limit: Int = ConnectionObject.longestText,
    refusal: @escaping @Sendable (String) -> Sentence? = { _ in nil }
  ) {
    self.init(
      name: name, row: row, refusal: refusal,
      read: { (object) throws(ConnectionFileError) in
        try object.text(name, limit: limit)
      },
      value: { $0?.string ?? "" }, json: { $0.isEmpty ? nil : .string($0) })
  }
}

extension ConnectionField<[String]> {
  /// A list of texts; an empty one is left out.
  init(_ name: String) {
    self.init(
      name: name, read: { (object) throws(ConnectionFileError) in try object.texts(name) },
      value: { $0?.array?.compactMap(\.string) ?? [] },
      json: { $0.isEmpty ? nil : .array($0.map(JSON.string)) })
  }
}

extension ConnectionField<Bool> {
  /// A Boolean; false is left out.
  init(_ name: String) {
    self.init(
      name: name, read: { (object) throws(ConnectionFileError) in try object.bool(name) },
      value: { $0?.bool ?? false }, json: { $0 ? .bool(true) : nil })
  }
}

extension ConnectionField<Authority.Kind?> {
  /// A kind of authority.
  init(_ name: String) {
    self.init(
      name: name,
      read: { (object) throws(ConnectionFileError) in
        guard let text = try object.text(name) else { return nil }
        guard let kind = Authority.Kind(rawValue: text) else {
          throw object.fault(name, known: Authority.Kind.allCases.map(\.rawValue))
        }
        return kind
      },
      value: { ($0?.string).flatMap(Authority.Kind.init) },
      json: { $0.map { .string($0.rawValue) } })
  }
}

extension ConnectionField<JSON?> {
  /// An object with fields of its own, which are checked elsewhere.
  init(_ name: String) {
    self.init(name: name, read: { $0.json[name] }, value: \.self, json: \.self)
  }
}
