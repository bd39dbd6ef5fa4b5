import AuthCore
import CurlHTTP
import FoundationEssentials

/// A JSON object about a connection, in a file that only this user can read.
///
/// Errors are ignored: nothing is in it that has to be there.
struct ConnectionRecord {
  private let directory: String
  private var file: PrivateFile

  /// The record in `directory` about the connection called `connection`.
  init(directory: String, connection: String) {
    self.directory = directory
    file = Self.file(in: directory, of: connection)
  }

  private static func file(in directory: String, of connection: String) -> PrivateFile {
    PrivateFile(
      path: "\(directory)/\(FileName.hash(connection)).json", limit: FileReader.Limit.record)
  }

  /// Goes on under another name of the connection, with what is in the file.
  mutating func rename(to connection: String) {
    let new = Self.file(in: directory, of: connection)
    FileManager.default.replaceFile(new.path, by: file.path)
    file = new
  }

  /// What is in the file; nil when there is nothing.
  func read() -> JSON? {
    (try? file.read()).flatMap { try? JSON(parsing: $0.bytes) }
  }

  /// Replaces what is in the file; nil removes it.
  func write(_ json: JSON?) {
    guard let json else {
      try? FileManager.default.removeItem(atPath: file.path)
      return
    }
    guard (try? file.makeDirectory()) != nil else { return }
    _ = try? file.write(Array(json.compactText.utf8))
  }
}

extension FileManager {
  /// Moves a file to the place of another one, if it exists; errors are ignored.
  func replaceFile(_ path: String, by other: String) {
    guard path != other, fileExists(atPath: other) else { return }
    try? removeItem(atPath: path)
    try? moveItem(atPath: other, toPath: path)
  }
}
