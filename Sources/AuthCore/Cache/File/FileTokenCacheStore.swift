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
    /// The file as it was last read or written here; nil before that.
    var cache: UnifiedTokenCache?
    var stamp: CacheFile.Stamp?
    /// Whether `cache` is what the caller has: not so when a write came upon another program's.
    var isKnown = false
    /// What the caller has of each account.
    var records: [String: StoredRecord] = [:]
  }

  /// Opens the store in the file at `path`.
  ///
  /// Neither the file nor its directory has to be there; they are made when an account is kept.
  public init(path: String) {
    file = CacheFile(path: path)
  }

  /// Whether the file is another than the one that was read or written last.
  public var hasChanged: Bool {
    let (stamp, isKnown) = state.withLock { ($0.stamp, $0.isKnown) }
    return !isKnown || stamp != file.stamp
  }

  /// All accounts in the file, those of all apps.
  ///
  /// - Throws: ``AuthenticationError`` with code ``AuthenticationError/Code/storageUnavailable`` when the
  ///   file cannot be read, or must not be because others have access to it; also, once, when it is no token
  ///   cache and was put aside.
  public func load() async throws(AuthenticationError) -> [StoredRecord] {
    try await perform { () throws(CacheFile.Failure) in
      let (cache, stamp) = try self.read(isLocked: false)
      let records = cache.records
      self.state.withLock {
        $0 = State(
          cache: cache, stamp: stamp, isKnown: true,
          records: Dictionary(records.map { ($0.id, $0) }) { $1 })
      }
      return records
    }
  }

  /// Writes what has changed of an account.
  public func save(_ record: StoredRecord) async throws(AuthenticationError) {
    try await change { (cache, known) in
      guard let new = AccountRecord(record) else { return false }
      let old = known[record.id].flatMap { AccountRecord($0) }
      // Another program has removed the account meanwhile: a renewed token does not bring it back.
      if let old, old.signedInAt == new.signedInAt,
        AccountRecord(cache, of: new.accountID, clientID: new.clientID, id: "") == nil
      {
        return false
      }
      cache.write(new, replacing: old)
      known[record.id] = record
      return true
    }
  }

  /// Removes what the account's app has of it, and the account when no other app has anything of it.
  public func delete(id: String) async throws(AuthenticationError) {
    try await change { (cache, known) in
      guard let record = known.removeValue(forKey: id).flatMap({ AccountRecord($0) }) else {
        return false
      }
      cache.remove(record)
      return true
    }
  }

  /// Changes the file under its lock, starting from what it holds now.
  private func change(
    _ edit: @escaping @Sendable (inout UnifiedTokenCache, inout [String: StoredRecord]) -> Bool
  ) async throws(AuthenticationError) {
    try await perform { () throws(CacheFile.Failure) in
      try self.file.prepareDirectory()
      let lock = try CacheLock(cachePath: self.file.path)
      defer { lock.release() }
      var state = self.state.withLock { $0 }
      var cache = state.cache ?? UnifiedTokenCache()
      if !state.isKnown || state.stamp != self.file.stamp {
        (cache, state.stamp) = try self.read(isLocked: true)
        state.isKnown = false
      }
      if edit(&cache, &state.records) { state.stamp = try self.file.write(cache.text) }
      state.cache = cache
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
      if let lastGood = state.withLock({ $0.cache }) { return (lastGood, nil) }
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

extension AccountRecord {
  /// Reads a record, whichever app's it is.
  fileprivate init?(_ stored: StoredRecord) {
    switch stored.form {
    case .account(_, let clientID, _): self.init(stored, clientID: clientID)
    case .text(let contents):
      guard let cache = try? UnifiedTokenCache(Array(contents.exposed)),
        let clientID = cache.accounts.lazy.flatMap(cache.clientIDs).first
      else { return nil }
      self.init(stored, clientID: clientID)
    }
  }
}

extension UnifiedTokenCache {
  /// The records in it: one for each account and app.
  fileprivate var records: [StoredRecord] {
    var records: [StoredRecord] = []
    records.reserveCapacity(accounts.count)
    for account in accounts {
      for clientID in clientIDs(of: account) {
        records.append(
          StoredRecord(
            id: "\(account.homeAccountID) \(account.cloud) \(clientID)",
            form: .account(account, clientID: clientID, self)))
      }
    }
    return records
  }
}
