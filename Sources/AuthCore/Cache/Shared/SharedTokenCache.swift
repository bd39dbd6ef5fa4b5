import CurlHTTP
import Dispatch
import FoundationEssentials

/// A token cache in MSAL's unified schema that other programs read and write, too.
///
/// Programs take turns by a lock, and each finds what the others have written. What was not read is never
/// written over.
package final class SharedTokenCache: Sendable {
  private let place: any TokenCachePlace
  /// It is read and written where waiting does no harm, one call at a time.
  private let queue = DispatchQueue(label: "token-cache")
  private let state = LockedValue(State())

  private struct State: Sendable {
    /// What the caller knows of the cache: as it was last read, with what was written since; nil before
    /// that.
    var known: UnifiedTokenCache?
    /// The stamp when it was that; nil when there was no file.
    var stamp: FileStamp?
    /// Watches the file that has the stamp.
    var watch: FileWatch?
    /// Whether nothing else was in the cache when it was last written.
    var isCurrent = false
    /// The accounts behind the IDs of records that were saved here.
    var saved: [String: AccountRecord] = [:]
  }

  /// The cache at `place`, which does not have to be there before an account is kept.
  package init(at place: any TokenCachePlace) {
    self.place = place
  }

  /// Whether it is another than the one that was read or written last.
  package var hasChanged: Bool {
    let (watch, stamp, isCurrent) = state.withLock { ($0.watch, $0.stamp, $0.isCurrent) }
    if let watch { return !isCurrent || !watch.isUnchanged }
    return !isCurrent || stamp != FileStamp(path: place.path)
  }

  /// The path of the file that tells of changes, the same however it was written.
  package var lockName: String { "file \(CacheFile(path: place.path).canonicalPath)" }

  /// All accounts in it, those of all apps.
  package func load() async throws(AuthenticationError) -> [StoredRecord] {
    try await contents().records
  }

  /// All that is in it.
  func contents() async throws(AuthenticationError) -> UnifiedTokenCache {
    do throws(TokenCacheFailure) {
      try await place.open()
    } catch {
      throw self.error(error)
    }
    return try await perform { () throws(TokenCacheFailure) in
      let (cache, stamp) = try self.read(isLocked: false)
      let watch = stamp.flatMap { FileWatch(self.place.path, $0) }
      self.state.withLock {
        $0.known = cache
        $0.stamp = stamp
        $0.watch = watch
        $0.isCurrent = true
      }
      return cache
    }
  }

  /// Writes what has changed of an account.
  package func save(_ record: StoredRecord) async throws(AuthenticationError) {
    guard let new = AccountRecord(record) else { return }
    try await change { (cache, state) in
      let old = state.known?.record(new.accountID, clientID: new.clientID)
      state.saved[record.id] = new
      // Another program has removed the account meanwhile: a renewed token does not bring it back.
      if old?.signedInAt == new.signedInAt,
        cache.record(new.accountID, clientID: new.clientID) == nil
      {
        return false
      }
      cache.write(new, replacing: old)
      state.known?.write(new, replacing: old)
      return true
    }
  }

  /// Takes in what `records` have that is not there, or newer.
  func merge(
    _ records: [AccountRecord]
  ) async throws(AuthenticationError) -> [TokenCacheContents.Arrival] {
    _ = try await contents()
    let arrivals = LockedValue<[TokenCacheContents.Arrival]>([])
    try await change { (cache, state) in
      var kinds: [TokenCacheContents.Arrival] = []
      for record in records {
        let old = cache.record(record.accountID, clientID: record.clientID)
        var merged = old ?? record
        let isChanged = merged.merge(record)
        kinds.append(.init(old == nil ? .new : isChanged ? .changed : .unchanged, merged))
        if old == nil || isChanged { cache.write(merged, replacing: old) }
      }
      // What another program wrote since it was read is in there, too.
      state.isCurrent = false
      arrivals.withLock { $0 = kinds }
      return kinds.contains { $0.kind != .unchanged }
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
    _ edit: @escaping @Sendable (inout UnifiedTokenCache, inout State) -> Bool
  ) async throws(AuthenticationError) {
    try await perform { () throws(TokenCacheFailure) in
      let lock = try self.lock()
      defer { lock.release() }
      var state = self.state.withLock { $0 }
      state.isCurrent =
        state.isCurrent && self.place.isItsOwnSignal
        && state.stamp == FileStamp(path: self.place.path)
      var cache = UnifiedTokenCache()
      if state.isCurrent, let known = state.known {
        cache = known
      } else {
        (cache, state.stamp) = try self.read(isLocked: true)
      }
      if edit(&cache, &state) { state.stamp = try self.place.write(cache.pieces) }
      state.watch = state.stamp.flatMap { FileWatch(self.place.path, $0) }
      self.state.withLock { $0 = state }
    }
  }

  /// Reads it; what is no cache is put aside.
  ///
  /// Some programs write in place, so that half a file can be seen unless it is locked.
  private func read(
    isLocked: Bool
  ) throws(TokenCacheFailure) -> (UnifiedTokenCache, FileStamp?) {
    guard let (bytes, stamp) = try place.read() else { return (UnifiedTokenCache(), nil) }
    do throws(JSONError) {
      return (try UnifiedTokenCache(bytes), stamp)
    } catch {
      guard isLocked else {
        let lock = try lock()
        defer { lock.release() }
        return try read(isLocked: true)
      }
      let name = try place.setAside()
      // Another program has spoilt it: what was in it before is not lost.
      if let lastGood = state.withLock({ $0.known }) { return (lastGood, nil) }
      throw TokenCacheFailure(
        "it was no token cache (\(error.reason), line \(error.line)) and was renamed to '\(name)';"
          + " please sign in again")
    }
  }

  private func lock() throws(TokenCacheFailure) -> CacheLock {
    try CacheFile(path: place.path).prepareDirectory()
    return try CacheLock(cachePath: place.path)
  }

  /// Does `work` on the queue.
  private func perform<Value: Sendable>(
    _ work: @escaping @Sendable () throws(TokenCacheFailure) -> Value
  ) async throws(AuthenticationError) -> Value {
    let result: Result<Value, TokenCacheFailure> = await withCheckedContinuation { continuation in
      queue.async {
        continuation.resume(returning: Result { () throws(TokenCacheFailure) in try work() })
      }
    }
    do {
      return try result.get()
    } catch {
      throw self.error(error)
    }
  }

  private func error(_ failure: TokenCacheFailure) -> AuthenticationError {
    AuthenticationError(
      .storageUnavailable, "The \(place.name) was not used: \(failure.reason).", step: .storage)
  }
}

/// A store over a cache that other programs use, too.
package protocol SharedTokenCacheStore: TokenCacheStore {
  var cache: SharedTokenCache { get }
}
