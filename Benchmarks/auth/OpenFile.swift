import Glibc

/// The smallest check for a change of a file by another program: the status of the open file.
final class OpenFile {
  private let file: Int32
  private var before = stat()

  /// Opens the file at `path`.
  init?(path: String) {
    file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0, fstat(file, &before) == 0 else { return nil }
  }

  deinit { close(file) }

  /// Whether the file is unchanged since it was opened.
  var isUnchanged: Bool {
    var now = stat()
    return fstat(file, &now) == 0 && now.st_mtim.tv_sec == before.st_mtim.tv_sec
      && now.st_mtim.tv_nsec == before.st_mtim.tv_nsec
  }
}
