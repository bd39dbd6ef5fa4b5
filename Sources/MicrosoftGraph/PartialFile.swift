import AuthCore
import FoundationEssentials
import Glibc

/// The start of a file that a download has left behind, whose name tells its version.
struct PartialFile {
  let file: DownloadFile
  let eTag: String
  let size: Int

  private static let end = ".part"

  /// The start of `path`, which no other program is writing; nil when there is none.
  init?(of path: String) {
    let (folder, name) = DownloadFile.parts(of: path)
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
        status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid()
      else {
        close(descriptor)
        continue
      }
      guard status.st_size > 0 else {
        // After a power failure, a file can be empty: it would only keep its name from the next one.
        unlink(partialPath)
        close(descriptor)
        continue
      }
      self.eTag = eTag
      size = Int(status.st_size)
      file = DownloadFile(path, continuing: partialPath, descriptor)
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
