import Glibc

/// A lock against others of this package's programs that change a file of the same folder.
///
/// The file itself cannot have the lock, because a change replaces it. The lock is released when
/// the value is destroyed.
package struct FolderLock: ~Copyable {
  private let descriptor: Int32

  /// Locks the folder that the file at `path` is in, or the file that a link there leads to, and
  /// waits for whoever holds the lock.
  ///
  /// Not every file system has locks, and nobody is waited for longer than 5 seconds. Without the
  /// lock, what another program changes at this moment may be lost, and no more.
  package init(besideFileAt path: String) {
    // A change replaces the file at the end of a link.
    let real = realpath(path, nil)
    defer { free(real) }
    let file = real.map { String(cString: $0) } ?? path
    let slash = file.lastIndex(of: "/")
    let folder = slash.map { $0 == file.startIndex ? "/" : String(file[..<$0]) } ?? "."
    descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    let deadline = ContinuousClock.now + .seconds(5)
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EAGAIN || errno == EINTR,
      ContinuousClock.now < deadline
    {
      usleep(5000)
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
}
