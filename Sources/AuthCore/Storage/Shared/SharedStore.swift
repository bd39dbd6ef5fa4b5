import CurlHTTP
import Dispatch
import FoundationEssentials
import Glibc
package import Sentences

/// A token cache in MSAL's unified schema that other programs read and write too.
///
/// Programs take turns with a lock, and each finds what the others have written. Unread data is
/// never overwritten, and reading changes nothing: it does not even take the lock.
package final class SharedStore: TokenCacheStore {
  private let backend: any SharedBackend
  /// What helps when the content is no token cache; nil when it is other programs', too.
  private let remedy: Sentence?
  /// It is read and written on a queue of its own, one call at a time.
  private let queue = DispatchQueue(label: "token-cache")
  private let state = LockedValue(State())

  private struct State: Sendable {
    /// The cache as last read, with the changes written since; nil before the first read.
    var known: UnifiedCache?
    /// The file at that time; nil before the first read.
    var file: SeenFile?
    /// Whether ``known`` was the complete content at the last read or write.
    var isCurrent = false
    /// Whether another program has corrupted the cache since: then ``known`` is the content before
    /// that.
    var isSpoilt = false
    /// The accounts of records that were saved here, by ID.
    var saved: [String: AccountRecord] = [:]
  }

  /// Creates a store in `backend`; the cache is created when an account is stored.
  ///
  /// - Parameter remedy: what helps when the content is no token cache, after a semicolon.
  package init(in backend: any SharedBackend, remedy: Sentence? = nil) {
    self.backend = backend
    self.remedy = remedy
  }

  /// Whether the cache has changed since it was last read or written.
  package var hasChanged: Bool {
    let (file, isCurrent) = state.withLock { ($0.file, $0.isCurrent) }
    return !isCurrent || file?.hasChanged ?? true
  }

  /// The canonical path of the signal file.
  package var lockName: String? { "file \(PrivateFile(path: backend.path).canonicalPath)" }

  /// Allows the next read to ask the user, although they declined before.
  package func allowAskingAgain() { backend.allowAskingAgain() }

  /// All accounts, of all apps.
  package func load() async throws(AuthenticationError) -> [StoredRecord] {
    try await contents().records.map(StoredRecord.init)
  }

  package func index() async throws(AuthenticationError) -> [RecordEntry] {
    try await contents().index
  }

  /// The record with `id`, as of the last read unless the cache has changed since.
  package func load(id: String) async throws(AuthenticationError) -> StoredRecord? {
    let known = hasChanged ? nil : state.withLock { $0.known }
    let cache: UnifiedCache
    if let known { cache = known } else { cache = try await contents() }
    return cache.record(id: id).map(StoredRecord.init)
  }

  /// The whole cache.
  func contents() async throws(AuthenticationError) -> UnifiedCache {
    do throws(StorageFailure) {
      try await backend.open()
    } catch {
      throw self.error(error)
    }
    return try await perform { () throws(StorageFailure) in
      let reading = try self.read()
      let file = SeenFile(self.backend.path, reading.stamp)
      self.state.withLock {
        $0.known = reading.cache
        $0.file = file
        $0.isCurrent = true
        $0.isSpoilt = reading.spoilt != nil
      }
      return reading.cache
    }
  }

  /// Writes the changes of an account.
  package func save(_ record: StoredRecord) async throws(AuthenticationError) {
    guard let new = record.account?.asWritten else { return }
    try await change { (cache, state) in
      let old = state.known?.record(new.key, clientID: new.clientID)
      state.saved[record.id] = new
      // Another program has removed the account meanwhile: a renewed token does not restore it.
      if old?.signedInAt == new.signedInAt,
        cache.record(new.key, clientID: new.clientID) == nil
      {
        return false
      }
      cache.write(new, replacing: old)
      state.known?.write(new, replacing: old)
      return true
    }
  }

  /// Merges what `records`, which are from `source`, have that is missing here or newer.
  func merge(
    _ records: [AccountRecord], of source: UnifiedCache
  ) async throws(AuthenticationError) -> [UnifiedCache.ImportResult] {
    _ = try await contents()
    let parts = UnifiedCache.Parts(of: source)
    let results = LockedValue<[UnifiedCache.ImportResult]>([])
    try await change { (cache, state) in
      var all: [UnifiedCache.ImportResult] = []
      for record in records {
        let old = cache.record(record.key, clientID: record.clientID)
        let result = UnifiedCache.ImportResult(of: record, at: old)
        if result.kind != .unchanged {
          cache.write(result.record, replacing: old, from: parts.part(of: record))
        }
        all.append(result)
      }
      // The cache also contains what another program wrote since the last read.
      state.isCurrent = false
      results.withLock { $0 = all }
      return all.contains { $0.kind != .unchanged }
    }
    return results.withLock { $0 }
  }

  /// Finds out whether the cache could be written now: its file, or the file that signals changes.
  package func checkWriting() async throws(AuthenticationError) {
    try await perform { () throws(StorageFailure) in
      try PrivateFile(path: self.backend.path).checkWriting()
    }
  }

  /// Removes the app's data of an account, and the account when no other app has data of it.
  package func delete(id: String) async throws(AuthenticationError) {
    try await change { (cache, state) in
      guard let record = state.saved.removeValue(forKey: id) ?? state.known?.record(id: id) else {
        return false
      }
      cache.remove(record)
      state.known?.remove(record)
      return true
    }
  }

  /// Changes the cache under its lock, based on its current content.
  private func change(
    _ edit: @escaping @Sendable (inout UnifiedCache, inout State) -> Bool
  ) async throws(AuthenticationError) {
    try await perform { () throws(StorageFailure) in
      try PrivateFile(path: self.backend.path).prepareDirectory()
      let lock = try FileLock(besideCache: self.backend.path)
      defer { withExtendedLifetime(lock) {} }
      var state = self.state.withLock { $0 }
      state.isCurrent =
        state.isCurrent && !state.isSpoilt && self.backend.isItsOwnSignal
        && state.file?.stamp == FileStamp(path: self.backend.path)
      var reading: Reading
      if state.isCurrent, let known = state.known {
        reading = Reading(cache: known, stamp: state.file?.stamp)
      } else {
        reading = try self.read(isLocked: true)
      }
      if edit(&reading.cache, &state) {
        if let spoilt = reading.spoilt { try self.backend.keepCopy(of: spoilt) }
        reading.stamp = try self.backend.write(reading.cache.bytes)
        state.isSpoilt = false
        // Like all that this program keeps, they go with the last account.
        if self.remedy != nil, reading.cache.accountKeys.isEmpty { self.backend.removeCopies() }
      }
      state.file = SeenFile(self.backend.path, reading.stamp)
      self.state.withLock { $0 = state }
    }
  }

  /// The result of a read.
  private struct Reading {
    var cache: UnifiedCache
    var stamp: FileStamp?
    /// The current content, when it is unreadable and ``cache`` is the content before.
    var spoilt: [UInt8]?
  }

  /// The pause before apparently incomplete or empty content is read again, in microseconds: longer
  /// than the resolution of file times.
  private static let pause = 20_000

  /// How long a program that writes in place may take between emptying the file and filling it, in
  /// seconds: on a busy machine, it can lose the processor for a while.
  private static let writingTime = 1.5

  /// Reads it.
  ///
  /// Some programs write in place, so a file can temporarily be empty or incomplete; of these, some
  /// take no lock. Such content counts only when nobody else holds the lock, it is unchanged since
  /// the previous attempt, and it was not written just now.
  /// - Parameter isLocked: whether the lock is held here.
  private func read(isLocked: Bool = false) throws(StorageFailure) -> Reading {
    var before: FileStamp??
    var waited = 0
    while true {
      let isHeld = !isLocked && FileLock.isHeld(besideCache: backend.path)
      guard let (bytes, stamp) = try backend.read() else {
        return Reading(cache: UnifiedCache(), stamp: nil)
      }
      let isWhole = !backend.isItsOwnSignal || FileStamp(path: backend.path) == stamp
      if isWhole, !bytes.isBlank, let cache = try? UnifiedCache(bytes) {
        return Reading(cache: cache, stamp: stamp)
      }
      let isFresh = backend.isItsOwnSignal && stamp?.isYounger(than: Self.writingTime) == true
      if isWhole, !isHeld, !isFresh, before == .some(stamp) {
        return try reading(of: bytes, stamp)
      }
      guard waited < FileLock.timeout * 1000 else {
        throw StorageFailure(Sentence("another program keeps changing it"))
      }
      before = isHeld ? nil : .some(stamp)
      usleep(UInt32(Self.pause))
      waited += Self.pause
    }
  }

  /// Accepts the content as it is: blank text is an empty cache.
  private func reading(
    of bytes: [UInt8], _ stamp: FileStamp?
  ) throws(StorageFailure) -> Reading {
    do throws(JSONError) {
      return Reading(cache: try UnifiedCache(bytes), stamp: stamp)
    } catch {
      // Another program has corrupted it: use the content before.
      if let known = state.withLock({ $0.known }) {
        return Reading(cache: known, stamp: stamp, spoilt: bytes)
      }
      let reason = Sentence(
        "it is not a token cache ({reason}, line {line}) and was not changed",
        ["reason": error.reason, "line": error.line])
      throw StorageFailure(
        remedy.map { Sentence("{reason}; {remedy}", ["reason": reason, "remedy": $0]) } ?? reason)
    }
  }

  /// Runs `work` on the queue.
  private func perform<Value: Sendable>(
    _ work: @escaping @Sendable () throws(StorageFailure) -> Value
  ) async throws(AuthenticationError) -> Value {
    do throws(StorageFailure) {
      return try await queue.run(work)
    } catch {
      throw self.error(error)
    }
  }

  private func error(_ failure: StorageFailure) -> AuthenticationError {
    AuthenticationError(
      .storageUnavailable,
      Sentence(
        "The {cache} was not used: {reason}.", ["cache": backend.name, "reason": failure.reason]),
      step: .storage)
  }
}

extension [UInt8] {
  /// Whether it contains only whitespace and a byte order mark.
  fileprivate var isBlank: Bool {
    drop { [0xEF, 0xBB, 0xBF].contains($0) }.allSatisfy { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
  }
}
