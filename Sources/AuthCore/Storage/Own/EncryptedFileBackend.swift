import CurlHTTP
import Dispatch
import FoundationEssentials
import Glibc
import Sentences

/// A directory of encrypted files, one for each slot.
struct EncryptedFileBackend: RecordBackend {
  let path: String
  private let cipher: EncryptedFile
  /// Files are read and written on a queue of their own, one call at a time.
  private let queue = DispatchQueue(label: "encrypted-token-store")

  /// The suffix of an unfinished file; a process that was killed leaves it behind.
  private static let unfinished = ".new"
  /// The age after which an unfinished file is abandoned, in seconds.
  private static let leftoverAge = 60
  fileprivate static let otherKey = Sentence("it was encrypted with another key or passphrase")

  init(path: String, key: Secret<Data>) {
    self.path = path
    cipher = EncryptedFile(key: key)
  }

  func prepare() {}

  func list() async throws(AuthenticationError) -> [Slot] {
    try await perform { () throws(StorageFailure) in
      let names = try self.fileNames().compactMap(Slot.Name.init(file:))
      let files = try self.read(names.filter { $0.kind != .quarantine })
      // A key that opens no file is the wrong key.
      let isWrongKey =
        files.contains { $0.contents.isOtherKeys } && !files.contains { $0.contents.isOpened }
      guard !isWrongKey else { throw StorageFailure(Self.otherKey) }
      // Only the names of what was set aside matter.
      return files.map { Slot(name: $0.name, contents: $0.contents.slotContents) }
        + names.filter { $0.kind == .quarantine }
        .map { Slot(name: $0, contents: .damaged(Secret(Data()))) }
    }
  }

  func read(_ kind: Slot.Kind, _ id: String) async throws(AuthenticationError) -> [Slot] {
    try await perform { () throws(StorageFailure) in
      let sides = kind == .quarantine ? [nil] : Slot.Side.allCases.map(Optional.init)
      let files = try self.read(sides.map { Slot.Name(kind, id, $0) })
      // The index is read before anything is written.
      guard kind != .index || !files.contains(where: { $0.contents.isOtherKeys }) else {
        throw StorageFailure(Self.otherKey)
      }
      return files.map { Slot(name: $0.name, contents: $0.contents.slotContents) }
    }
  }

  func write(_ data: Secret<Data>, as name: Slot.Name) async throws(AuthenticationError) {
    try await perform { () throws(StorageFailure) in
      let file = self.file(name.file)
      try file.prepareDirectory()
      _ = try file.write(self.cipher.seal(data.exposed, name: name.file))
    }
  }

  func checkWriting() async throws(AuthenticationError) {
    try await perform { () throws(StorageFailure) in try self.file("").checkWriting() }
  }

  func delete(_ name: Slot.Name) async throws(AuthenticationError) {
    try await perform { () throws(StorageFailure) in
      let path = self.file(name.file).path
      if unlink(path) == 0 || errno == ENOENT || errno == EISDIR && rmdir(path) == 0 { return }
      throw .system(Sentence("a file in it cannot be removed"))
    }
  }

  /// Renames the file: whatever it is, it need not be read, and nothing of it is lost.
  func move(
    _ name: Slot.Name, to copy: Slot.Name, _ bytes: Secret<Data>
  ) async throws(AuthenticationError) {
    try await perform { () throws(StorageFailure) in
      let (old, new) = (self.file(name.file).path, self.file(copy.file).path)
      guard rename(old, new) == 0 || errno == ENOENT else {
        throw .system(
          Sentence("its file '{file}', which cannot be used, cannot be moved", ["file": old]))
      }
    }
  }

  // MARK: - Files

  /// A file, or why it was not read.
  private enum Reading {
    case contents(EncryptedFile.Contents)
    case refused(Sentence)

    var isOpened: Bool {
      if case .contents(.opened) = self { true } else { false }
    }

    var isOtherKeys: Bool {
      if case .contents(.otherKey) = self { true } else { false }
    }

    var slotContents: Slot.Contents {
      switch self {
      case .contents(let contents): contents.slotContents
      case .refused(let reason): .refused(reason)
      }
    }
  }

  private typealias File = (name: Slot.Name, contents: Reading)

  private func file(_ name: String) -> PrivateFile {
    PrivateFile(path: "\(path)/\(name)", limit: FileReader.Limit.record)
  }

  /// The existing files under `names`.
  ///
  /// A file that is refused for what it is does not keep the others from being read; one that the
  /// system cannot read at the moment does.
  private func read(_ names: [Slot.Name]) throws(StorageFailure) -> [File] {
    if access(path, F_OK) == 0 { try file("").checkDirectory() }
    var files: [File] = []
    for name in names {
      do throws(StorageFailure) {
        guard let bytes = try file(name.file).read()?.bytes else { continue }
        files.append((name, .contents(cipher.open(bytes, name: name.file))))
      } catch {
        let reason = Sentence(
          "its file '{file}' was refused: {reason}",
          ["file": "\(path)/\(name.file)", "reason": error.reason])
        guard error.isRefusal else { throw StorageFailure(reason) }
        files.append((name, .refused(reason)))
      }
    }
    return files
  }

  /// The names of all files; empty when the directory does not exist yet.
  private func fileNames() throws(StorageFailure) -> [String] {
    guard let directory = opendir(path) else {
      if errno == ENOENT { return [] }
      throw .system(Sentence("it cannot be read"))
    }
    defer { closedir(directory) }
    try file("").prepareDirectory()
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(directory) else { break }
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasSuffix(Self.unfinished) {
        removeLeftover(name)
      } else {
        names.append(name)
      }
    }
    guard errno == 0 else { throw .system(Sentence("it cannot be read")) }
    return names
  }

  /// Removes the unfinished file of a process that was killed, once it is old enough.
  private func removeLeftover(_ name: String) {
    var status = stat()
    let path = file(name).path
    if lstat(path, &status) == 0, time(nil) - status.st_mtim.tv_sec > Self.leftoverAge {
      unlink(path)
    }
  }

  /// Runs `work` on the queue.
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
      throw Self.failure(error, path: path)
    }
  }

  static func failure(_ failure: StorageFailure, path: String) -> AuthenticationError {
    AuthenticationError(
      .storageUnavailable,
      Sentence(
        "The token store '{path}' was not used: {reason}.",
        ["path": path, "reason": failure.reason]),
      step: .storage)
  }
}

extension EncryptedFile.Contents {
  /// The contents as a slot's contents.
  fileprivate var slotContents: Slot.Contents {
    switch self {
    case .opened(let data): .data(Secret(data))
    case .damaged(let bytes): .damaged(Secret(bytes))
    case .otherKey: .untouchable(EncryptedFileBackend.otherKey)
    case .newer: .untouchable(Sentence("a newer version of this program wrote it"))
    }
  }
}

extension Slot.Name {
  /// The file's name: the kind, the ID in base64url, and the side.
  fileprivate var file: String {
    ([kind.rawValue, Base64URL.encode(id.utf8)] + (side.map { [$0.rawValue] } ?? []))
      .joined(separator: ".")
  }

  fileprivate init?(file: String) {
    let parts = file.split(separator: ".", omittingEmptySubsequences: false)
    guard 2...3 ~= parts.count, let kind = Slot.Kind(rawValue: String(parts[0])),
      let id = Base64URL.decode(parts[1])
    else { return nil }
    let side = parts.count == 3 ? Slot.Side(rawValue: String(parts[2])) : nil
    guard parts.count == 2 || side != nil else { return nil }
    self.init(kind, String(decoding: id, as: UTF8.self), side)
  }
}
