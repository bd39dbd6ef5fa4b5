import Glibc

/// Identifies a version of a file; any change of the file changes it.
package struct FileStamp: Sendable, Equatable {
  private let device: dev_t
  private let inode: ino_t
  private let size: off_t
  private let seconds: Int
  private let nanoseconds: Int

  init(_ status: stat) {
    device = status.st_dev
    inode = status.st_ino
    size = status.st_size
    seconds = status.st_mtim.tv_sec
    nanoseconds = status.st_mtim.tv_nsec
  }

  /// Whether the file was written less than `seconds` ago.
  ///
  /// A time in the future, as after a change of the clock, tells nothing.
  func isYounger(than seconds: Double) -> Bool {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let age =
      Double(now.tv_sec) - Double(self.seconds)
      + Double(now.tv_nsec - nanoseconds) / 1e9
    return (-0.1..<seconds).contains(age)
  }

  /// The stamp of the file at `path`; nil when the file does not exist.
  package init?(path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    self.init(status)
  }
}

/// A file as it was last read or written, to find out whether it has changed since.
struct SeenFile: Sendable {
  /// The stamp at that time; nil when there was no file.
  let stamp: FileStamp?
  private let path: String
  private let watch: FileWatch?

  /// Watches the file at `path`, which had `stamp`; it opens the file.
  init(_ path: String, _ stamp: FileStamp?) {
    (self.path, self.stamp) = (path, stamp)
    watch = stamp.flatMap { FileWatch(path, $0) }
  }

  /// Whether it has changed.
  var hasChanged: Bool { watch.map { !$0.isUnchanged } ?? (stamp != FileStamp(path: path)) }
}

/// Checks quickly whether a file is unchanged: without resolving its path, which takes four times
/// as long.
///
/// It keeps the file open. A replaced file has no links any longer, and a written or renamed one
/// has a new change time. When a whole directory is moved, the file in it is unchanged; that is
/// detected at the next use of the path.
private final class FileWatch: Sendable {
  private let file: Int32
  private let stamp: FileStamp
  private let changedAt: timespec

  /// Watches the file at `path`; nil when it does not exist, or no longer has `stamp`.
  init?(_ path: String, _ stamp: FileStamp) {
    file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    var status = stat()
    self.stamp = stamp
    let isThere = file >= 0 && fstat(file, &status) == 0
    changedAt = status.st_ctim
    guard isThere, FileStamp(status) == stamp else { return nil }
  }

  deinit {
    if file >= 0 { close(file) }
  }

  /// Whether the file is unchanged.
  var isUnchanged: Bool {
    var status = stat()
    return fstat(file, &status) == 0 && status.st_nlink > 0 && FileStamp(status) == stamp
      && status.st_ctim.tv_sec == changedAt.tv_sec && status.st_ctim.tv_nsec == changedAt.tv_nsec
  }
}
