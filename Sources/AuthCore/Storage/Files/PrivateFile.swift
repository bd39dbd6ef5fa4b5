import Glibc
package import Sentences

/// A file that is this person's alone: nobody else may read it, and nobody else could have put it there.
///
/// Everything it does can block; errors are told in words that follow the file's name.
package struct PrivateFile: Sendable {
  package let path: String

  package init(path: String) { self.path = path }

  /// The file's stamp; nil when there is no file.
  var stamp: FileStamp? { FileStamp(path: path) }

  /// The whole file; nil when there is none.
  ///
  /// A file in a directory that others can write to is refused: they could have put this person's own file
  /// of another place there.
  package func read() throws(StorageFailure) -> (bytes: [UInt8], stamp: FileStamp?)? {
    // Opening a pipe would wait for someone to write to it.
    let file = Glibc.open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else {
      switch errno {
      case ENOENT: return nil
      case ELOOP: throw StorageFailure(Sentence("it is a symbolic link"))
      default: throw .system(Sentence("it cannot be opened"))
      }
    }
    defer { close(file) }
    let status = try check(file)
    try checkDirectory()
    let size = Int(status.st_size)
    var failure: StorageFailure?
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      Self.preferLargePages(buffer)
      while count < size {
        let length = Glibc.read(file, buffer.baseAddress.map { $0 + count }, size - count)
        if length < 0, errno == EINTR { continue }
        if length < 0 { failure = .system(Sentence("it cannot be read")) }
        guard length > 0 else { return }
        count += length
      }
    }
    if let failure { throw failure }
    return (bytes, FileStamp(status))
  }

  /// Puts `pieces` in the file's place: whole, or not at all, whatever happens meanwhile.
  package func write(_ pieces: [ArraySlice<UInt8>]) throws(StorageFailure) -> FileStamp? {
    try write(pieces, replacing: true)
  }

  /// Puts `pieces` in the file's place: whole, or not at all, whatever happens meanwhile.
  ///
  /// - Parameter replacing: whether a file that is there makes way; else that is an error.
  package func write(
    _ pieces: [ArraySlice<UInt8>], replacing: Bool
  ) throws(StorageFailure) -> FileStamp? {
    let temporary = "\(path).\(getpid()).\(UInt32.random(in: 0...UInt32.max)).new"
    let file = Glibc.open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .system(Sentence("it cannot be written")) }
    var isDone = false
    defer {
      close(file)
      if !isDone { unlink(temporary) }
    }
    for piece in pieces { try Self.write(piece, to: file) }
    Self.setTime(of: file)
    guard fsync(file) == 0 else { throw .system(Sentence("it cannot be written")) }
    var status = stat()
    guard fstat(file, &status) == 0, replacing || Self.makeEmpty(path) else {
      throw .system(Sentence("it cannot be written"))
    }
    guard rename(temporary, path) == 0 else {
      let failure = StorageFailure.system(Sentence("it cannot be written"))
      if !replacing { unlink(path) }
      throw failure
    }
    isDone = true
    synchronizeDirectory()
    return FileStamp(status)
  }

  /// Makes an empty file where there is none; false when that failed, or there is one.
  private static func makeEmpty(_ path: String) -> Bool {
    let file = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { return false }
    close(file)
    return true
  }

  /// Sets the time of the last change to that of the clock.
  ///
  /// By itself it can be some milliseconds before, by which MSAL Python does not see that there was one.
  private static func setTime(of file: Int32) {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    futimens(file, [now, now])
  }

  /// Changes the time of the last change, which tells other programs that there was one; makes the file
  /// where it is missing.
  package func touch() throws(StorageFailure) -> FileStamp? {
    let file = Glibc.open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600)
    guard file >= 0 else {
      throw .system(Sentence("'{path}', which records changes, cannot be written", ["path": path]))
    }
    defer { close(file) }
    Self.setTime(of: file)
    var status = stat()
    return fstat(file, &status) == 0 ? FileStamp(status) : nil
  }

  /// Asks for large pages for what a cache of thousands is read into.
  ///
  /// Most of the time would go into getting small ones.
  private static func preferLargePages(_ buffer: UnsafeMutableBufferPointer<UInt8>) {
    let size = 2 << 20
    guard buffer.count >= 2 * size, let base = buffer.baseAddress else { return }
    let start = UnsafeMutableRawPointer(base).alignedUp(toMultipleOf: size)
    let end = UnsafeMutableRawPointer(base + buffer.count).alignedDown(toMultipleOf: size)
    madvise(start, end - start, MADV_HUGEPAGE)
  }

  private static func write(_ piece: ArraySlice<UInt8>, to file: Int32) throws(StorageFailure) {
    var rest = piece
    while !rest.isEmpty {
      let length = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      if length < 0, errno == EINTR { continue }
      guard length > 0 else { throw .system(Sentence("it cannot be written")) }
      rest = rest.dropFirst(length)
    }
  }

  /// Keeps `bytes`, which nobody can read and which are about to be written over, in a file of their own
  /// beside this one.
  package func keepCopy(of bytes: [UInt8]) throws(StorageFailure) {
    let name = "\(path).corrupt-\(time(nil))-\(UInt32.random(in: 0...UInt32.max))"
    _ = try PrivateFile(path: name).write([bytes[...]])
  }

  /// Makes the file's directory where it is missing, and checks that nobody else can put files there.
  func prepareDirectory() throws(StorageFailure) {
    if access(directory, F_OK) != 0, errno == ENOENT { try Self.makeDirectory(directory) }
    try checkDirectory()
  }

  private func checkDirectory() throws(StorageFailure) {
    let path = directory
    var status = stat()
    guard stat(path, &status) == 0 else { throw .system(Sentence("its directory cannot be read")) }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw StorageFailure(Sentence("the path of its directory is not a directory"))
    }
    guard status.st_uid == geteuid() else {
      throw StorageFailure(Sentence("its directory belongs to another user"))
    }
    guard status.st_mode & 0o022 == 0 else {
      throw StorageFailure(
        Sentence(
          "others can write to its directory, '{path}'; run 'chmod go-w' on it to fix that",
          ["path": path]))
    }
  }

  /// The path from the root, without links.
  var canonicalPath: String {
    guard let real = realpath(directory, nil) else { return path }
    defer { free(real) }
    return "\(String(cString: real))/\(path.split(separator: "/").last ?? "")"
  }

  private var directory: String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private static func makeDirectory(_ path: String) throws(StorageFailure) {
    if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
    guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
      throw .system(Sentence("its directory cannot be created"))
    }
    try makeDirectory(String(path[..<slash]))
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
      throw .system(Sentence("its directory cannot be created"))
    }
  }

  /// Checks an open file: a regular one, this person's, and no one else's to read.
  private func check(_ file: Int32) throws(StorageFailure) -> stat {
    var status = stat()
    guard fstat(file, &status) == 0 else { throw .system(Sentence("it cannot be read")) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw StorageFailure(Sentence("it is not a regular file"))
    }
    guard status.st_uid == geteuid() else {
      throw StorageFailure(Sentence("it belongs to another user"))
    }
    guard status.st_mode & 0o077 == 0 else {
      throw StorageFailure(
        Sentence(
          "others can read or write it; run 'chmod 600' on it to fix that"))
    }
    // One that another program has just replaced has no name any more, and is whole.
    guard status.st_nlink <= 1 else {
      throw StorageFailure(Sentence("it has more than one hard link"))
    }
    return status
  }

  /// Makes a rename outlast a loss of power; a file system that cannot do so has done what it can.
  private func synchronizeDirectory() {
    let file = Glibc.open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard file >= 0 else { return }
    fsync(file)
    close(file)
  }
}

/// Why a file or a shared cache was not read or written, in words that follow its name.
package struct StorageFailure: Error {
  package var reason: Sentence
  /// Whether it is that another program has the lock.
  var isLocked = false

  package init(_ reason: Sentence) { self.reason = reason }

  init(_ reason: Sentence, isLocked: Bool) {
    self.reason = reason
    self.isLocked = isLocked
  }

  /// What the last system call has left in `errno`.
  static func system(_ what: Sentence) -> StorageFailure {
    StorageFailure(Sentence("{what}: {reason}", ["what": what, "reason": Sentence.systemError]))
  }
}
