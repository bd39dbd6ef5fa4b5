import FoundationEssentials
package import Glibc
package import Sentences

/// A file that is open for reading.
///
/// Whatever is at a path, reading it ends, and takes no more memory than its reader allows: a file
/// that never ends, a pipe without a writer, a device or a directory is an error at once. Reading a
/// stream, where that is allowed, ends when the task is canceled.
package struct FileReader: ~Copyable {
  private let descriptor: Int32
  /// The file's properties when it was opened.
  package let status: stat

  /// The largest sizes that are read, in bytes: far above those of any real file.
  package enum Limit {
    /// A token cache that programs share: one of 10,000 accounts has about 60 MB.
    package static let cache = 256 << 20
    /// A record or the index of AuthCore's own stores: an index of 10,000 accounts has 2 MB.
    package static let record = 32 << 20
    /// A request's body, or a cache to import.
    package static let input = 256 << 20
    /// A file as the body of a request that is read before it is sent, so that a recording has it; a
    /// larger one is read while it is sent.
    package static let body = 4_000_000
    /// A file of the system, a certificate list or a note of this program.
    package static let small = 1 << 20
  }

  /// Why a file was not read.
  package struct Failure: Error {
    /// It follows the file's name.
    package let reason: Sentence
    /// The error number of the system; nil when the file was refused for what it is.
    package let number: Int32?
    /// It follows words which say that the file was not read.
    package var cause: Sentence {
      number.map { Sentence(system: String(cString: strerror($0))) } ?? reason
    }

    init(_ reason: Sentence, number: Int32? = nil) {
      self.reason = reason
      self.number = number
    }

    fileprivate static func system(_ what: Sentence) -> Failure {
      let number = errno
      return Failure(
        Sentence("{what}: {reason}", ["what": what, "reason": Sentence.systemError]),
        number: number)
    }
  }

  /// Opens the file at `path`.
  ///
  /// - Parameters:
  ///   - followsLink: whether `path` may be a symbolic link.
  ///   - allowsStreams: whether it may be a pipe or a terminal, which someone named to be read:
  ///     reading it waits for its writer.
  package init(
    _ path: String, followsLink: Bool = true, allowsStreams: Bool = false
  ) throws(Failure) {
    // Without O_NONBLOCK, opening a pipe would wait for a writer, which nothing can cancel.
    var flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK
    if !followsLink { flags |= O_NOFOLLOW }
    descriptor = Self.open(path, flags, waits: allowsStreams)
    status = try Self.status(
      of: descriptor, followsLink: followsLink, allowsStreams: allowsStreams)
  }

  /// Opens the file at `path`; the descriptor is negative when that fails.
  ///
  /// - Parameter waits: whether to wait, until the task is canceled, for a file server of this
  ///   computer whose client has leased the file.
  private static func open(_ path: String, _ flags: Int32, waits: Bool) -> Int32 {
    while true {
      let descriptor = Glibc.open(path, flags)
      guard descriptor < 0, errno == EAGAIN, waits, !Task.isCancelled else {
        return descriptor
      }
      usleep(100_000)
    }
  }

  /// Opens a file in `directory` or below it, by a name that someone else may have chosen.
  ///
  /// The name cannot lead elsewhere: it has no `..`, and no part of it is a symbolic link.
  package init(_ name: String, in directory: String) throws(Failure) {
    let (number, failure) = Self.open(name, in: directory)
    descriptor = number
    if let failure { throw failure }
    status = try Self.status(of: descriptor, followsLink: false, allowsStreams: false)
  }

  /// Opens a file in `directory` or below it; the descriptor is negative when that fails.
  private static func open(_ name: String, in directory: String) -> (Int32, Failure?) {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
      .filter { $0 != "." }
    guard let last = parts.last,
      parts.allSatisfy({ !$0.isEmpty && $0 != ".." && !$0.utf8.contains(0) })
    else {
      return (-1, Failure(Sentence("it is not in the folder of the file that names it")))
    }
    var folder = Glibc.open(directory, withoutReading | O_DIRECTORY | O_CLOEXEC)
    defer { if folder >= 0 { close(folder) } }
    for part in parts.dropLast() {
      let next = openat(folder, part, withoutReading | O_NOFOLLOW | O_CLOEXEC)
      if folder >= 0 { close(folder) }
      folder = next
      var status = stat()
      if next >= 0, fstat(next, &status) == 0, status.st_mode & S_IFMT == S_IFLNK {
        return (-1, Failure(Sentence("it is a symbolic link")))
      }
    }
    let file = openat(folder, last, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW)
    guard file >= 0 else {
      return (
        -1,
        errno == ELOOP
          ? Failure(Sentence("it is a symbolic link")) : .system(Sentence("it cannot be opened"))
      )
    }
    return (file, nil)
  }

  /// `O_PATH` of `<bits/fcntl-linux.h>`, which Swift does not import.
  private static let withoutReading: Int32 = 0o10000000

  /// Reads standard input, whatever it is.
  package init(standardInput: Void) throws(Failure) {
    descriptor = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
    status = try Self.status(of: descriptor, allowsStreams: true)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Sees whether what was read so far and what comes are of one version of the file: nobody has
  /// written to it since it was opened.
  package func checkUnchanged() throws(Failure) {
    var now = stat()
    guard fstat(descriptor, &now) == 0, now.st_size == status.st_size,
      now.st_mtim.tv_sec == status.st_mtim.tv_sec, now.st_mtim.tv_nsec == status.st_mtim.tv_nsec
    else { throw Self.changed }
  }

  /// The error for a file that others write to while it is read.
  static var changed: Failure { Failure(Sentence("it was changed in the meantime")) }

  private static func status(
    of descriptor: Int32, followsLink: Bool = true, allowsStreams: Bool
  ) throws(Failure) -> stat {
    guard descriptor >= 0 else {
      if errno == ELOOP, !followsLink { throw Failure(Sentence("it is a symbolic link")) }
      throw .system(Sentence("it cannot be opened"))
    }
    var status = stat()
    let failure: Failure
    if fstat(descriptor, &status) != 0 {
      failure = .system(Sentence("it cannot be read"))
    } else if status.st_mode & S_IFMT == S_IFDIR {
      failure = Failure(Sentence("it is a directory"))
    } else if status.st_mode & S_IFMT != S_IFREG, !allowsStreams {
      failure = Failure(Sentence("it is not a regular file"))
    } else {
      return status
    }
    // There is no reader whose end would close it.
    close(descriptor)
    throw failure
  }

  /// The rest of the file.
  ///
  /// - Throws: when it cannot be read, or is larger than `limit` bytes, which is seen before anything
  ///   is read where the file has a size.
  package func read(upTo limit: Int) throws(Failure) -> [UInt8] {
    guard status.st_size <= limit else { throw Self.tooLarge(limit) }
    // One byte more than the size finds the end of the file, also of one that has just grown.
    var bytes = try piece(Int(status.st_size) + 1)
    guard bytes.count > status.st_size else { return bytes }
    // The kernel's own files, and streams, have no size.
    while bytes.count <= limit {
      let size = min(max(bytes.count, 64 << 10), limit + 1 - bytes.count)
      let next = try piece(size)
      bytes += next
      // A terminal would wait for another Ctrl+D if it were read again after its end.
      if next.count < size { return bytes }
    }
    throw Self.tooLarge(limit)
  }

  /// At most the next `size` bytes; fewer only at the end of the file.
  package func piece(_ size: Int) throws(Failure) -> [UInt8] {
    var failure: Failure?
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      do throws(Failure) {
        count = try read(
          into: UnsafeMutableRawBufferPointer(
            rebasing: UnsafeMutableRawBufferPointer(buffer)[..<size]))
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }

  /// Reads until `buffer` is full, or to the end of the file; returns the number of bytes.
  ///
  /// - Parameter offset: where to begin; nil to go on where the last call ended.
  package func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int? = nil
  ) throws(Failure) -> Int {
    let isStream = status.st_mode & S_IFMT != S_IFREG
    var count = 0
    while count < buffer.count {
      if isStream { try wait() }
      let rest = buffer.baseAddress.map { $0 + count }
      let length =
        if let offset {
          pread(descriptor, rest, buffer.count - count, offset + count)
        } else {
          Glibc.read(descriptor, rest, buffer.count - count)
        }
      // A regular file, such as /proc/kmsg without news, cannot be waited for.
      if length < 0, errno == EINTR || errno == EAGAIN && isStream { continue }
      if length < 0 { throw .system(Sentence("it cannot be read")) }
      guard length > 0 else { break }
      count += length
    }
    return count
  }

  /// Waits until a stream has something to read or has ended, which the next read finds out.
  ///
  /// - Throws: when the task is canceled.
  private func wait() throws(Failure) {
    while true {
      guard !Task.isCancelled else { throw Failure(Sentence("the operation was canceled")) }
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      // Not for ever, to notice that the task was canceled.
      let count = poll(&waiting, 1, 100)
      if count > 0 || count < 0 && errno != EINTR { return }
    }
  }

  /// The error for a text of more than `limit` bytes.
  package static func tooLarge(_ limit: Int) -> Failure {
    limit < 1 << 20
      ? Failure(Sentence("it is larger than {size} kB", ["size": limit >> 10]))
      : Failure(Sentence("it is larger than {size} MB", ["size": limit >> 20]))
  }
}
