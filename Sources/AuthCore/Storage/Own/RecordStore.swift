import CurlHTTP
import FoundationEssentials
import Sentences

/// A store in any backend, which processes share.
///
/// They take turns with a ``FileLock``, whose file also signals changes.
package final class RecordStore: TokenCacheStore {
  private let backend: any RecordBackend
  private let lockPath: String
  private let state = LockedValue(State())

  /// What was last read or written here.
  private struct State: Sendable {
    var warning: AuthenticationError?
    /// The missing records that were already reported.
    var reported: Set<String> = []
    /// The lock file at that time; nil when it is unknown what is in the backend.
    var lockFile: SeenFile?
  }

  /// How long another process may take for a write.
  private static let timeout = Duration.seconds(5)

  /// Creates a store in `backend`; all processes that share it use the lock at `lockPath`.
  package init(backend: any RecordBackend, lockPath: String) {
    self.backend = backend
    self.lockPath = lockPath
  }

  /// Whether another process has written since the last read or write here, or is about to.
  package var hasChanged: Bool {
    state.withLock { $0.lockFile }?.hasChanged ?? true
  }

  /// The lock file now.
  private var lockFile: SeenFile { SeenFile(lockPath, FileStamp(path: lockPath)) }

  /// The store's name among all stores of this user: that of its lock.
  package var lockName: String? { "store \(PrivateFile(path: lockPath).canonicalPath)" }

  /// A problem found by the last read, which was otherwise successful.
  package var warning: AuthenticationError? { state.withLock { $0.warning } }

  /// Allows the next read to ask the user, although they declined before.
  package func allowAskingAgain() { backend.allowAskingAgain() }

  // MARK: - Reading

  /// All valid records.
  package func load() async throws(AuthenticationError) -> [StoredRecord] {
    let lock = try await takeLockForReading()
    let lockFile = lockFile
    let found = try await backend.list()
    state.withLock { state in
      state.warning = found.problems.warning(after: state.reported)
      state.reported.formUnion(found.problems.missing)
      state.lockFile = lockFile
    }
    if let lock, let tidy = found.tidy, (try? await tidy()) != nil {
      lock.announce()
      see(self.lockFile)
    }
    return found.records
  }

  /// The accounts, without reading records if the backend can tell.
  package func index() async throws(AuthenticationError) -> [RecordEntry] {
    let lock = try await takeLockForReading()
    defer { withExtendedLifetime(lock) {} }
    let (lockFile, isCurrent) = (lockFile, !hasChanged)
    guard let entries = try await backend.index(isCurrent: isCurrent) else { return [] }
    state.withLock { state in
      state.warning = nil
      state.lockFile = lockFile
    }
    return entries
  }

  /// The record with `id`, if it is valid; ``load()`` finds and reports problems.
  package func load(id: String) async throws(AuthenticationError) -> StoredRecord? {
    try await backend.read(id)
  }

  // MARK: - Writing

  /// Writes a record, unless another process has removed it meanwhile.
  package func save(_ record: StoredRecord) async throws(AuthenticationError) {
    try await save([record])
  }

  /// Writes records, except those that another process has removed meanwhile.
  package func save(_ records: [StoredRecord]) async throws(AuthenticationError) {
    guard !records.isEmpty else { return }
    try await change { isCurrent throws(AuthenticationError) in
      if try await !backend.write(records, isCurrent: isCurrent) {
        state.withLock { $0.lockFile = nil }
      }
    }
  }

  /// Removes a record.
  package func delete(id: String) async throws(AuthenticationError) {
    try await change { isCurrent throws(AuthenticationError) in
      try await backend.delete(id, isCurrent: isCurrent)
    }
  }

  /// Removes a record, unless another process has written other contents meanwhile.
  func delete(id: String, ifStill contents: Secret<Data>) async throws(AuthenticationError) {
    try await change { isCurrent throws(AuthenticationError) in
      guard try await backend.read(id)?.contents == contents else { return }
      try await backend.delete(id, isCurrent: isCurrent)
    }
  }

  /// Runs `work` under the lock; its argument says whether the known state is still current.
  private func change(
    _ work: (_ isCurrent: Bool) async throws(AuthenticationError) -> Void
  ) async throws(AuthenticationError) {
    let lock = try await takeLock()
    let isCurrent = !hasChanged
    // Before the change, so that the next process reads it even if this one is killed; and after
    // it, for processes that read without the lock.
    guard lock.announce() else {
      throw Self.failure(StorageFailure.system(Sentence("its lock file cannot be updated")))
    }
    do throws(AuthenticationError) {
      try await work(isCurrent)
    } catch {
      // It is unknown what was done.
      state.withLock { $0.lockFile = nil }
      lock.announce()
      throw error
    }
    lock.announce()
    if isCurrent { see(lockFile) }
  }

  /// Goes on from the lock file as it is after a change here, unless it is unknown what is there.
  private func see(_ lockFile: SeenFile) {
    state.withLock { state in
      guard state.lockFile != nil else { return }
      state.lockFile = lockFile
    }
  }

  // MARK: - Problems

  /// Finds out whether a record could be written now.
  package func checkWriting() async throws(AuthenticationError) {
    try await backend.checkWriting()
    do throws(StorageFailure) {
      try PrivateFile(path: lockPath).checkWriting()
    } catch {
      throw Self.failure(
        StorageFailure(
          Sentence(
            "its lock “{path}” cannot be used: {reason}",
            ["path": lockPath, "reason": error.reason])))
    }
  }

  /// Looks for problems of the records, without the lock and without setting anything aside.
  ///
  /// - Throws: what a read would throw, or warn of.
  func examineRecords() async throws(AuthenticationError) {
    if let warning = try await backend.list().problems.warning() { throw warning }
  }

  /// The accounts of an app whose records the last read of all found to be missing or unreadable.
  func lostAccounts(of clientID: String) -> [LostAccount] {
    backend.lost.filter { $0.entry.map { caselessEqual($0.clientID, clientID) } != false }
  }

  // MARK: - The lock

  /// Prepares the backend, and takes the lock; nil when it is held for too long: reading continues,
  /// because a complete version of each record always exists.
  private func takeLockForReading() async throws(AuthenticationError) -> FileLock? {
    try await backend.prepare()
    let lock = try? await takeLock()
    guard !Task.isCancelled else {
      throw Self.failure(StorageFailure(Sentence("the operation was canceled")))
    }
    return lock
  }

  private func takeLock() async throws(AuthenticationError) -> FileLock {
    do throws(StorageFailure) {
      return try await Self.takeLock(at: lockPath)
    } catch {
      throw Self.failure(error)
    }
  }

  /// Takes the turn to write in the store whose lock is at `path`.
  static func takeLock(at path: String) async throws(StorageFailure) -> FileLock {
    try await FileLock.take("store", in: path, timeout: timeout)
  }

  static func failure(_ failure: StorageFailure) -> AuthenticationError {
    AuthenticationError(
      .storageUnavailable,
      Sentence("The token store was not used: {reason}.", ["reason": failure.reason]),
      step: .storage)
  }

  /// Why a record was not written.
  static func unchanged(because reason: Sentence) -> Sentence {
    Sentence("it was not changed, because {reason}", ["reason": reason])
  }
}

extension StoredRecord {
  /// When the user signed in, as comparable text; empty when the record does not say.
  var signedIn: String {
    account.map { "\($0.asWritten.signedInAt.timeIntervalSince1970)" } ?? ""
  }
}
