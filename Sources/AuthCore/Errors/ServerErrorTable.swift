import Sentences

/// Who can do something about an error of a server, what to do, and for each code what happened.
///
/// The numbers are those of Microsoft's "Microsoft Entra authentication and authorization error
/// codes" (`AADSTS`), and what to do agrees with that page. To add one, add it to the part of who can
/// do something about it, and what the page says to the list of the tests.
enum ServerErrorTable {
  /// All rows.
  static let all: [ErrorGuidance] = personCanAct + administratorCanAct + ownerCanAct + tryLater

  /// The row of each code.
  static let byKey = Dictionary(
    all.flatMap { row in row.keys.map { ($0, row) } }, uniquingKeysWith: { first, _ in first })

  /// Rows that differ only in what happened.
  static func rows(
    _ kind: FailureKind, _ nextStep: Sentence,
    _ meanings: KeyValuePairs<[ErrorGuidance.Key], Sentence>
  ) -> [ErrorGuidance] {
    meanings.map { ErrorGuidance(kind, nextStep, $0.key, $0.value) }
  }
}
