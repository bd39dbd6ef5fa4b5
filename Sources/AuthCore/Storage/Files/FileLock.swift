import Glibc
import Sentences

/// Keeps other programs of this person, and other tasks of this one, out while one of them does a thing.
///
/// There are two kinds, which take the same system lock:
/// - ``take(_:in:patience:)`` locks one byte of a file that stays: for what only AuthCore uses.
/// - ``init(besideCache:)`` locks a file that is there for as long as the lock is: for caches of other MSALs.
///
/// The lock is let go of when the value goes. The system lets go of it when the process ends, however that
/// happens.
package struct FileLock: ~Copyable {
  private let file: Int32
  /// The file to be removed at the end; nil when it stays.
  private let removedPath: String?

  /// How often a lock that another has is tried again.
  private static let pause = Duration.milliseconds(5)
  /// `F_OFD_GETLK` and `F_OFD_SETLK` of `<fcntl.h>`, which Swift does not see: a lock that goes with the open
  /// file, and not with the process.
  private static let (getOpenFileLock, setOpenFileLock): (Int32, Int32) = (36, 37)

  private init(file: Int32, removedPath: String? = nil) {
    self.file = file
    self.removedPath = removedPath
  }

  deinit {
    // In this order: once it is unlocked it may be another's.
    if let removedPath { unlink(removedPath) }
    close(file)
  }

  /// Locks `file`, or tells at once that another has; `byte` is the one to lock, nil is all of them.
  private static func lock(_ file: Int32, at byte: off_t? = nil) -> Bool {
    var range = range(at: byte)
    return fcntl(file, setOpenFileLock, &range) == 0
  }

  private static func range(at byte: off_t?) -> Glibc.flock {
    var range = Glibc.flock()
    range.l_type = Int16(F_WRLCK)
    range.l_whence = Int16(SEEK_SET)
    range.l_start = byte ?? 0
    range.l_len = byte == nil ? 0 : 1
    return range
  }

  /// Whether `file` is still what `path` names: it may have been removed meanwhile, and the next program
  /// would lock another.
  private static func isOpen(_ file: Int32, at path: String) -> Bool {
    var (own, named) = (stat(), stat())
    return fstat(file, &own) == 0 && lstat(path, &named) == 0 && own.st_ino == named.st_ino
      && own.st_dev == named.st_dev
  }

  private static func lockedForLong(_ path: String) -> StorageFailure {
    StorageFailure(
      Sentence(
        "another program has held its lock for too long ('{path}')", ["path": path]), isLocked: true
    )
  }
}

// MARK: - A file of locks, which stays

extension FileLock {
  /// Takes the lock called `name`.
  ///
  /// - Parameters:
  ///   - name: what the lock is about; it does not appear in the file.
  ///   - path: the file of locks, which is made where it is missing.
  ///   - patience: how long to wait for another process.
  /// - Throws: when the file cannot be used, another does not let go in time, or the task is cancelled.
  static func take(
    _ name: String, in path: String, patience: Duration
  ) async throws(StorageFailure) -> FileLock {
    try PrivateFile(path: path).prepareDirectory()
    let deadline = ContinuousClock.now + patience
    while true {
      let file = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600)
      guard file >= 0 else {
        throw .system(Sentence("its lock '{path}' cannot be opened", ["path": path]))
      }
      let lock = FileLock(file: file)
      if Self.lock(file, at: byte(of: name)), isOpen(file, at: path) { return lock }
      guard ContinuousClock.now < deadline else { throw lockedForLong(path) }
      do {
        try await Task.sleep(for: pause)
      } catch {
        throw StorageFailure(Sentence("waiting for its lock was canceled"))
      }
    }
  }

  /// Tells whoever knows the file's stamp that what the lock guards is about to change, or has.
  ///
  /// The file grows by a byte, which takes no room. Its time alone would not do: two changes can fall
  /// between two ticks of the clock.
  /// - Returns: whether that could be done.
  @discardableResult
  func announce() -> Bool {
    var status = stat()
    return fstat(file, &status) == 0 && ftruncate(file, status.st_size + 1) == 0
  }

  /// Where a program's files of locks are: with the session's, which end with it.
  package static var directory: String {
    if let runtime = getenv("XDG_RUNTIME_DIR").map({ String(cString: $0) }), runtime.hasPrefix("/")
    {
      return "\(runtime)/entrance"
    }
    return "\(HomeDirectory.base("XDG_STATE_HOME", orHome: ".local/state"))/entrance"
  }

  /// The byte that stands for a name, by FNV-1a: the same in every process.
  private static func byte(of name: String) -> off_t {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return off_t(hash >> 2)
  }
}

