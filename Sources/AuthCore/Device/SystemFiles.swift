import CurlHTTP
import FoundationEssentials

/// The file tree with `/etc`, `/proc` and `/sys`.
public struct SystemFiles: Sendable {
  /// The path that contains these three; empty for the real ones.
  public var root: String
  /// The user's home directory, with symbolic links resolved.
  public var homeDirectory: String

  /// Creates a tree; by default, the real one with the current user's home directory.
  public init(root: String = "", homeDirectory: String = SystemFiles.currentHomeDirectory) {
    self.root = root
    self.homeDirectory = homeDirectory
  }

  /// The home directory from the environment, or else from the user database.
  public static var currentHomeDirectory: String {
    URL(filePath: HomeDirectory.path).resolvingSymlinksInPath().path
  }

  /// The bytes of a file; nil when it cannot be read, or has more than `limit`.
  func data(_ path: String, upTo limit: Int = FileReader.Limit.small) -> Data? {
    let bytes = try? FileReader(root + path).read(upTo: limit)
    return bytes.map { Data($0) }
  }

  /// The text of a file; nil when it cannot be read, or has more than `limit` bytes.
  func text(_ path: String, upTo limit: Int = FileReader.Limit.small) -> String? {
    data(path, upTo: limit).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The first line of a file; nil when it cannot be read or is empty.
  func line(_ path: String) -> String? {
    text(path)?.split(separator: "\n").first.map(String.init)
  }

  /// The names in a directory; empty when it cannot be read.
  func names(in path: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: root + path))?.sorted() ?? []
  }

  /// Whether a path exists.
  func has(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: root + path)
  }
}
