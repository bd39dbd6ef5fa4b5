import Glibc

/// Properties of a file or directory that any operation but reading changes; empty if there is none.
///
/// Test files ask for them here: `stat` is a type of Glibc and of Foundation, and which of the two
/// a file that imports Testing sees depends on the order of the build.
public func fileState(of path: String) -> [Int] {
  var status = stat()
  guard lstat(path, &status) == 0 else { return [] }
  return [
    Int(status.st_ino), Int(status.st_size), Int(status.st_mode), status.st_mtim.tv_sec,
    status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec,
  ]
}