// MARK: - The lock of a shared cache, as all MSALs take it

/// The file is `<cache>.lockfile`. Some MSALs go by the file being there, some by `flock`, some by a POSIX
/// lock: it does all three. Whoever finds the file of a program that is no more takes it over.
extension FileLock {
  /// How long to wait for one program that has the lock, in milliseconds, and for all of them.
  static let patience = 5000
  private static let longestWait = 60_000
  /// The age from which on a file that names no process is a leftover, in seconds.
  private static let oldAge = 60
  /// The same for an empty file: those who write a name into it, and hold no lock, do so at once.
  private static let oldEmptyAge = 2

  /// Takes the lock for the cache at `path`, and blocks while another program has it.
  ///
  /// - Throws: when it does not let go in time.
  init(besideCache path: String) throws(StorageFailure) {
    let lockPath = "\(path).lockfile"
    let end = ContinuousClock.now + .milliseconds(Self.longestWait)
    var deadline = ContinuousClock.now
    var holder: FileStamp?
    while true {
      if let file = try Self.makeOrTakeOver(lockPath) {
        self.init(file: file, removedPath: lockPath)
        return
      }
      // As long as it goes from one program to the next, it will come here, too.
      let stamp = FileStamp(path: lockPath)
      if stamp == nil || stamp != holder {
        holder = stamp
        deadline = min(ContinuousClock.now + .milliseconds(Self.patience), end)
      }
      guard ContinuousClock.now < deadline else { throw Self.lockedForLong(lockPath) }
      usleep(10_000)
    }
  }

  /// Whether another program has the lock for the cache at `path`; nothing changes by asking.
  static func isHeld(besideCache path: String) -> Bool {
    let lockPath = "\(path).lockfile"
    let file = open(lockPath, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return errno != ENOENT }
    defer { close(file) }
    guard flock(file, LOCK_SH | LOCK_NB) == 0 else { return true }
    var range = range(at: nil)
    guard fcntl(file, getOpenFileLock, &range) == 0, range.l_type == Int16(F_UNLCK) else {
      return true
    }
    return isOpen(file, at: lockPath) && !isLeftover(file)
  }

  /// Takes the lock if nobody has it.
  private static func makeOrTakeOver(_ path: String) throws(StorageFailure) -> Int32? {
    let flags = O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
    var file = open(path, flags | O_CREAT | O_EXCL, 0o600)
    let isNew = file >= 0
    if !isNew {
      guard errno == EEXIST else {
        throw .system(Sentence("its lock '{path}' cannot be created", ["path": path]))
      }
      file = open(path, flags)
      if file < 0, errno == ENOENT { return nil }
      guard file >= 0 else {
        throw .system(Sentence("its lock '{path}' cannot be opened", ["path": path]))
      }
    }
    guard
      isNew ? lockNew(file, path) : lockAll(file) && isOpen(file, at: path) && isLeftover(file)
    else {
      close(file)
      return nil
    }
    ftruncate(file, 0)
    let program = CommandLine.arguments.first?.split(separator: "/").last ?? ""
    let name = "\(getpid()) \(program)\n"
    _ = pwrite(file, name, name.utf8.count, 0)
    return file
  }

  /// Locks a file that was made here.
  ///
  /// Another program may be looking whether it is a leftover. If it gave way to that one, and that one to
  /// it, the file would be nobody's, and keep all of them away.
  private static func lockNew(_ file: Int32, _ path: String) -> Bool {
    for _ in 0..<patience {
      if lockAll(file) { return isOpen(file, at: path) }
      usleep(1000)
    }
    return false
  }

  /// Locks all of the file in both ways in which MSALs do.
  private static func lockAll(_ file: Int32) -> Bool {
    flock(file, LOCK_EX | LOCK_NB) == 0 && lock(file)
  }

  /// Whether a file that is there, though nobody holds a lock on it, was left behind by a program that has
  /// ended.
  ///
  /// Some write the number of their process in it, and hold no lock.
  private static func isLeftover(_ file: Int32) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 64)
    let length = pread(file, &buffer, buffer.count, 0)
    let digits = buffer.prefix(max(length, 0))
      .drop { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      .prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    if let process = pid_t(String(decoding: digits, as: UTF8.self)), process > 0 {
      // One that holds it would be this very process, and would have been locked out above.
      if process == getpid() { return true }
      return kill(process, 0) != 0 && errno == ESRCH
    }
    var status = stat()
    let limit = length == 0 ? oldEmptyAge : oldAge
    return fstat(file, &status) == 0 && time(nil) - status.st_mtim.tv_sec > limit
  }
}
