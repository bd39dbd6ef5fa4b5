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

  /// The last part of ``field``, such as `clientID`.
  public var fieldName: String? { field?.split(separator: ".").last.map(String.init) }

  /// Whether the error is in the authority.
  public var isAboutAuthority: Bool { fieldName == "authority" }

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
  public var errorDescription: String? { "There is an error in the list of apps: \(description)." }
}
