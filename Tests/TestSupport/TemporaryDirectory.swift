public import FoundationEssentials
public import Glibc

/// A temporary directory, which is removed with this object.
public final class TemporaryDirectory: Sendable {
  /// Its path.
  public let path: String

  /// Creates a directory.
  public init() throws {
    path = "/tmp/entrance-test-\(UUID().uuidString)"
    guard mkdir(path, 0o700) == 0 else { throw Failure() }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The directory could not be created.
  public struct Failure: Error {}

  /// The names of its contents.
  public var names: [String] { names(in: "") }

  /// The names in one of its subdirectories.
  public func names(in name: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: "\(path)/\(name)"))?.sorted() ?? []
  }

  /// The name of the first complete file in one of its subdirectories, once there is one.
  ///
  /// A file has another name while it is written, which ends in `.new`.
  public func firstFile(in name: String) async throws -> String {
    while true {
      if let file = names(in: name).first(where: { !$0.hasSuffix(".new") }) { return file }
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  /// The bytes of a file.
  public func read(_ name: String) throws -> Data {
    guard let data = FileManager.default.contents(atPath: "\(path)/\(name)") else {
      throw Failure()
    }
    return data
  }

  /// Writes a file in place, accessible only to its owner.
  public func write(_ name: String, _ text: String) throws {
    let file = open("\(path)/\(name)", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    guard file >= 0 else { throw Failure() }
    defer { close(file) }
    guard Glibc.write(file, text, text.utf8.count) == text.utf8.count else { throw Failure() }
  }

  /// The permissions of a file; 0 when there is none.
  public func mode(_ name: String) -> mode_t {
    let attributes = try? FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")
    // Foundation makes it an `Int` where it is loaded, too.
    let mode = attributes?[.posixPermissions]
    return (mode as? UInt).map(mode_t.init) ?? (mode as? Int).map(mode_t.init) ?? 0
  }
}
