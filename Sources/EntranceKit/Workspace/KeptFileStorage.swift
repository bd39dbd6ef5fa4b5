import AuthCore
import CurlHTTP
import FoundationEssentials
import Glibc

/// The file of a ``KeptFile``: a JSON object about a connection, which only this user can read.
///
/// Errors are ignored: nothing is in it that has to be there.
actor KeptFileStorage {
  private let directory: String
  private var file: PrivateFile

  /// The file in `directory` about the connection called `connection`.
  init(directory: String, connection: String) {
    self.directory = directory
    file = Self.file(in: directory, of: connection)
  }

  private init(directory: String, file name: String) {
    self.directory = directory
    file = PrivateFile(path: "\(directory)/\(name)", limit: FileReader.Limit.record)
  }

  /// The files in `directory`, except for those about `connections`.
  @concurrent
  static func all(
    in directory: String, except connections: [String]
  ) async -> [KeptFileStorage] {
    let others = Set(connections.map { "\(HashedFileName.of($0)).json" })
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    return names.filter { $0.hasSuffix(".json") && !others.contains($0) }
      .map { KeptFileStorage(directory: directory, file: $0) }
  }

  private static func file(in directory: String, of connection: String) -> PrivateFile {
    PrivateFile(
      path: "\(directory)/\(HashedFileName.of(connection)).json", limit: FileReader.Limit.record)
  }

  /// Goes on under another name of the connection, with what is in the file.
  func rename(to connection: String) {
    let new = Self.file(in: directory, of: connection)
    guard new.path != file.path else { return }
    // What is left of another connection that had the name is not this one's.
    unlink(new.path)
    _ = Glibc.rename(file.path, new.path)
    file = new
  }

  /// What is in the file; nil when there is nothing.
  func read<Contents: KeptContents>(_: Contents.Type) -> Contents? {
    (try? file.read()).flatMap { try? JSON(parsing: $0.bytes) }.map { Contents($0) }
  }

  /// Changes what is in the file, if there is something: at once, because its connection may be opened
  /// meanwhile.
  func change<Contents: KeptContents>(_ change: @Sendable (Contents) -> Contents) {
    if let found = read(Contents.self) { write(change(found)) }
  }

  /// Replaces what is in the file, unless it is the same; nothing removes the file.
  func write<Contents: KeptContents>(_ contents: Contents) {
    guard let json = contents.json else {
      unlink(file.path)
      return
    }
    guard contents != read(Contents.self), (try? file.makeDirectory()) != nil else { return }
    _ = try? file.write(Array(json.compactText.utf8))
  }
}
