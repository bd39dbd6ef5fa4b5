import Glibc

/// The lock of a cache file that programs share, as all MSALs take it: `<cache>.lockfile`.
///
/// Some go by the file being there, some by `flock`, some by a POSIX lock: it does all three. Whoever finds
/// the file of a program that is no more takes it over.
struct CacheLock {
  private let path: String
  private let file: Int32

  /// How long to wait for another program, in milliseconds, and how often to look.
  static let patience = 5000
  private static let pause = 10
  /// `F_OFD_GETLK` and `F_OFD_SETLK` of `<fcntl.h>`, which Swift does not see: a POSIX lock that goes with
  /// the open file, and not with the process.
  private static let getOpenFileLock: Int32 = 36
  private static let setOpenFileLock: Int32 = 37
  /// The age from which on a file that names no process is a leftover, in seconds.
  private static let oldAge = 60
  /// The same for an empty file: those who write a name into it, and hold no lock, do so at once.
  private static let oldEmptyAge = 2

  /// Takes the lock for the cache at `cachePath`, waiting for another program if there is one.
  ///
  /// - Throws: when it does not let go in time.
  init(cachePath: String) throws(CacheFile.Failure) {
    path = "\(cachePath).lockfile"
    var waited = 0
    while true {
      if let file = try Self.take(path) {
        self.file = file
        return
      }
      guard waited < Self.patience else {
        throw CacheFile.Failure("another program has locked it for long ('\(path)')")
      }
      usleep(UInt32(Self.pause) * 1000)
      waited += Self.pause
    }
  }

  /// Whether another program has the lock for the cache at `cachePath`; nothing changes by asking.
  static func isHeld(cachePath: String) -> Bool {
    let path = "\(cachePath).lockfile"
    let file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return errno != ENOENT }
    defer { close(file) }
    guard flock(file, LOCK_SH | LOCK_NB) == 0 else { return true }
    var range = writeLock
    guard fcntl(file, getOpenFileLock, &range) == 0, range.l_type == Int16(F_UNLCK) else {
      return true
    }
    return isStillThere(file, path) && !isLeftover(file)
  }

  /// Lets go of it.
  func release() {
    // In this order: once it is unlocked it may be another's.
    unlink(path)
    close(file)
  }

  /// Takes the lock if nobody has it.
  private static func take(_ path: String) throws(CacheFile.Failure) -> Int32? {
    let flags = O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
    var file = open(path, flags | O_CREAT | O_EXCL, 0o600)
    let isNew = file >= 0
    if !isNew {
      guard errno == EEXIST else { throw .system("its lock '\(path)' cannot be made") }
      file = open(path, flags)
      if file < 0, errno == ENOENT { return nil }
      guard file >= 0 else { throw .system("its lock '\(path)' cannot be opened") }
    }
    guard isNew ? lockNew(file, path) : lock(file) && isStillThere(file, path) && isLeftover(file)
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
      if lock(file) { return isStillThere(file, path) }
      usleep(1000)
    }
    return false
  }

  private static func lock(_ file: Int32) -> Bool {
    guard flock(file, LOCK_EX | LOCK_NB) == 0 else { return false }
    var range = writeLock
    return fcntl(file, setOpenFileLock, &range) == 0
  }

  /// A POSIX lock on all of a file.
  private static var writeLock: Glibc.flock {
    var range = Glibc.flock()
    range.l_type = Int16(F_WRLCK)
    range.l_whence = Int16(SEEK_SET)
    return range
  }

  /// Whether the lock is on the file that has the name: it may have been removed meanwhile.
  private static func isStillThere(_ file: Int32, _ path: String) -> Bool {
    var (own, named) = (stat(), stat())
    return fstat(file, &own) == 0 && lstat(path, &named) == 0 && own.st_ino == named.st_ino
      && own.st_dev == named.st_dev
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
