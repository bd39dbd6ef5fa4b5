import Sentences

/// The storage of a ``RecordStore``: items of a keyring, or files in a directory.
///
/// It keeps whole records. A write that fails, or is interrupted, must leave the previous version.
package protocol RecordBackend: Sendable {
  /// Prepares it for reading, and may ask the user to unlock it.
  func prepare() async throws(AuthenticationError)

  /// Allows the next ``prepare()`` to ask the user, although they declined before.
  func allowAskingAgain()

  /// All records.
  ///
  /// - Throws: when any of them cannot be read, as opposed to being unusable.
  func list() async throws(AuthenticationError) -> RecordListing

  /// The accounts of the records.
  ///
  /// - Parameter isCurrent: whether nobody else has written since the last read or write here.
  /// - Returns: nil when ``list()`` has to be read.
  func index(isCurrent: Bool) async throws(AuthenticationError) -> [RecordEntry]?

  /// The record with `id`; nil when there is none, or it has a problem that ``list()`` finds.
  func read(_ id: String) async throws(AuthenticationError) -> StoredRecord?

  /// Writes records, under the lock, except those that another process has removed since they were
  /// read here, unless there was a new sign-in.
  ///
  /// - Returns: whether it has written all of them.
  func write(_ records: [StoredRecord], isCurrent: Bool) async throws(AuthenticationError) -> Bool

  /// Deletes the record with `id`, under the lock, if anything of it exists.
  func delete(_ id: String, isCurrent: Bool) async throws(AuthenticationError)

  /// Finds out whether a record could be written now; changes nothing, and asks nobody.
  func checkWriting() async throws(AuthenticationError)

  /// The records that the last ``list()`` found to be missing or unreadable.
  var lost: [LostRecord] { get }
}

extension RecordBackend {
  /// Does nothing: for a backend that never asks the user.
  package func allowAskingAgain() {}

  /// Does nothing: for a backend that can always be written.
  package func checkWriting() async throws(AuthenticationError) {}
}

/// A record that is missing or unreadable.
package struct LostRecord: Sendable {
  /// What ``RecordBackend/delete(_:isCurrent:)`` takes to remove the rest of it.
  package var id: String
  /// Its account; nil when it is unknown.
  package var entry: RecordEntry?
}

/// The contents of a ``RecordBackend``.
package struct RecordListing: Sendable {
  var records: [StoredRecord] = []
  var problems = RecordProblems()
  /// Sets unusable data aside, and deletes what is obsolete, under the lock; nil when there is
  /// neither.
  ///
  /// Readers do not depend on it, so a failure is tried again the next time.
  var tidy: (@Sendable () async throws(AuthenticationError) -> Void)?
}

/// What a ``RecordBackend`` found that is not as it should be.
struct RecordProblems: Sendable {
  /// How many records consist of damaged data only.
  var lost = 0
  /// How many copies are damaged.
  var damaged = 0
  /// Records that were there before, and of which at most the names remain.
  var missing: Set<String> = []
  /// Why records were not read.
  var refusals: [Sentence] = []
  /// Why records must not be changed.
  var untouchable: [Sentence] = []

  /// The warning for the user; `told` are the missing records that were already reported.
  func warning(after told: Set<String> = []) -> AuthenticationError? {
    var sentences: [Sentence] = []
    if lost > 0 {
      sentences.append(
        .plural(
          "One account could not be read, because its data is damaged. The data was set aside;"
            + " please sign in again.",
          "{count} accounts could not be read, because their data is damaged. The data was set"
            + " aside; please sign in again.", count: lost))
    } else if damaged > 0 {
      sentences.append(
        .plural(
          "The latest data of one account is damaged and was set aside; the previous data is used.",
          "The latest data of {count} accounts is damaged and was set aside; the previous data is"
            + " used.", count: damaged))
    }
    let untold = missing.subtracting(told)
    if !untold.isEmpty {
      sentences.append(
        .plural(
          "One account is missing from the token store. If it does not come back, please sign in"
            + " again.",
          "{count} accounts are missing from the token store. If they do not come back, please sign"
            + " in again.", count: untold.count))
    }
    if let reason = refusals.first {
      sentences.append(
        .plural(
          "The data of one account was not read: {reason}.",
          "The data of {count} accounts was not read: {reason}.", count: refusals.count,
          ["reason": reason]))
    }
    if let reason = untouchable.first {
      sentences.append(
        .plural(
          "One account cannot be changed, because {reason}.",
          "{count} accounts cannot be changed, because {reason}.", count: untouchable.count,
          ["reason": reason]))
    }
    guard !sentences.isEmpty else { return nil }
    return AuthenticationError(.storageIncomplete, Sentence(sentences), step: .storage)
  }
}
