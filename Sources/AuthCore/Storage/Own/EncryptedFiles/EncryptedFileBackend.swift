import CurlHTTP
import Dispatch
import FoundationEssentials
import Glibc
import Sentences

/// A directory of encrypted files, one for each account, which a write replaces.
///
/// The directory is the index. A file's name is made from the record's ID and its account with the
/// key, so that it tells nothing, and an account that signs in again is known by the name of its
/// file even when the file cannot be read.
final class EncryptedFileBackend: RecordBackend {
  let path: String
  let cipher: EncryptedFile
  /// Files are read and written on a queue of their own, one call at a time.
  let queue = DispatchQueue(label: "encrypted-token-store")
  private let state = LockedValue(State())
  /// Sees whether the key is still the one to use, before anything is kept with it.
  private let checkKey: (@Sendable () throws(StorageFailure) -> Void)?

  private struct State: Sendable {
    /// When the users had signed in, by the IDs of the records that were read or written here, even
    /// if someone else has removed them since.
    var seen: [String: String] = [:]
    var lost: [LostAccount] = []
    /// Whether the directory has its marker, and no slots of an earlier version.
    var isMarked = false
  }

  init(
    path: String, key: Secret<Data>,
    checkKey: (@Sendable () throws(StorageFailure) -> Void)? = nil
  ) {
    self.path = path
    self.checkKey = checkKey
    cipher = EncryptedFile(key: key)
  }

  func prepare() {}

  var lost: [LostAccount] { state.withLock { $0.lost } }

  // MARK: - Reading

  func list() async throws(AuthenticationError) -> RecordListing {
    try await perform { () throws(StorageFailure) in
      let found = try self.readAll()
      self.state.withLock { state in
        for file in found.files { state.seen[file.id] = file.signedIn }
        state.lost = found.lost
        state.isMarked = found.isMarked
      }
      var listing = RecordListing(records: found.files.map(\.record), problems: found.problems)
      if !found.damaged.isEmpty || !found.outdated.isEmpty {
        listing.tidy = { [self] () throws(AuthenticationError) in
          try await perform { () throws(StorageFailure) in try self.tidy(found) }
        }
      }
      return listing
    }
  }

  func index(isCurrent: Bool) async throws(AuthenticationError) -> [RecordEntry]? {
    try await perform { () throws(StorageFailure) in try self.readAll().files.compactMap(\.entry) }
  }

  func read(_ id: String) async throws(AuthenticationError) -> StoredRecord? {
    try await perform { () throws(StorageFailure) in
      let found = try self.read(self.fileNames().filter(self.isFile(of: id)))
      guard found.problems.warning() == nil, let file = found.files.first else { return nil }
      self.state.withLock { $0.seen[id] = file.signedIn }
      return file.record
    }
  }

  // MARK: - Writing

  func write(
    _ records: [StoredRecord], isCurrent: Bool
  ) async throws(AuthenticationError) -> Bool {
    try await perform { () throws(StorageFailure) in
      if let found = try self.unmarked(isCurrent: isCurrent) { try self.takeOver(found) }
      var isAll = true
      for record in records where try !self.write(RecordFile(record), isCurrent: isCurrent) {
        isAll = false
      }
      return isAll
    }
  }

  /// Writes a record; returns false when another process has removed it meanwhile.
  private func write(_ record: RecordFile, isCurrent: Bool) throws(StorageFailure) -> Bool {
    let name = fileName(of: record)
    let seen = state.withLock { $0.seen[record.id] }
    var others: [String] = []
    if !isCurrent || seen == nil || access(file(name).path, F_OK) != 0 {
      let names = try fileNames()
      others = names.filter(isFile(of: record.id))
      guard !others.isEmpty || seen != record.signedIn else { return false }
      // What cannot be read of this account is replaced.
      let found = try read(others + names.filter(isFile(of: record.entry)))
      if let reason = found.accounts[fileName(of: record.id)]?.untouchable {
        throw StorageFailure(RecordStore.unchanged(because: reason))
      }
      for account in found.accounts.values {
        for name in account.damaged + account.refused { try setAside(name) }
      }
    }
    try seal(record)
    try remove(others.filter { $0 != name })
    let isReplaced = isFile(of: record.entry)
    state.withLock { state in
      state.seen[record.id] = record.signedIn
      state.lost.removeAll { $0.record == name || isReplaced($0.record) }
    }
    return true
  }

