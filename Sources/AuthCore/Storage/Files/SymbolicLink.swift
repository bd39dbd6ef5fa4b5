import FoundationEssentials
import Glibc

/// A symbolic link at a path that a person has named for a file to be written.
///
/// What it leads to is written, as by all programs, and the link stays.
package enum SymbolicLink {
  /// The path at the end of the links at `path`, also if nothing is there yet; `path` itself when
  /// it is no link.
  ///
  /// A link of another user is not followed, in any folder, while a system with
  /// `fs.protected_symlinks` is so strict only where all can write: it can lead to any file of this
  /// user.
  package static func target(of path: String) -> String {
    var target = path
    // As many as the system follows (path_resolution(7)).
    for _ in 0..<40 {
      var status = stat()
      guard lstat(target, &status) == 0, status.st_mode & S_IFMT == S_IFLNK,
        [0, geteuid()].contains(status.st_uid),
        let next = try? FileManager.default.destinationOfSymbolicLink(atPath: target)
      else { return target }
      let folder = target.lastIndex(of: "/").map { String(target[...$0]) } ?? ""
      target = next.hasPrefix("/") ? next : folder + next
    }
    return path
  }
}
