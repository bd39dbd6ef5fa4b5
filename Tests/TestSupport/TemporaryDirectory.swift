public import FoundationEssentials
public import Glibc

/// A directory of a test's own, which goes when the test does.
public final class TemporaryDirectory: Sendable {
  /// Where it is.
  public let path: String

  /// Makes one.
  public init() throws {
    path = "/tmp/entrance-test-\(UUID().uuidString)"
    guard mkdir(path, 0o700) == 0 else { throw Failure() }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The directory could not be made.
  public struct Failure: Error {}

  /// The names of what is in it.
  public var names: [String] { names(in: "") }

  /// The names of what is in a directory in it.
  public func names(in name: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: "\(path)/\(name)"))?.sorted() ?? []
  }

  /// The bytes of a file.
  public func read(_ name: String) throws -> Data {
    guard let data = FileManager.default.contents(atPath: "\(path)/\(name)") else {
      throw Failure()
    }
    return data
  }

  /// Writes a file that is its owner's alone, in place.
  public func write(_ name: String, _ text: String) throws {
    let file = open("\(path)/\(name)", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    guard file >= 0 else { throw Failure() }
    defer { close(file) }
    guard Glibc.write(file, text, text.utf8.count) == text.utf8.count else { throw Failure() }
  }

  /// Who may do what with a file.
  public func mode(_ name: String) -> mode_t {
    var status = stat()
    return stat("\(path)/\(name)", &status) == 0 ? status.st_mode & 0o777 : 0
  }
}
