import Glibc

/// What changes when a file does.
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

  /// The stamp of the file at `path`; nil when there is none.
  package init?(path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    self.init(status)
  }
}

/// Tells quickly whether a file is still what it was: without its path, which takes four times as long to
/// follow.
///
/// It holds the file itself. One that another was put in place of has no name any more, and one that was
/// written or renamed has another time of change. When a whole directory moves away, the file in it is what
/// it was: that is found when the path is used again.
final class FileWatch: Sendable {
  private let file: Int32
  private let stamp: FileStamp
  private let changedAt: timespec

  /// Watches the file at `path`; nil when it is not there, or is not the one with `stamp` any more.
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

  /// Whether nothing has happened to the file.
  var isUnchanged: Bool {
    var status = stat()
    return fstat(file, &status) == 0 && status.st_nlink > 0 && FileStamp(status) == stamp
      && status.st_ctim.tv_sec == changedAt.tv_sec && status.st_ctim.tv_nsec == changedAt.tv_nsec
  }
}
