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

  /// The accounts whose records the last ``list()`` found to be missing or unreadable.
  var lost: [LostAccount] { get }
}

extension RecordBackend {
  /// Does nothing: for a backend that never asks the user.
  package func allowAskingAgain() {}

  /// Does nothing: for a backend that can always be written.
  package func checkWriting() async throws(AuthenticationError) {}
}

/// An account of which the store has lost the data, so that only its ID may be known.
package struct LostAccount: Sendable, Equatable {
  /// What ``RecordBackend/delete(_:isCurrent:)`` takes to remove the rest of its record.
  let record: String
  /// The entry of its record; nil when it is unknown.
  let entry: RecordEntry?

  /// The account's ``Account/id``; nil when it is unknown.
  package var id: String? { entry?.account.homeAccountID }
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
