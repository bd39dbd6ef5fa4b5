import CurlHTTP
package import Glibc
import Sentences

/// A lock against other processes of this user, and other tasks of this one.
///
/// There are two kinds, which use the same system lock:
/// - ``take(_:in:timeout:by:)`` locks one byte of a permanent file: for files that only AuthCore
///   uses.
/// - ``init(besideCache:by:)`` locks a file that exists only as long as the lock: for caches of
///   other MSALs.
///
/// The lock is released when the value is destroyed. When the process ends for any reason, the
/// system releases it.
package struct FileLock: ~Copyable {
  private let file: Int32
  /// The file to remove at the end; nil for a permanent file.
  private let removedPath: String?

  /// The interval for retrying a lock that someone else holds.
  private static let pause = Duration.milliseconds(5)
  /// `F_OFD_GETLK` and `F_OFD_SETLK` of `<fcntl.h>`, which Swift does not import: the lock belongs
  /// to the open file, not to the process.
  private static let (getOpenFileLock, setOpenFileLock): (Int32, Int32) = (36, 37)

  /// Locks a range of an open file, and returns what fcntl(2) returns.
  package typealias Locking =
    @Sendable (_ file: Int32, _ range: UnsafeMutablePointer<Glibc.flock>) -> Int32
  /// The system's own; tests use one that fails.
  package static let systemLocking: Locking = { fcntl($0, FileLock.setOpenFileLock, $1) }

  private init(file: Int32, removedPath: String? = nil) {
    self.file = file
    self.removedPath = removedPath
  }

  deinit {
    // Remove before unlocking: after that, the file may be another program's.
    if let removedPath { unlink(removedPath) }
    close(file)
  }

  /// Locks the file at `path` at `byte`, or all of it if nil; returns false at once when someone
  /// else holds the lock.
  private static func lock(
    _ file: Int32, _ path: String, at byte: off_t? = nil, by locking: Locking
  ) throws(StorageFailure) -> Bool {
    var range = range(at: byte)
    return try isLocked(locking(file, &range), path)
  }

  /// Whether an attempt to lock the file at `path` succeeded; false when someone else holds the
  /// lock.
  ///
  /// - Throws: when it failed for any other reason, and so would the next attempt: not every file
  ///   system can lock.
  private static func isLocked(_ result: Int32, _ path: String) throws(StorageFailure) -> Bool {
    if result == 0 { return true }
    guard isHeld(errno) else {
      throw .system(Sentence("its lock “{path}” cannot be created", ["path": path]))
    }
    return false
  }

  /// Whether the error of an attempt to lock means that someone else holds the lock, or that the
  /// attempt was interrupted (flock(2), fcntl(2)).
  private static func isHeld(_ error: Int32) -> Bool { [EAGAIN, EACCES, EINTR].contains(error) }

  private static func range(at byte: off_t?) -> Glibc.flock {
    var range = Glibc.flock()
    range.l_type = Int16(F_WRLCK)
    range.l_whence = Int16(SEEK_SET)
    range.l_start = byte ?? 0
    range.l_len = byte == nil ? 0 : 1
    return range
  }

  /// Whether `path` still names `file`: if it was removed meanwhile, the next program would lock a
  /// different file.
  private static func isOpen(_ file: Int32, at path: String) -> Bool {
    var (own, named) = (stat(), stat())
    return fstat(file, &own) == 0 && lstat(path, &named) == 0 && own.st_ino == named.st_ino
      && own.st_dev == named.st_dev
  }

  private static func lockedForLong(_ path: String) -> StorageFailure {
    StorageFailure(
      Sentence(
        "another program has held its lock for too long (“{path}”)", ["path": path]), isLocked: true
    )
  }
}

// MARK: - Locks in a permanent file

