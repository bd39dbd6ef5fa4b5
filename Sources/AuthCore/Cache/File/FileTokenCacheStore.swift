import CurlHTTP
import Dispatch
import FoundationEssentials

/// Keeps accounts in a file in MSAL's unified schema, which MSAL for Python, .NET, Go, Node and Java read
/// and write, too.
///
/// It is a plain file. Only its owner can open it (mode 0600), but that is everyone who runs a program as
/// that person, whoever gets hold of the disk or of a backup, and the administrator: all of them can take
/// the tokens in it and be that person. Where there is a Secret Service, keep accounts there.
///
/// Programs that share the file take turns by a lock beside it, `<path>.lockfile`, and each finds what the
/// others have written. A write puts a whole new file in place of the old one. A file that is no token cache
/// is put aside, never written over, and one that others could have written is not read at all.
public final class FileTokenCacheStore: TokenCacheStore {
  private let file: CacheFile
  /// Files are read and written where waiting does no harm, one call at a time.
  private let queue = DispatchQueue(label: "token-cache-file")
  private let state = LockedValue(State())

  private struct State: Sendable {
    /// What the caller knows of the file: as it was last read, with what was written since; nil before
    /// that.
    var known: UnifiedTokenCache?
    /// The file's stamp when it was that; nil when it was not there.
    var stamp: CacheFile.Stamp?
    /// Watches the file that has the stamp.
    var watch: FileWatch?
    /// Whether nothing else was in the file when it was last written.
    var isCurrent = false
    /// The accounts behind the IDs of records that were saved here.
    var saved: [String: AccountRecord] = [:]
  }

  /// Opens the store in the file at `path`.
  ///
  /// Neither the file nor its directory has to be there; they are made when an account is kept.
  public init(path: String) {
    file = CacheFile(path: path)
  }

  /// Whether the file is another than the one that was read or written last.
  public var hasChanged: Bool {
    let (watch, stamp, isCurrent) = state.withLock { ($0.watch, $0.stamp, $0.isCurrent) }
    if let watch { return !isCurrent || !watch.isUnchanged }
    return !isCurrent || stamp != file.stamp
  }

  /// The file's path, the same however it was written.
  public var lockName: String? { "file \(file.canonicalPath)" }

  /// All accounts in the file, those of all apps.
  ///
  /// - Throws: ``AuthenticationError`` with code ``AuthenticationError/Code/storageUnavailable`` when the
  ///   file cannot be read, or must not be because others have access to it; also, once, when it is no token
  ///   cache and was put aside.
  public func load() async throws(AuthenticationError) -> [StoredRecord] {
    try await perform { () throws(CacheFile.Failure) in
      let (cache, stamp) = try self.read(isLocked: false)
      let watch = stamp.flatMap { FileWatch(self.file.path, $0) }
      self.state.withLock {
        $0.known = cache
        $0.stamp = stamp
        $0.watch = watch
        $0.isCurrent = true
      }
      return cache.records
    }
  }

  /// Writes what has changed of an account.
  public func save(_ record: StoredRecord) async throws(AuthenticationError) {
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

  /// Removes what the account's app has of it, and the account when no other app has anything of it.
  public func delete(id: String) async throws(AuthenticationError) {
    try await change { (cache, state) in
      guard let record = state.saved.removeValue(forKey: id) ?? state.known?.record(id: id) else {
        return false
      }
      cache.remove(record)
      state.known?.remove(record)
      return true
    }
  }

  /// Changes the file under its lock, starting from what it holds now.
  private func change(
    _ edit: @escaping @Sendable (inout UnifiedTokenCache, inout State) -> Bool
  ) async throws(AuthenticationError) {
    try await perform { () throws(CacheFile.Failure) in
      try self.file.prepareDirectory()
      let lock = try CacheLock(cachePath: self.file.path)
      defer { lock.release() }
      var state = self.state.withLock { $0 }
      state.isCurrent = state.isCurrent && state.stamp == self.file.stamp
      var cache = UnifiedTokenCache()
      if state.isCurrent, let known = state.known {
        cache = known
      } else {
        (cache, state.stamp) = try self.read(isLocked: true)
      }
      if edit(&cache, &state) { state.stamp = try self.file.write(cache.pieces) }
      state.watch = state.stamp.flatMap { FileWatch(self.file.path, $0) }
      self.state.withLock { $0 = state }
    }
  }

  /// Reads the file; one that is no cache is put aside.
  ///
  /// Some programs write in place, so that half a file can be seen unless it is locked.
  private func read(
    isLocked: Bool
  ) throws(CacheFile.Failure) -> (UnifiedTokenCache, CacheFile.Stamp?) {
    guard let (bytes, stamp) = try file.read() else { return (UnifiedTokenCache(), nil) }
    do throws(JSONError) {
      return (try UnifiedTokenCache(bytes), stamp)
    } catch {
      guard isLocked else {
        let lock = try CacheLock(cachePath: file.path)
        defer { lock.release() }
        return try read(isLocked: true)
      }
      let name = try file.setAside()
      // Another program has spoilt it: what was in it before is not lost.
      if let lastGood = state.withLock({ $0.known }) { return (lastGood, nil) }
      throw CacheFile.Failure(
        "it was no token cache (\(error.reason), line \(error.line)) and was renamed to '\(name)';"
          + " please sign in again")
    }
  }

  /// Does `work` on the queue.
  private func perform<Value: Sendable>(
    _ work: @escaping @Sendable () throws(CacheFile.Failure) -> Value
  ) async throws(AuthenticationError) -> Value {
    let result: Result<Value, CacheFile.Failure> = await withCheckedContinuation { continuation in
      queue.async {
        continuation.resume(returning: Result { () throws(CacheFile.Failure) in try work() })
      }
    }
    do {
      return try result.get()
    } catch {
      throw AuthenticationError(
        .storageUnavailable, "The token cache '\(file.path)' was not used: \(error.reason).",
        step: .storage)
    }
  }
}

extension UnifiedTokenCache {
  /// The records in it: one for each account and app.
  fileprivate var records: [StoredRecord] {
    let snapshot = Snapshot(self)
    return accounts.flatMap { account in
      clientIDs(of: account).map {
        StoredRecord(
          id: Self.id(account, clientID: $0), form: .account(account, clientID: $0, snapshot))
      }
    }
  }

  fileprivate func record(_ account: AccountID, clientID: String) -> AccountRecord? {
    AccountRecord(
      self, of: account, clientID: clientID, id: Self.id(account, clientID: clientID))
  }

  fileprivate func record(id: String) -> AccountRecord? {
    records.first { $0.id == id }.flatMap { AccountRecord($0) }
  }

  private static func id(_ account: AccountID, clientID: String) -> String {
    "\(account.homeAccountID) \(account.cloud) \(clientID)"
  }
}
