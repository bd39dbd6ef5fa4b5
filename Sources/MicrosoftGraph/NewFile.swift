import AuthCore
import FoundationEssentials
import Glibc
import Sentences

/// A file that appears under its name when it is complete.
final class NewFile {
  private let path: String
  private var temporaryPath: String
  private let descriptor: Int32
  /// Whether it stays as it is: it is complete, or continued another time.
  private var isKept = false

  init(_ path: String) throws(GraphError) {
    var status = stat()
    // A device or a pipe cannot be replaced, and must not be.
    guard stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG else {
      throw GraphError(file: path, Sentence("it is not a regular file"))
    }
    self.path = path
    // Short, because the name of the file can be as long as any.
    temporaryPath = "\(Self.parts(of: path).folder).\(UUID().uuidString).part"
    descriptor = open(temporaryPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw GraphError(file: path, Sentence.systemError) }
    flock(descriptor, LOCK_EX | LOCK_NB)
    takePermissions()
  }

  /// Continues a file that was kept.
  fileprivate init(_ path: String, continuing temporaryPath: String, _ descriptor: Int32) {
    self.path = path
    self.temporaryPath = temporaryPath
    self.descriptor = descriptor
    isKept = true
    takePermissions()
  }

  /// Takes the permissions of the file that is replaced, before anything is written.
  private func takePermissions() {
    var status = stat()
    if stat(path, &status) == 0 { fchmod(descriptor, status.st_mode & 0o777) }
  }

  /// The folder of a path with its last slash, and the name; by bytes, as the system reads them.
  fileprivate static func parts(of path: String) -> (folder: String, name: String) {
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    let start = slash.map { path.utf8.index(after: $0) } ?? path.startIndex
    return (String(Substring(path.utf8[..<start])), String(Substring(path.utf8[start...])))
  }

  deinit {
    guard descriptor >= 0 else { return }
    if !isKept { unlink(temporaryPath) }
    close(descriptor)
  }

  func write(_ data: Data) throws(GraphError) {
    var failure: Sentence?
    data.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = Glibc.write(
          descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else {
          failure = Sentence.systemError
          return
        }
        rest = rest.dropFirst(count)
      }
    }
    if let failure { throw GraphError(file: path, failure) }
  }

  /// Keeps what is written from now on, also when the program is ended, as the start of the version
  /// `eTag`; nothing without a strong one (RFC 9110, section 8.8.1).
  func keep(eTag: String?) {
    guard !isKept, let eTag, PartialFile.isStrong(eTag) else { return }
    let partialPath = PartialFile.path(of: path, eTag: eTag)
    // Another program may be writing it.
    guard link(temporaryPath, partialPath) == 0 else { return }
    unlink(temporaryPath)
    temporaryPath = partialPath
    isKept = true
  }

  /// Removes what was kept.
  func discard() { isKept = false }

  /// Gives the file its name.
  func finish() throws(GraphError) {
    // Some file systems tell only now that the disk is full.
    guard fsync(descriptor) == 0 || errno == EINVAL, rename(temporaryPath, path) == 0 else {
      throw GraphError(file: path, Sentence.systemError)
    }
    isKept = true
  }
}

/// The start of a file that a download has left behind, whose name tells its version.
struct PartialFile {
  let file: NewFile
  let eTag: String
  let size: Int

  private static let end = ".part"

  /// The start of `path`, which no other program is writing; nil when there is none.
  init?(of path: String) {
    let (folder, name) = NewFile.parts(of: path)
    let start = name + "."
    let names =
      (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
    for name in names.sorted() where name.hasPrefix(start) && name.hasSuffix(Self.end) {
      let text = String(name.dropFirst(start.count).dropLast(Self.end.count))
      guard let bytes = Base64URL.decode(text), let eTag = String(validating: bytes, as: UTF8.self),
        Self.isStrong(eTag)
      else { continue }
      let partialPath = folder + name
      let descriptor = open(partialPath, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
      guard descriptor >= 0 else { continue }
      var (status, named) = (stat(), stat())
      // Another program may have completed it meanwhile.
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, fstat(descriptor, &status) == 0,
        lstat(partialPath, &named) == 0, status.st_ino == named.st_ino,
        status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(), status.st_size > 0
      else {
        close(descriptor)
        continue
      }
      self.eTag = eTag
      size = Int(status.st_size)
      file = NewFile(path, continuing: partialPath, descriptor)
      return
    }
    return nil
  }

  /// Whether `eTag` tells versions apart byte by byte, and can be sent.
  static func isStrong(_ eTag: String) -> Bool {
    eTag.count > 2 && eTag.hasPrefix("\"") && eTag.hasSuffix("\"")
      && eTag.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }

  static func path(of path: String, eTag: String) -> String {
    "\(path).\(Base64URL.encode(Array(eTag.utf8)))\(end)"
  }
}
