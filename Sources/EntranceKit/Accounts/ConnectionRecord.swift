import AuthCore
import CurlHTTP
import FoundationEssentials
import Glibc

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
    _ = Glibc.rename(file.path, new.path)
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
