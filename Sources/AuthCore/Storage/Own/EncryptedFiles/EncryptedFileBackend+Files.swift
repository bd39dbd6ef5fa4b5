import CurlHTTP
import Dispatch
import FoundationEssentials
import Glibc
import Sentences

/// The files and their names.
extension EncryptedFileBackend {
  /// The suffix of an unfinished file; a process that was killed leaves it behind.
  private static let unfinished = ".new"
  static let otherKey = Sentence("it was encrypted with another key or passphrase")
  /// The name of the marker, which earlier versions take for a record of a later one.
  static let markerName = Slot.Name(.record, "newer-version", .a).file

  // MARK: - Names

  /// Whether a file is an account's.
  static func isRecord(_ name: String) -> Bool {
    guard name.hasPrefix(prefix) else {
      return Slot.Name(file: name)?.kind == .record && name != markerName
    }
    let parts = name.utf8.dropFirst(prefix.utf8.count)
      .split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return 1...2 ~= parts.count && parts.allSatisfy { $0.count == EncryptedFile.nameSize }
  }

  /// Whether nothing was ever kept in the directory at `path`: no account, and no marker.
  static func hasKeptNothing(in path: String) throws(StorageFailure) -> Bool {
    if access(path, F_OK) != 0, [ENOENT, ENOTDIR].contains(errno) { return true }
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
      throw StorageFailure(Sentence("the directory of the accounts cannot be read"))
    }
    return !names.contains { isRecord($0) || Slot.Name(file: $0) != nil }
  }

  /// The path of the lock of a store in `directory`.
  static func lockPath(in directory: String) -> String { "\(directory)/lock" }

  static func firstPart(of name: String) -> String {
    String(name.prefix(prefix.count + EncryptedFile.nameSize))
  }

  private static let prefix = "account."

  /// The first part of the name of a record's file.
  func fileName(of id: String) -> String { Self.prefix + cipher.name(for: "record \(id)") }

  func fileName(of record: RecordFile) -> String {
    fileName(of: record.id) + (record.entry.map(lastPart) ?? "")
  }

  private func lastPart(for entry: RecordEntry) -> String {
    let account = [entry.clientID.lowercased(), entry.account.cloud, entry.account.homeAccountID]
    return ".\(cipher.name(for: "account \(account.joined(separator: " "))"))"
  }

  /// Tells by its name whether a file is one of the record with `id`.
  func isFile(of id: String) -> (_ name: String) -> Bool {
    let first = fileName(of: id)
    return { name in
      if let slot = Slot.Name(file: name) { return slot.kind == .record && slot.id == id }
      return Self.firstPart(of: name) == first
    }
  }

  /// Tells by its name whether a file is one of an account, in any record.
  func isFile(of entry: RecordEntry?) -> (_ name: String) -> Bool {
    let last = entry.map(lastPart)
    return { name in last.map(name.hasSuffix) == true && Self.isRecord(name) }
  }

  // MARK: - Files

  func file(_ name: String) -> PrivateFile {
    PrivateFile(path: "\(path)/\(name)", limit: FileReader.Limit.record)
  }

  /// Reads all files, or some.
  ///
  /// - Throws: when the key is wrong, because it opens no file.
  func readAll(
    where isWanted: (_ name: String) -> Bool = { _ in true }
  ) throws(StorageFailure) -> EncryptedFileScan {
    let found = try read(fileNames().filter(isWanted))
    guard !found.isWrongKey else { throw StorageFailure(Self.otherKey) }
    return found
  }

  /// The existing files under `names`.
  ///
  /// A file that is refused for what it is does not keep the others from being read; one that the
  /// system cannot read at the moment does.
  func read(_ names: [String]) throws(StorageFailure) -> EncryptedFileScan {
    try EncryptedFileScan(names, accountName: { self.fileName(of: $0) }) {
      (name) throws(StorageFailure) -> EncryptedFile.Contents? in
      do throws(StorageFailure) {
        return try file(name).read().map { cipher.open($0.bytes, name: name) }
      } catch {
        let reason = Sentence(
          "its file “{file}” was refused: {reason}",
          ["file": "\(path)/\(name)", "reason": error.reason])
        guard error.isRefusal else { throw StorageFailure(reason) }
        return .refused(reason)
      }
    }
  }

  /// The names of all files; empty when the directory does not exist yet.
  func fileNames() throws(StorageFailure) -> [String] {
    guard let directory = opendir(path) else {
      if errno == ENOENT { return [] }
      throw .system(Sentence("it cannot be read"))
    }
    defer { closedir(directory) }
    try file("").checkDirectory()
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(directory) else { break }
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasSuffix(Self.unfinished) {
        PrivateFile.removeLeftover(file(name).path)
      } else {
        names.append(name)
      }
    }
    guard errno == 0 else { throw .system(Sentence("it cannot be read")) }
    return names
  }

  /// Runs `work` on the queue.
  func perform<Value: Sendable>(
    _ work: @escaping @Sendable () throws(StorageFailure) -> Value
  ) async throws(AuthenticationError) -> Value {
    do throws(StorageFailure) {
      return try await queue.run(work)
    } catch {
      throw Self.failure(error, path: path)
    }
  }

  static func failure(_ failure: StorageFailure, path: String) -> AuthenticationError {
    AuthenticationError(
      .storageUnavailable,
      Sentence(
        "The token store “{path}” was not used: {reason}.",
        ["path": path, "reason": failure.reason]),
      step: .storage)
  }
}

extension Slot.Name {
  /// The name of a file that was set aside, or of a slot of an earlier version: the kind, the ID in
  /// base64url, and the side.
  var file: String {
    ([kind.rawValue, Base64URL.encode(id.utf8)] + (side.map { [$0.rawValue] } ?? []))
      .joined(separator: ".")
  }

  init?(file: String) {
    let parts = file.split(separator: ".", omittingEmptySubsequences: false)
    guard 2...3 ~= parts.count, let kind = Slot.Kind(rawValue: String(parts[0])),
      let id = Base64URL.decode(parts[1])
    else { return nil }
    let side = parts.count == 3 ? Slot.Side(rawValue: String(parts[2])) : nil
    guard parts.count == 2 || side != nil else { return nil }
    self.init(kind, String(decoding: id, as: UTF8.self), side)
  }
}