  func delete(_ id: String, isCurrent: Bool) async throws(AuthenticationError) {
    try await perform { () throws(StorageFailure) in
      var unmarked = try self.unmarked(isCurrent: isCurrent)
      let isFile = self.isFile(of: id)
      let names = try self.fileNames().filter { isFile($0) || $0 == id && Self.isRecord($0) }
      // The slots of earlier versions first: without its file, they would be the account again.
      try self.remove(names.sorted(by: >))
      self.state.withLock { state in
        state.seen[id] = nil
        state.lost.removeAll { $0.record == id }
      }
      // Only then, because sign-out must work on a full disk.
      unmarked?.accounts[self.fileName(of: id)] = nil
      if let unmarked { try self.takeOver(unmarked) }
      let rest = try self.fileNames()
      guard !rest.contains(where: Self.isRecord) else { return }
      try self.remove(rest.filter { Slot.Name(file: $0)?.kind == .quarantine })
    }
  }

  func checkWriting() async throws(AuthenticationError) {
    try await perform { () throws(StorageFailure) in try self.file("").checkWriting() }
  }

  /// Writes the file of a record.
  private func seal(_ record: RecordFile) throws(StorageFailure) {
    let name = fileName(of: record)
    try replace(name, with: cipher.seal(record.data, name: name))
  }

  private func replace(_ name: String, with bytes: [UInt8]) throws(StorageFailure) {
    let file = file(name)
    try file.prepareDirectory()
    _ = try file.write(bytes, replacing: true)
  }

  /// Removes files so that a power failure does not bring their tokens back.
  private func remove(_ names: [String]) throws(StorageFailure) {
    guard !names.isEmpty else { return }
    defer { file("").synchronizeDirectory() }
    for name in names { try remove(name) }
  }

  private func remove(_ name: String) throws(StorageFailure) {
    let path = file(name).path
    if unlink(path) == 0 || errno == ENOENT || errno == EISDIR && rmdir(path) == 0 { return }
    throw .system(Sentence("a file in it cannot be removed"))
  }

  // MARK: - The slots of earlier versions

  /// The contents of the directory when slots have to be taken over, or the marker is missing; nil
  /// otherwise.
  ///
  /// - Throws: when the key is wrong, because nothing may be written with it.
  private func unmarked(isCurrent: Bool) throws(StorageFailure) -> EncryptedFileScan? {
    if isCurrent, state.withLock({ $0.isMarked }) { return nil }
    let slots = try readAll { Slot.Name(file: $0) != nil }
    state.withLock { $0.isMarked = slots.isMarked }
    return slots.isMarked ? nil : try readAll()
  }

  /// Writes the accounts in slots to files, then the marker, and removes the slots.
  ///
  /// When the program ends in between, each account is in its slots, in its file, or in both with
  /// the same contents.
  private func takeOver(_ found: EncryptedFileScan) throws(StorageFailure) {
    try checkKey?()
    let taken = found.accounts.values.filter(\.isInSlots).compactMap(\.file)
    try tidy(found)
    do throws(StorageFailure) {
      for record in taken { try seal(record) }
      // Without the index, they would be accounts again.
      for name in found.removed { try remove(name) }
      try replace(Self.markerName, with: Array(cipher.marker))
    } catch {
      // An earlier version may go on with the slots.
      for record in taken { try? remove(fileName(of: record)) }
      throw error
    }
    // What cannot be removed is not used any longer, and tried again by the next process.
    for name in found.indexSlots { try? remove(name) }
    for account in found.accounts.values where account.file != nil {
      for name in account.refused { try? setAside(name) }
      for name in account.names where Slot.Name(file: name) != nil { try? remove(name) }
    }
    state.withLock { $0.isMarked = true }
  }

  // MARK: - Damaged files

  /// Sets damaged files aside, and deletes obsolete ones.
  private func tidy(_ found: EncryptedFileScan) throws(StorageFailure) {
    for name in found.outdated { try remove(name) }
    for name in found.damaged.prefix(Quarantine.count) { try setAside(name) }
    // More would not be kept.
    for name in found.damaged.dropFirst(Quarantine.count) { try remove(name) }
  }

  /// Moves a file to the quarantine: whatever it is, it need not be read, and nothing of it is lost.
  private func setAside(_ name: String) throws(StorageFailure) {
    let (old, new) = (file(name).path, file(Quarantine.newName.file).path)
    guard rename(old, new) == 0 || errno == ENOENT else {
      throw .system(
        Sentence("its file “{file}”, which cannot be used, cannot be moved", ["file": old]))
    }
  }
}
