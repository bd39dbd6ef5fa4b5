import AuthCore
public import FoundationEssentials
public import Sentences

/// An error in `apps.json`, and where it is.
public struct ConnectionFileError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The line, counted from 1; nil when the error concerns the whole file.
  public var line: Int?
  /// The field, such as `apps[0].clientID`; nil when the error is in the syntax.
  public var field: String?
  /// What is wrong, without a final period.
  public var reason: Sentence
  /// Whether nothing is wrong in the file, but it could not be written.
  package var isNotWritten = false
  /// Why the system did not let the file be read, which is not to say that anything is wrong in it; nil
  /// when it was read.
  package var readFailure: Sentence?

  /// The last part of ``field``, such as `clientID`.
  public var fieldName: String? { field?.split(separator: ".").last.map(String.init) }

  /// Whether the error is in the authority.
  public var isAboutAuthority: Bool { fieldName == "authority" }

  /// The index of the entry that it is in, and the field of the entry, such as `clientID`, also when
  /// the error is further inside; nil when it is in no field of an entry.
  var entry: (index: Int, field: String)? {
    let parts = field?.split(separator: ".") ?? []
    guard parts.count > 1, parts[0].hasSuffix("]"), let bracket = parts[0].firstIndex(of: "["),
      let index = Int(parts[0][bracket...].dropFirst().dropLast())
    else { return nil }
    return (index, String(parts[1]))
  }

  /// Whether it is in a field that the form of an app shows.
  package var isInForm: Bool {
    guard let entry else { return false }
    return ConnectionFields.fields.contains { $0.name == entry.field }
  }

  /// Line, field and reason, without a final period.
  public var sentence: Sentence {
    let places = [
      line.map { Sentence("line {number}", ["number": $0]) }, field.map { Sentence(verbatim: $0) },
    ]
    return places.compactMap(\.self).reversed().reduce(reason) { reason, place in
      Sentence("{what}: {reason}", ["what": place, "reason": reason])
    }.plain
  }

  /// The ``sentence`` in English.
  public var description: String { sentence.description }
}

extension ConnectionFileError {
  /// An error in the syntax.
  init(_ error: JSONError) {
    self.init(line: error.line, field: nil, reason: error.reason)
  }
}

extension ConnectionFileError: LocalizedError {
  /// What is wrong and where, in a sentence, which is also `localizedDescription`.
  public var errorDescription: String? {
    if isNotWritten { return "The list of apps was not written: \(description)." }
    if let readFailure { return "The list of apps cannot be read: \(readFailure)." }
    return "There is an error in the list of apps: \(description)."
  }
}