extension FileLock {
  /// Acquires the lock called `name`.
  ///
  /// - Parameters:
  ///   - name: what the lock protects; it does not appear in the file.
  ///   - path: the lock file, which is created if missing.
  ///   - timeout: how long to wait for another process.
  ///   - locking: what locks the file.
  /// - Throws: when the file cannot be used, the lock is not released in time, or the task is
  ///   canceled.
  package static func take(
    _ name: String, in path: String, timeout: Duration,
    by locking: Locking = FileLock.systemLocking
  ) async throws(StorageFailure) -> FileLock {
    try PrivateFile(path: path).prepareDirectory()
    let deadline = ContinuousClock.now + timeout
    while true {
      let file = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600)
      guard file >= 0 else {
        throw .system(Sentence("its lock “{path}” cannot be opened", ["path": path]))
      }
      let lock = FileLock(file: file)
      if try Self.lock(file, path, at: byte(of: name), by: locking), isOpen(file, at: path) {
        return lock
      }
      guard ContinuousClock.now < deadline else { throw lockedForLong(path) }
      do {
        try await Task.sleep(for: pause)
      } catch {
        throw StorageFailure(Sentence("waiting for its lock was canceled"))
      }
    }
  }

  /// Signals to watchers of the file's stamp that the protected data has changed, or will.
  ///
  /// The file grows by a byte, which takes no disk space. The modification time alone is not
  /// enough: two changes can fall within one clock tick.
  /// - Returns: whether it succeeded.
  @discardableResult
  func announce() -> Bool {
    var status = stat()
    return fstat(file, &status) == 0 && ftruncate(file, status.st_size + 1) == 0
  }

  /// The directory of a program's lock files: the session's runtime directory, which is removed at
  /// its end.
  package static var directory: String { lockDirectory(sessionsIn: "/run/user") }

  /// The directory of lock files, when `sessions` has the users' runtime directories
  /// (pam_systemd(8)).
  ///
  /// A job of cron that uses the session's keyring has no `XDG_RUNTIME_DIR`, and has to take turns
  /// with the programs that do.
  static func lockDirectory(sessionsIn sessions: String) -> String {
    if let runtime = HomeDirectory.path(in: "XDG_RUNTIME_DIR") { return "\(runtime)/entrance" }
    let session = "\(sessions)/\(geteuid())"
    var status = stat()
    if lstat(session, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
      status.st_uid == geteuid(), status.st_mode & 0o022 == 0, access(session, W_OK) == 0
    {
      return "\(session)/entrance"
    }
    return "\(HomeDirectory.base("XDG_STATE_HOME", orHome: ".local/state"))/entrance"
  }

  /// The byte for a name, by FNV-1a: the same in every process.
  private static func byte(of name: String) -> off_t {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return off_t(hash >> 2)
  }
}

// MARK: - The lock of a shared cache, compatible with all MSALs

/// The file is `<cache>.lockfile`.
///
/// Some MSALs check that the file exists, some use `flock`, some a POSIX lock: this does all three.
/// The file of a program that has ended is taken over.
extension FileLock {
  /// How long to wait for one program that holds the lock, in milliseconds, and for all of them.
  static let timeout = 5000
  private static let longestWait = 60_000
  /// The age after which a file without a process ID is considered abandoned, in seconds.
  private static let oldAge = 60
  /// The same for an empty file: programs that write a process ID, and hold no lock, do so at once.
  private static let oldEmptyAge = 2

  /// Acquires the lock for the cache at `path`, and blocks while another program holds it.
  ///
  /// - Parameters:
  ///   - path: the cache.
  ///   - locking: what locks the file, in addition to `flock`.
  /// - Throws: when the file cannot be used, or the lock is not released in time.
  init(
    besideCache path: String, by locking: Locking = FileLock.systemLocking
  ) throws(StorageFailure) {
    let lockPath = "\(path).lockfile"
    let end = ContinuousClock.now + .milliseconds(Self.longestWait)
    var deadline = ContinuousClock.now
    var holder: FileStamp?
    while true {
      if let file = try Self.makeOrTakeOver(lockPath, by: locking) {
        self.init(file: file, removedPath: lockPath)
        return
      }
      // As long as it is passed between programs, waiting can succeed.
      let stamp = FileStamp(path: lockPath)
      if stamp == nil || stamp != holder {
        holder = stamp
        deadline = min(ContinuousClock.now + .milliseconds(Self.timeout), end)
      }
      guard ContinuousClock.now < deadline else { throw Self.lockedForLong(lockPath) }
      usleep(10_000)
    }
  }

