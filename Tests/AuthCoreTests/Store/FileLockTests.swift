@testable import AuthCore
import Dispatch
import FoundationEssentials
import Glibc
import Sentences
import TestSupport
import Testing

@Suite("Locks between processes")
struct FileLockTests {
  let directory: TemporaryDirectory
  var path: String { "\(directory.path)/locks/file" }

  init() throws { directory = try TemporaryDirectory() }

  private func isFree(_ name: String) async -> Bool {
    do {
      return try await FileLock.take(name, in: path, timeout: .zero).announce()
    } catch {
      return false
    }
  }

  @Test("Only one task holds the lock at a time, also within a process")
  func exclusive() async throws {
    do {
      let lock = try await FileLock.take("one", in: path, timeout: .zero)
      #expect(await !isFree("one"))
      lock.announce()
    }
    #expect(await isFree("one"))
  }

  @Test("Locks with other names are independent")
  func names() async throws {
    let lock = try await FileLock.take("one", in: path, timeout: .zero)
    #expect(await isFree("two"))
    lock.announce()
  }

  @Test("Another process is locked out, and the lock of a killed one is released")
  func processes() async throws {
    let path = path
    do {
      let lock = try await FileLock.take("one", in: path, timeout: .zero)
      await #expect(processExitsWith: .success) { [path = path as String] in
        do throws(StorageFailure) {
          _ = try await FileLock.take("one", in: path, timeout: .milliseconds(50)).announce()
          exit(1)
        } catch {
          #expect(error.reason.description.contains("another program has held its lock"))
        }
      }
      lock.announce()
    }
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let lock = try await FileLock.take("one", in: path, timeout: .zero)
      kill(getpid(), SIGKILL)
      lock.announce()
    }
    #expect(await isFree("one"))
  }

  @Test("A waiting caller gets the lock when it is released")
  func waiting() async throws {
    let path = path
    let (taken, isTaken) = AsyncStream<Void>.makeStream()
    let (released, release) = AsyncStream<Void>.makeStream()
    let holder = Task {
      let lock = try await FileLock.take("one", in: path, timeout: .zero)
      isTaken.yield()
      for await _ in released { break }
      lock.announce()
    }
    for await _ in taken { break }
    let waiter = Task {
      try await FileLock.take("one", in: path, timeout: .seconds(60)).announce()
    }
    #expect(await !isFree("one"))
    release.yield()
    let hasIt = try await waiter.value
    #expect(hasIt)
    try await holder.value
  }

  @Test("Canceling ends the wait")
  func cancelled() async throws {
    let path = path
    let lock = try await FileLock.take("one", in: path, timeout: .zero)
    let waiter = Task {
      try await FileLock.take("one", in: path, timeout: .seconds(600)).announce()
    }
    waiter.cancel()
    let failure = await #expect(throws: StorageFailure.self) { try await waiter.value }
    #expect(failure?.reason.description.contains("canceled") == true)
    lock.announce()
  }

  @Test("A shared cache's lock is waited for as long as it is passed between programs")
  func handedOn() async throws {
    let cache = "\(directory.path)/cache.json"
    try directory.write("cache.json.lockfile", "\(getppid()) another")
    // The lock is always held by someone, each time only briefly.
    let others = BusyProgram { [directory] in
      usleep(50_000)
      try? directory.write("next", "\(getppid()) another")
      rename("\(directory.path)/next", "\(cache).lockfile")
    }
    async let failure = Self.failure(toLock: cache)
    try await Task.sleep(for: .milliseconds(FileLock.timeout + 1000))
    others.stop()
    unlink("\(cache).lockfile")
    #expect(await failure == nil)
  }

  /// Why the lock of a shared cache could not be acquired; nil when it was.
  private static func failure(toLock cache: String) async -> String? {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        do throws(StorageFailure) {
          _ = try FileLock(besideCache: cache)
          continuation.resume(returning: nil)
        } catch {
          continuation.resume(returning: error.reason.description)
        }
      }
    }
  }

  @Test("A lock file that was removed meanwhile does not count")
  func removed() async throws {
    let lock = try await FileLock.take("one", in: path, timeout: .zero)
    unlink(path)
    let other = try await FileLock.take("one", in: path, timeout: .zero)
    #expect(await !isFree("one"))
    lock.announce()
    other.announce()
  }

  @Test("Every announcement changes the stamp, and takes no disk space")
  func announcements() async throws {
    let lock = try await FileLock.take("one", in: path, timeout: .zero)
    var stamps = [PrivateFile(path: path).stamp]
    for _ in 1...100 {
      let isDone = lock.announce()
      #expect(isDone)
      let stamp = PrivateFile(path: path).stamp
      #expect(!stamps.contains(stamp))
      stamps.append(stamp)
    }
    let file = open(path, O_RDONLY)
    defer { close(file) }
    let seekData: Int32 = 3
    #expect(file >= 0 && lseek(file, 0, seekData) == -1 && errno == ENXIO)
  }

  /// The error of a file system that has no locks, such as NFS without its lock service (fcntl(2)).
  private static let unsupported: FileLock.Locking = { _, _ in
    errno = ENOLCK
    return -1
  }

  @Test("Where files cannot be locked, the reason is reported at once", .timeLimit(.minutes(5)))
  func withoutLocks() async throws {
    let path = path
    let failure = await #expect(throws: StorageFailure.self) {
      _ = try await FileLock.take(
        "one", in: path, timeout: .seconds(600), by: Self.unsupported
      ).announce()
    }
    #expect(failure?.isLocked == false)
    #expect(failure?.reason.description.contains("“\(path)” cannot be created") == true)
  }

  @Test("Where files cannot be locked, no lock file is left beside a shared cache")
  func withoutLocksBesideCache() {
    let cache = "\(directory.path)/cache.json"
    let failure = #expect(throws: StorageFailure.self) {
      _ = try FileLock(besideCache: cache, by: Self.unsupported)
    }
    #expect(failure?.isLocked == false)
    #expect(directory.names.isEmpty)
    #expect(!FileLock.isHeld(besideCache: cache))
  }

  @Test("Without XDG_RUNTIME_DIR, as in a job of cron, the locks are those of the session")
  func runtimeDirectory() async {
    let directory = directory.path
    await #expect(processExitsWith: .success) { [directory = directory as String] in
      let session = "\(directory)/\(geteuid())"
      let elsewhere = "\(directory)/state/entrance"
      func found() -> String { FileLock.lockDirectory(sessionsIn: directory) }
      setenv("XDG_STATE_HOME", "\(directory)/state", 1)
      unsetenv("XDG_RUNTIME_DIR")
      #expect(found() == elsewhere, "nobody is logged in")
      mkdir(session, 0o700)
      #expect(found() == "\(session)/entrance")
      setenv("XDG_RUNTIME_DIR", session, 1)
      #expect(found() == "\(session)/entrance")
      setenv("XDG_RUNTIME_DIR", "relative", 1)
      #expect(found() == "\(session)/entrance")
      unsetenv("XDG_RUNTIME_DIR")
      chmod(session, 0o777)
      #expect(found() == elsewhere, "others can write to it")
      rmdir(session)
      symlink("/tmp", session)
      #expect(found() == elsewhere, "it is a link")
    }
  }

  @Test("A lock file that cannot be created, or is a link, is reported")
  func unusable() async throws {
    mkdir("\(directory.path)/locks", 0o700)
    symlink("/dev/null", path)
    await #expect(throws: StorageFailure.self) {
      _ = try await FileLock.take("one", in: path, timeout: .zero).announce()
    }
  }
}
