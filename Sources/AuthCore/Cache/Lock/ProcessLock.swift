import Glibc

/// Keeps this person's processes apart while one of them does a thing.
///
/// A lock is a byte in a file that stays: the system lets go of it when the process ends, however that
/// happens, and there is no moment in which a removed file could be locked twice. Two who want the lock of
/// one name exclude each other within a process, too.
package struct ProcessLock: ~Copyable {
  private let file: Int32

  /// How often a lock that another has is tried again.
  private static let pause = Duration.milliseconds(5)
  /// `F_OFD_SETLK` of `<fcntl.h>`, which Swift does not see: a lock that goes with the open file, and not
  /// with the process.
  private static let setOpenFileLock: Int32 = 37

  private init(file: Int32) {
    self.file = file
  }

  /// Takes the lock called `name`.
  ///
  /// It is let go of when the value goes.
  /// - Parameters:
  ///   - name: what the lock is about; it does not appear in the file.
  ///   - path: the file of locks, which is made where it is missing.
  ///   - patience: how long to wait for another process.
  /// - Throws: when the file cannot be used, another does not let go in time, or the task is cancelled.
  static func take(
    _ name: String, in path: String, patience: Duration
  ) async throws(CacheFile.Failure) -> ProcessLock {
    try CacheFile(path: path).prepareDirectory()
    let deadline = ContinuousClock.now + patience
    while true {
      let file = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600)
      guard file >= 0 else { throw .system("its lock '\(path)' cannot be opened") }
      let lock = ProcessLock(file: file)
      // Someone who tidies up may have removed the file meanwhile: the next would lock another.
      if Self.lock(file, at: place(of: name)), lock.isOn(path) { return lock }
      guard ContinuousClock.now < deadline else {
        throw CacheFile.Failure(
          "another program has locked it for long ('\(path)')", isLocked: true)
      }
      do {
        try await Task.sleep(for: Self.pause)
      } catch {
        throw CacheFile.Failure("the wait for its lock was cancelled")
      }
    }
  }

  deinit {
    close(file)
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

  private func isOn(_ path: String) -> Bool {
    var (own, named) = (stat(), stat())
    return fstat(file, &own) == 0 && lstat(path, &named) == 0 && own.st_ino == named.st_ino
      && own.st_dev == named.st_dev
  }

  private static func lock(_ file: Int32, at place: off_t) -> Bool {
    var range = Glibc.flock()
    range.l_type = Int16(F_WRLCK)
    range.l_whence = Int16(SEEK_SET)
    range.l_start = place
    range.l_len = 1
    return fcntl(file, setOpenFileLock, &range) == 0
  }

  /// The byte that stands for a name, by FNV-1a: the same in every process.
  private static func place(of name: String) -> off_t {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return off_t(hash >> 2)
  }
}