  /// Whether another program holds the lock for the cache at `path`; changes nothing.
  static func isHeld(besideCache path: String) -> Bool {
    let lockPath = "\(path).lockfile"
    let file = open(lockPath, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return errno != ENOENT }
    defer { close(file) }
    // Where files cannot be locked, only the file itself tells.
    if flock(file, LOCK_SH | LOCK_NB) != 0, isHeld(errno) { return true }
    var range = range(at: nil)
    if fcntl(file, getOpenFileLock, &range) == 0, range.l_type != Int16(F_UNLCK) { return true }
    return isOpen(file, at: lockPath) && !isLeftover(file)
  }

  /// Acquires the lock if nobody holds it.
  private static func makeOrTakeOver(
    _ path: String, by locking: Locking
  ) throws(StorageFailure) -> Int32? {
    let flags = O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
    var file = open(path, flags | O_CREAT | O_EXCL, 0o600)
    let isNew = file >= 0
    if !isNew {
      guard errno == EEXIST else {
        throw .system(Sentence("its lock “{path}” cannot be created", ["path": path]))
      }
      file = open(path, flags)
      if file < 0, errno == ENOENT { return nil }
      guard file >= 0 else {
        throw .system(Sentence("its lock “{path}” cannot be opened", ["path": path]))
      }
    }
    var isOurs = false
    do throws(StorageFailure) {
      if isNew {
        isOurs = try lockNew(file, path, by: locking)
      } else if try lockAll(file, path, by: locking) {
        isOurs = isOpen(file, at: path) && isLeftover(file)
      }
    } catch {
      // It would count as another program's lock.
      if isNew { unlink(path) }
      close(file)
      throw error
    }
    guard isOurs else {
      close(file)
      return nil
    }
    ftruncate(file, 0)
    let program = CommandLine.arguments.first?.split(separator: "/").last ?? ""
    let name = "\(getpid()) \(program)\n"
    _ = pwrite(file, name, name.utf8.count, 0)
    return file
  }

  /// Locks a newly created file.
  ///
  /// Another program may be checking whether the file is abandoned. If each gave way to the other,
  /// the file would belong to nobody and lock everyone out.
  private static func lockNew(
    _ file: Int32, _ path: String, by locking: Locking
  ) throws(StorageFailure) -> Bool {
    for _ in 0..<timeout {
      if try lockAll(file, path, by: locking) { return isOpen(file, at: path) }
      usleep(1000)
    }
    return false
  }

  /// Locks the whole file in both ways that MSALs use.
  private static func lockAll(
    _ file: Int32, _ path: String, by locking: Locking
  ) throws(StorageFailure) -> Bool {
    guard try isLocked(flock(file, LOCK_EX | LOCK_NB), path) else { return false }
    return try lock(file, path, by: locking)
  }

  /// Whether an existing file without a lock was abandoned by a program that has ended.
  ///
  /// Some programs write their process ID into it and hold no lock.
  private static func isLeftover(_ file: Int32) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 64)
    let length = pread(file, &buffer, buffer.count, 0)
    let digits = buffer.prefix(max(length, 0)).drop { !$0.isDigit }.prefix { $0.isDigit }
    if let process = pid_t(String(decoding: digits, as: UTF8.self)), process > 0 {
      // If this process held the lock, the lock above would have failed.
      if process == getpid() { return true }
      return kill(process, 0) != 0 && errno == ESRCH
    }
    var status = stat()
    let limit = length == 0 ? oldEmptyAge : oldAge
    // Not their difference, which overflows for a time that a file system may have.
    return fstat(file, &status) == 0 && status.st_mtim.tv_sec < time(nil) - limit
  }
}
