import FoundationEssentials
import Glibc

/// Where the system tells about itself: the tree with `/etc`, `/proc` and `/sys`.
public struct SystemFiles: Sendable {
  /// The path that those three are beneath; empty for this system's own.
  public var root: String
  /// The person's home directory, without symbolic links on the way.
  public var homeDirectory: String

  /// Names a tree; this system's and this person's unless told otherwise.
  public init(root: String = "", homeDirectory: String = SystemFiles.currentHomeDirectory) {
    self.root = root
    self.homeDirectory = homeDirectory
  }

  /// The home directory by the environment, or by the system's list of users.
  public static var currentHomeDirectory: String {
    URL(filePath: HomeDirectory.path).resolvingSymlinksInPath().path
  }

  /// The bytes of a file; nil when it cannot be read.
  ///
  /// The kernel hands out its own files in pieces, of which Foundation takes the first for the whole.
  func data(_ path: String) -> Data? {
    let file = open(root + path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var data = Data()
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = read(file, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return nil }
      guard count > 0 else { return data }
      data.append(contentsOf: buffer[..<count])
    }
  }

  /// The text of a file; nil when it cannot be read.
  func text(_ path: String) -> String? {
    data(path).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The first line of a file; nil when it cannot be read or is empty.
  func line(_ path: String) -> String? {
    text(path)?.split(separator: "\n").first.map(String.init)
  }

  /// The names in a directory; none when it cannot be read.
  func names(in path: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: root + path))?.sorted() ?? []
  }

  /// Whether there is something at a path.
  func has(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: root + path)
  }
}
