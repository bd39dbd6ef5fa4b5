import AuthCore
import FoundationEssentials
import Glibc
import Sentences

/// A file that a download is written to, which appears under its name when it is complete.
final class DownloadFile {
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
  init(_ path: String, continuing temporaryPath: String, _ descriptor: Int32) {
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
  static func parts(of path: String) -> (folder: String, name: String) {
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

  /// Keeps what was written and will be, also when the program is ended, as the start of the version
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
