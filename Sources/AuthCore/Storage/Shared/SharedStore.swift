import CurlHTTP
import Dispatch
import FoundationEssentials
import Glibc
import Sentences

/// A token cache in MSAL's unified schema that other programs read and write, too.
///
/// Programs take turns by a lock, and each finds what the others have written. What was not read is never
/// written over, and reading changes nothing: not even the lock is taken.
package final class SharedStore: TokenCacheStore {
  private let backend: any SharedBackend
  /// It is read and written where waiting does no harm, one call at a time.
  private let queue = DispatchQueue(label: "token-cache")
  private let state = LockedValue(State())

  private struct State: Sendable {
    /// What the caller knows of the cache: as it was last read, with what was written since; nil before
    /// that.
    var known: UnifiedCache?
    /// The stamp when it was that; nil when there was no file.
    var stamp: FileStamp?
    /// Watches the file that has the stamp.
    var watch: FileWatch?
    /// Whether nothing else was in the cache when it was last read or written.
    var isCurrent = false
    /// Whether another program has spoilt the cache since: then ``known`` is what was in it before.
    var isSpoilt = false
    /// The accounts behind the IDs of records that were saved here.
    var saved: [String: AccountRecord] = [:]
  }

  /// The cache in `backend`, which does not have to be there before an account is kept.
  package init(in backend: any SharedBackend) {
    self.backend = backend
  }

  /// Whether it is another than the one that was read or written last.
  package var hasChanged: Bool {
    let (watch, stamp, isCurrent) = state.withLock { ($0.watch, $0.stamp, $0.isCurrent) }
    if let watch { return !isCurrent || !watch.isUnchanged }
    return !isCurrent || stamp != FileStamp(path: backend.path)
  }

  /// The path of the file that tells of changes, the same however it was written.
  package var lockName: String? { "file \(PrivateFile(path: backend.path).canonicalPath)" }

  /// Lets the next read ask the person, although they were asked before.
  package func allowAskingAgain() { backend.allowAskingAgain() }

  /// All accounts in it, those of all apps.
  package func load() async throws(AuthenticationError) -> [StoredRecord] {
    try await contents().records
  }

  /// All that is in it.
  func contents() async throws(AuthenticationError) -> UnifiedCache {
    do throws(StorageFailure) {
      try await backend.open()
    } catch {
      throw self.error(error)
    }
    return try await perform { () throws(StorageFailure) in
      let reading = try self.read()
      let watch = reading.stamp.flatMap { FileWatch(self.backend.path, $0) }
      self.state.withLock {
        $0.known = reading.cache
        $0.stamp = reading.stamp
        $0.watch = watch
        $0.isCurrent = true
        $0.isSpoilt = reading.spoilt != nil
      }
      return reading.cache
    }
  }

  /// Writes what has changed of an account.
  package func save(_ record: StoredRecord) async throws(AuthenticationError) {
    guard let new = record.account?.asWritten else { return }
    try await change { (cache, state) in
      let old = state.known?.record(new.key, clientID: new.clientID)
      state.saved[record.id] = new
      // Another program has removed the account meanwhile: a renewed token does not bring it back.
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

  /// Takes in what `records`, which are in `source`, have that is not there, or newer.
  func merge(
    _ records: [AccountRecord], of source: UnifiedCache
  ) async throws(AuthenticationError) -> [UnifiedCache.Arrival] {
    _ = try await contents()
    let arrivals = LockedValue<[UnifiedCache.Arrival]>([])
    try await change { (cache, state) in
      var all: [UnifiedCache.Arrival] = []
      for record in records {
        let old = cache.record(record.key, clientID: record.clientID)
        let arrival = UnifiedCache.Arrival(of: record, at: old)
        if arrival.kind != .unchanged {
          cache.write(arrival.record, replacing: old, from: source)
        }
        all.append(arrival)
      }
      // What another program wrote since it was read is in there, too.
      state.isCurrent = false
      arrivals.withLock { $0 = all }
      return all.contains { $0.kind != .unchanged }
    }
    return arrivals.withLock { $0 }
  }

  /// Removes what the account's app has of it, and the account when no other app has anything of it.
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

  /// Changes the cache under its lock, starting from what it holds now.
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
        && state.stamp == FileStamp(path: self.backend.path)
      var reading: Reading
      if state.isCurrent, let known = state.known {
        reading = Reading(cache: known, stamp: state.stamp)
      } else if let (bytes, stamp) = try self.backend.read() {
        reading = try self.reading(of: bytes, stamp)
      } else {
        reading = Reading(cache: UnifiedCache(), stamp: nil)
      }
      state.stamp = reading.stamp
      if edit(&reading.cache, &state) {
        if let spoilt = reading.spoilt { try self.backend.keepCopy(of: spoilt) }
        state.stamp = try self.backend.write(reading.cache.pieces)
        state.isSpoilt = false
      }
      state.watch = state.stamp.flatMap { FileWatch(self.backend.path, $0) }
      self.state.withLock { $0 = state }
    }
  }

  /// What was read.
  private struct Reading {
    var cache: UnifiedCache
    var stamp: FileStamp?
    /// What is there, when it cannot be read and ``cache`` is what was there before.
    var spoilt: [UInt8]?
  }

  /// How long to wait before what looks torn or empty is read again, in microseconds: longer than the time
  /// of a file takes to tick.
  private static let pause = 20_000

  /// Reads it, without the lock.
  ///
  /// Some programs write in place: what is seen of a file can be nothing, or a part of it. So that counts
  /// only once nobody has the lock, and nothing has changed since it was seen before.
  private func read() throws(StorageFailure) -> Reading {
    var before: FileStamp??
    var waited = 0
    while true {
      let isHeld = FileLock.isHeld(besideCache: backend.path)
      guard let (bytes, stamp) = try backend.read() else {
        return Reading(cache: UnifiedCache(), stamp: nil)
      }
      let isWhole = !backend.isItsOwnSignal || FileStamp(path: backend.path) == stamp
      if isWhole, !bytes.isBlank, let cache = try? UnifiedCache(bytes) {
        return Reading(cache: cache, stamp: stamp)
      }
      if isWhole, !isHeld, before == .some(stamp) { return try reading(of: bytes, stamp) }
      guard waited < FileLock.patience * 1000 else {
        throw StorageFailure(Sentence("another program keeps changing it"))
      }
      before = isHeld ? nil : .some(stamp)
      usleep(UInt32(Self.pause))
      waited += Self.pause
    }
  }

  /// Takes what is there as it is: blank text is an empty cache.
  private func reading(
    of bytes: [UInt8], _ stamp: FileStamp?
  ) throws(StorageFailure) -> Reading {
    do throws(JSONError) {
      return Reading(cache: try UnifiedCache(bytes), stamp: stamp)
    } catch {
      // Another program has spoilt it: what was in it before is not lost.
      if let known = state.withLock({ $0.known }) {
        return Reading(cache: known, stamp: stamp, spoilt: bytes)
      }
      throw StorageFailure(
        Sentence(
          "it is not a token cache ({reason}, line {line}) and was not changed",
          ["reason": error.reason, "line": error.line]))
    }
  }

  /// Does `work` on the queue.
  private func perform<Value: Sendable>(
    _ work: @escaping @Sendable () throws(StorageFailure) -> Value
  ) async throws(AuthenticationError) -> Value {
    let result: Result<Value, StorageFailure> = await withCheckedContinuation { continuation in
      queue.async {
        continuation.resume(returning: Result { () throws(StorageFailure) in try work() })
      }
    }
    do {
      return try result.get()
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
  /// Whether there is nothing in it but blanks, and a byte order mark.
  fileprivate var isBlank: Bool {
    drop { [0xEF, 0xBB, 0xBF].contains($0) }.allSatisfy { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
  }
}
