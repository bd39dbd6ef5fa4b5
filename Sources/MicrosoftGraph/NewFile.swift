import FoundationEssentials
import Glibc
import Sentences

/// A file that appears under its name when it is complete.
final class NewFile {
  private let path: String
  private let temporaryPath: String
  private let descriptor: Int32
  private var isFinished = false

  init(_ path: String) throws(GraphError) {
    self.path = path
    temporaryPath = "\(path).\(UUID().uuidString).part"
    descriptor = open(temporaryPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw GraphError(file: path, Sentence.systemError) }
  }

  deinit {
    guard descriptor >= 0 else { return }
    close(descriptor)
    if !isFinished { unlink(temporaryPath) }
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

  /// Gives the file its name.
  func finish() throws(GraphError) {
    // Some file systems tell only now that the disk is full.
    guard fsync(descriptor) == 0 || errno == EINVAL, rename(temporaryPath, path) == 0 else {
      throw GraphError(file: path, Sentence.systemError)
    }
    isFinished = true
  }
}
