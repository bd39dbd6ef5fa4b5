import CurlHTTP
import FoundationEssentials
import Glibc
package import Sentences

/// A file that only this user can read and could have created.
///
/// All operations can block; an error's message follows the file's name.
package struct PrivateFile: Sendable {
  package let path: String
  /// The size above which it is not read, in bytes.
  private let limit: Int

  package init(path: String, limit: Int = FileReader.Limit.cache) {
    self.path = path
    self.limit = limit
  }

  /// The file's stamp; nil when the file does not exist.
  var stamp: FileStamp? { FileStamp(path: path) }

  /// The whole file; nil when it does not exist.
  ///
  /// A file in a directory that others can write to is rejected: they could have moved another file
  /// of this user there.
  package func read() throws(StorageFailure) -> (bytes: [UInt8], stamp: FileStamp?)? {
    let file: FileReader
    do throws(FileReader.Failure) {
      file = try FileReader(path, followsLink: false)
    } catch {
      if error.number == ENOENT { return nil }
      throw StorageFailure(error)
    }
    try check(file.status)
    try checkDirectory()
    do throws(FileReader.Failure) {
      return (try file.read(upTo: limit), FileStamp(file.status))
    } catch {
      throw StorageFailure(error)
    }
  }

  /// Finds out whether the file could be written now; leaves nothing behind.
  ///
  /// It reserves some room in a file without a name, where the file's directory is or would be.
  package func checkWriting() throws(StorageFailure) {
    var place = directory
    while access(place, F_OK) != 0, errno == ENOENT, let slash = place.lastIndex(of: "/"),
      slash != place.startIndex
    {
      place = String(place[..<slash])
    }
    if place == directory { try checkDirectory() }
    let file = try Self.openNameless(in: place)
    defer { close(file) }
    var status = stat()
    let size = lstat(path, &status) == 0 ? min(max(status.st_size, 0), off_t(limit)) : 0
    errno = posix_fallocate(file, 0, size + Self.reserve)
    // Not every file system can reserve.
    guard [0, EOPNOTSUPP, EINVAL].contains(errno) else { throw Self.unwritable }
  }

  /// The error of the last system call for a file that cannot be written.
  private static var unwritable: StorageFailure { .system(Sentence("it cannot be written")) }

  /// Finds out whether the file could be made now, in its directory, which must be there; leaves
  /// nothing behind.
  package func checkCreation() throws(StorageFailure) {
    close(try Self.openNameless(in: directory))
  }

  /// The room that a write needs in addition to the file's present size, in bytes.
  private static let reserve: off_t = 256 << 10
  /// `__O_TMPFILE` of `<bits/fcntl-linux.h>`, which Swift does not import.
  private static let withoutName: Int32 = 0o20000000 | O_DIRECTORY

  /// Opens a new file without a name in `directory`, or one that loses it at once.
  private static func openNameless(in directory: String) throws(StorageFailure) -> Int32 {
    let file = Glibc.open(directory, O_WRONLY | withoutName | O_CLOEXEC, 0o600)
    if file >= 0 { return file }
    if errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL {
      let path = "\(directory)/\(getpid()).\(UInt32.random(in: 0...UInt32.max)).new"
      let file = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
      if file >= 0 {
        unlink(path)
        return file
      }
    }
    throw unwritable
  }

  /// Replaces the file with `bytes` atomically.
  ///
  /// - Parameters:
  ///   - replacing: whether an existing file is replaced; otherwise it is an error.
  ///   - isDurable: whether it must be on the disk at the end; otherwise a power failure soon after
  ///     may undo the change.
  package func write(
    _ bytes: [UInt8], replacing: Bool, isDurable: Bool = true
  ) throws(StorageFailure) -> FileStamp? {
    let temporary = "\(path).\(getpid()).\(UInt32.random(in: 0...UInt32.max)).new"
    let file = Glibc.open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw Self.unwritable }
    var isDone = false
    defer {
      close(file)
      if !isDone { unlink(temporary) }
    }
    try Self.write(bytes[...], to: file)
    Self.setTime(of: file)
    guard !isDurable || fsync(file) == 0 else { throw Self.unwritable }
    var status = stat()
    guard fstat(file, &status) == 0, replacing || Self.makeEmpty(path) else {
      throw Self.unwritable
    }
    guard rename(temporary, path) == 0 else {
      let failure = Self.unwritable
      if !replacing { unlink(path) }
      throw failure
    }
    isDone = true
    if isDurable { synchronizeDirectory() }
    return FileStamp(status)
  }

  /// Creates an empty file; returns false when that failed, or the file exists.
  private static func makeEmpty(_ path: String) -> Bool {
    let file = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { return false }
    close(file)
    return true
  }

  /// Sets the modification time to the clock's time.
  ///
  /// The kernel's own time can be some milliseconds earlier, and then MSAL Python does not notice
  /// the change.
  private static func setTime(of file: Int32) {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    futimens(file, [now, now])
  }

  /// Updates the modification time, which signals a change to other programs; creates the file if
  /// missing.
  package func touch() throws(StorageFailure) -> FileStamp? {
    let file = Glibc.open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600)
    guard file >= 0 else {
      throw .system(Sentence("“{path}”, which records changes, cannot be written", ["path": path]))
    }
    defer { close(file) }
    Self.setTime(of: file)
    var status = stat()
    return fstat(file, &status) == 0 ? FileStamp(status) : nil
  }

  private static func write(_ piece: ArraySlice<UInt8>, to file: Int32) throws(StorageFailure) {
    var rest = piece
    while !rest.isEmpty {
      let length = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      if length < 0, errno == EINTR { continue }
      guard length > 0 else { throw unwritable }
      rest = rest.dropFirst(length)
    }
  }

  /// Saves `bytes`, which cannot be parsed and are about to be overwritten, to a new file beside
  /// this one.
  package func keepCopy(of bytes: [UInt8]) throws(StorageFailure) {
    let name = "\(path).\(Self.copy)\(time(nil))-\(UInt32.random(in: 0...UInt32.max))"
    _ = try PrivateFile(path: name).write(bytes)
  }

  /// The paths of all copies of unreadable contents.
  package var copies: [String] { companions { $0.hasPrefix(Self.copy) } }

  /// Removes all copies of unreadable contents.
  package func removeCopies() {
    let copies = copies
    for path in copies { unlink(path) }
    if !copies.isEmpty { synchronizeDirectory() }
  }

  /// What the names of copies have after the file's own, before the time.
  private static let copy = "corrupt-"

  /// Removes the unfinished files of processes that were killed while they wrote this one: they have
  /// its contents.
  func removeLeftovers() {
    let unfinished = companions { rest in
      let parts = rest.split(separator: ".", omittingEmptySubsequences: false)
      return parts.count == 3 && parts[2] == "new" && parts[..<2].allSatisfy { UInt32($0) != nil }
    }
    for path in unfinished { Self.removeLeftover(path) }
  }

  /// The age after which an unfinished file is abandoned, in seconds.
  private static let leftoverAge = 60

  /// Removes an unfinished file of a process that was killed, once it is old enough.
  static func removeLeftover(_ path: String) {
    var status = stat()
    // Not their difference, which overflows for a time that a file system may have.
    if lstat(path, &status) == 0, status.st_mtim.tv_sec < time(nil) - leftoverAge { unlink(path) }
  }

  /// The paths of the files beside this one whose names are its own, a dot and more.
  private func companions(where isWanted: (_ rest: Substring) -> Bool) -> [String] {
    let prefix = "\(path.split(separator: "/").last ?? "")."
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    return names.filter { $0.hasPrefix(prefix) && isWanted($0.dropFirst(prefix.count)) }
      .map { "\(directory)/\($0)" }
  }

  /// Creates the file's directory if missing, and checks that nobody else can write to it.
  func prepareDirectory() throws(StorageFailure) {
    try makeDirectory()
    try checkDirectory()
  }

  /// Makes the file's directory where it is missing.
  package func makeDirectory() throws(StorageFailure) {
    if access(directory, F_OK) != 0, errno == ENOENT { try Self.makeDirectory(directory) }
  }

  func checkDirectory() throws(StorageFailure) {
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
          "others can write to its directory, “{path}”; run 'chmod go-w' on it to fix that",
          ["path": path]))
    }
  }

  /// The absolute path with symbolic links resolved.
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

  /// Checks the properties of an open file: owned and readable only by this user.
  private func check(_ status: stat) throws(StorageFailure) {
    guard status.st_uid == geteuid() else {
      throw StorageFailure(Sentence("it belongs to another user"), isRefusal: true)
    }
    guard status.st_mode & 0o077 == 0 else {
      throw StorageFailure(
        Sentence("others can read or write it; run 'chmod 600' on it to fix that"),
        isRefusal: true)
    }
    // A file that another program has just replaced has no links any longer, and is complete.
    guard status.st_nlink <= 1 else {
      throw StorageFailure(Sentence("it has more than one hard link"), isRefusal: true)
    }
  }

  /// Makes renames and removals in the file's directory durable across a power failure; errors are
  /// ignored, since not all file systems support it.
  func synchronizeDirectory() {
    let file = Glibc.open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard file >= 0 else { return }
    fsync(file)
    close(file)
  }
}

/// Why a file or a shared cache was not read or written; the message follows its name.
package struct StorageFailure: Error {
  package var reason: Sentence
  /// Whether another program holds the lock.
  let isLocked: Bool
  /// Whether a file was refused for what it is: reading it again fails in the same way.
  let isRefusal: Bool

  package init(_ reason: Sentence, isLocked: Bool = false, isRefusal: Bool = false) {
    self.reason = reason
    self.isLocked = isLocked
    self.isRefusal = isRefusal
  }

  init(_ failure: FileReader.Failure) {
    self.init(failure.reason, isRefusal: failure.number == nil || failure.number == EACCES)
  }

  /// The error of the last system call, from `errno`.
  static func system(_ what: Sentence) -> StorageFailure {
    StorageFailure(Sentence("{what}: {reason}", ["what": what, "reason": Sentence.systemError]))
  }
}
