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

/// A file as it was last read or written, to find out quickly whether it has changed since.
///
/// It keeps the file open: to resolve its path takes four times as long. A replaced file has no
/// links any longer, and a written or renamed one has a new change time. When a whole directory is
/// moved, the file in it is unchanged; that is detected at the next use of the path.
final class SeenFile: Sendable {
  /// The stamp at that time; nil when there was no file.
  let stamp: FileStamp?
  private let path: String
  /// Negative when there was no file, or it no longer had the stamp when it was opened.
  private let file: Int32
  private let changedAt: timespec

  /// Watches the file at `path`, which had `stamp`; it opens the file.
  init(_ path: String, _ stamp: FileStamp?) {
    (self.path, self.stamp) = (path, stamp)
    let file = stamp == nil ? -1 : open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    var status = stat()
    let isSame = file >= 0 && fstat(file, &status) == 0 && FileStamp(status) == stamp
    if file >= 0, !isSame { close(file) }
    self.file = isSame ? file : -1
    changedAt = status.st_ctim
  }

  deinit {
    if file >= 0 { close(file) }
  }

  /// Whether it has changed.
  var hasChanged: Bool {
    guard file >= 0 else { return stamp != FileStamp(path: path) }
    var status = stat()
    let isUnchanged =
      fstat(file, &status) == 0 && status.st_nlink > 0 && FileStamp(status) == stamp
      && status.st_ctim.tv_sec == changedAt.tv_sec && status.st_ctim.tv_nsec == changedAt.tv_nsec
    return !isUnchanged
  }
}
