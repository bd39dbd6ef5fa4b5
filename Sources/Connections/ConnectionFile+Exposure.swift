import AuthCore
import Glibc
public import Sentences

extension ConnectionFile {
  /// Who else can change the file at `path`, which says where people sign in and who gets their
  /// tokens, and what to do about it; nil when only the user and the administrator can.
  ///
  /// The file is used all the same: where a file system has no permissions, as on a USB stick, or
  /// on a disk of Windows, all files look as if everyone could change them.
  public static func exposure(_ path: String) -> Sentence? {
    let directory = path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)
    for place in [path, directory.isEmpty ? "/" : String(directory)] {
      var status = stat()
      guard stat(place, &status) == 0 else { continue }
      let isStrangers = status.st_uid != 0 && status.st_uid != geteuid()
      let writers = status.st_mode & (S_IWOTH | (isPrivate(status) ? 0 : S_IWGRP))
      // In a directory such as /tmp, a file can be replaced by its owner only.
      let isSticky = status.st_mode & S_ISVTX != 0 && status.st_mode & S_IFMT == S_IFDIR
      guard isStrangers || writers != 0 && !isSticky else { continue }
      return Sentence([
        Sentence(
          "Other users of this computer can change {path}, which says who gets your tokens.",
          ["path": place]),
        isStrangers
          ? Sentence(
            "Make sure that it belongs to you: 'chown {user} {path}'.",
            ["user": user(geteuid()) ?? "\(geteuid())", "path": place.asArgument])
          : Sentence("Remove the permission: 'chmod go-w {path}'.", ["path": place.asArgument]),
      ]).plain
    }
    return nil
  }

  /// Whether a file's group has nobody in it but the file's owner, as the group that many systems
  /// make for each user: what the user makes is writable by it.
  private static func isPrivate(_ status: stat) -> Bool {
    guard let name = user(status.st_uid), let entry = getpwuid(status.st_uid),
      entry.pointee.pw_gid == status.st_gid, let group = getgrgid(status.st_gid),
      String(cString: group.pointee.gr_name) == name
    else { return false }
    var member = group.pointee.gr_mem
    while let other = member?.pointee {
      guard String(cString: other) == name else { return false }
      member = member?.successor()
    }
    return true
  }

  private static func user(_ id: uid_t) -> String? {
    getpwuid(id).map { String(cString: $0.pointee.pw_name) }
  }
}
