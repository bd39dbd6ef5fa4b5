import CurlHTTP
import Dispatch
import FoundationEssentials
import Glibc
import Testing

@Suite("Reading a file of unknown size")
struct FileReaderTests {
  /// A directory that is removed at the end.
  private final class Directory {
    let path = "/tmp/entrance-reader-\(UUID().uuidString)"
    init() { mkdir(path, 0o700) }
    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ name: String, _ bytes: [UInt8]) -> String {
      let file = open("\(path)/\(name)", O_WRONLY | O_CREAT, 0o600)
      defer { close(file) }
      _ = Glibc.write(file, bytes, bytes.count)
      return "\(path)/\(name)"
    }
  }

  private let directory = Directory()

  /// The bytes at `path`, or why there are none.
  private func read(
    _ path: String, limit: Int, followsLink: Bool = true
  ) -> Result<[UInt8], FileReader.Failure> {
    Result { () throws(FileReader.Failure) in
      try FileReader(path, followsLink: followsLink).read(upTo: limit)
    }
  }

  private func reason(_ result: Result<[UInt8], FileReader.Failure>) -> String? {
    if case .failure(let failure) = result { "\(failure.reason)" } else { nil }
  }

  @Test("A file is read to its end, whatever its size", arguments: [0, 1, 65535, 65536, 65537])
  func whole(size: Int) throws {
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    #expect(try read(directory.write("file", bytes), limit: size).get() == bytes)
  }

  @Test("A file of exactly the limit is read, and one of a byte more is an error")
  func limit() throws {
    let path = directory.write("file", [UInt8](repeating: 1, count: 4096))
    #expect(try read(path, limit: 4096).get().count == 4096)
    #expect(reason(read(path, limit: 4095)) == "it is larger than 3 kB")
  }

  @Test("A file that is overwritten after it was opened is not one version any more")
  func changed() throws {
    let path = directory.write("file", [1, 2, 3])
    // Long ago: the time of a change is exact to some milliseconds only.
    utimes(path, [timeval(), timeval()])
    let reader = try FileReader(path)
    try reader.checkUnchanged()
    _ = directory.write("file", [4, 5, 6])
    var reason: String?
    do throws(FileReader.Failure) {
      try reader.checkUnchanged()
    } catch {
      reason = "\(error.reason)"
    }
    #expect(reason == "it was changed in the meantime")
  }

  @Test("A file of terabytes is an error at once")
  func terabytes() throws {
    let path = directory.write("file", [])
    // Not every file system takes the same size.
    let sizes = [off_t(1) << 42, off_t(1) << 40, off_t(1) << 34]
    _ = try #require(sizes.first { truncate(path, $0) == 0 })
    let start = ContinuousClock.now
    #expect(reason(read(path, limit: FileReader.Limit.cache)) == "it is larger than 256 MB")
    #expect(ContinuousClock.now - start < .seconds(1))
  }

  @Test("A file of the kernel, which has no size, is read whole")
  func sizeless() throws {
    let text = try read("/proc/self/status", limit: FileReader.Limit.small).get()
    #expect(String(decoding: text, as: UTF8.self).contains("\nPid:\t\(getpid())\n"))
    #expect(reason(read("/proc/self/status", limit: 1 << 9)) == "it is larger than 0 kB")
  }

  @Test("A directory, a pipe without a writer and a device are errors at once")
  func strangers() {
    let pipe = "\(directory.path)/pipe"
    mkfifo(pipe, 0o600)
    let start = ContinuousClock.now
    #expect(reason(read(directory.path, limit: 10)) == "it is a directory")
    #expect(reason(read(pipe, limit: 10)) == "it is not a regular file")
    #expect(reason(read("/dev/zero", limit: 10)) == "it is not a regular file")
    #expect(ContinuousClock.now - start < .seconds(1))
  }

  @Test("What is refused is closed")
  func closed() throws {
    for _ in 0..<100 { #expect(reason(read(directory.path, limit: 10)) == "it is a directory") }
    #expect(Self.descriptors(of: directory.path) == 0)
  }

  /// How many descriptors of this process are of a file.
  private static func descriptors(of path: String) -> Int {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return all.count {
      let link = "/proc/self/fd/\($0)"
      return (try? FileManager.default.destinationOfSymbolicLink(atPath: link))?.hasSuffix(path)
        == true
    }
  }

  @Test(
    "Waiting for a stream, or for its writer, ends when the task is canceled",
    .timeLimit(.minutes(5)), arguments: [true, false])
  func canceled(hasWriter: Bool) async throws {
    let pipe = "\(directory.path)/pipe"
    mkfifo(pipe, 0o600)
    // Someone who could write to it, but does not.
    let writer = hasWriter ? open(pipe, O_RDWR | O_CLOEXEC) : -1
    defer { if hasWriter { close(writer) } }
    let task = Task { () -> Result<[UInt8], FileReader.Failure> in
      Result { () throws(FileReader.Failure) in
        try FileReader(pipe, allowsStreams: true).read(upTo: 10)
      }
    }
    // Not a task: those that wait may have all threads that there are for tasks.
    let isLate = LockedValue(false)
    DispatchQueue.global().async {
      let limit = ContinuousClock.now + .seconds(60)
      while Self.descriptors(of: pipe) == (hasWriter ? 1 : 0) {
        usleep(1000)
        guard ContinuousClock.now > limit else { continue }
        isLate.withLock { $0 = true }
        // Whoever waits for a writer to open the pipe goes on, so that the test ends.
        close(open(pipe, O_RDWR | O_CLOEXEC))
        break
      }
      task.cancel()
    }
    let result = await task.value
    #expect(!isLate.withLock { $0 })
    #expect(reason(result) == "the operation was canceled")
  }

  @Test(
    "A file that a file server's client has leased is read when it is given back",
    .timeLimit(.minutes(5)))
  func leased() async throws {
    // Of <bits/fcntl-linux.h>, which Swift does not import.
    let (setLease, getLease) = (Int32(1024), Int32(1025))
    // Tells the holder that someone wants the file, and would end this process.
    signal(SIGPOLL, SIG_IGN)
    let path = directory.write("file", [1])
    let holder = open(path, O_RDWR | O_CLOEXEC)
    defer { close(holder) }
    // Not every file system has leases.
    guard fcntl(holder, setLease, F_WRLCK) == 0 else { return }
    let task = Task { () -> Result<[UInt8], FileReader.Failure> in
      Result { () throws(FileReader.Failure) in
        try FileReader(path, allowsStreams: true).read(upTo: 10)
      }
    }
    DispatchQueue.global().async {
      // It has another type as soon as someone wants the file.
      let limit = ContinuousClock.now + .seconds(60)
      while fcntl(holder, getLease) == F_WRLCK, ContinuousClock.now < limit { usleep(1000) }
      _ = fcntl(holder, setLease, F_UNLCK)
    }
    #expect(try await task.value.get() == [1])
  }

  @Test("A device that someone named ends at the limit")
  func endless() {
    let result = Result { () throws(FileReader.Failure) in
      try FileReader("/dev/zero", allowsStreams: true).read(upTo: 1 << 20)
    }
    #expect(reason(result) == "it is larger than 1 MB")
  }

  @Test("A link is followed only where it may be one")
  func link() throws {
    let path = directory.write("file", [1])
    symlink(path, "\(directory.path)/link")
    #expect(try read("\(directory.path)/link", limit: 10).get() == [1])
    #expect(
      reason(read("\(directory.path)/link", limit: 10, followsLink: false))
        == "it is a symbolic link")
  }

  @Test("A missing file says so by its number")
  func missing() {
    guard case .failure(let failure) = read("\(directory.path)/none", limit: 10) else {
      Issue.record("it was read")
      return
    }
    #expect(failure.number == ENOENT)
    #expect("\(failure.reason)" == "it cannot be opened: No such file or directory")
    #expect("\(failure.cause)" == "No such file or directory")
  }
}
