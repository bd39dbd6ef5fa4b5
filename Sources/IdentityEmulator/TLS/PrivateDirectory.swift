import FoundationEssentials

/// A directory for this run, accessible only to this user.
struct PrivateDirectory: Sendable {
  let path: String

  /// Creates the directory in `XDG_RUNTIME_DIR`, or else in the directory for temporary files.
  init() throws {
    let runtime = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"]
    let parent =
      runtime.flatMap { FileManager.default.isWritableFile(atPath: $0) ? $0 : nil }
      ?? FileManager.default.temporaryDirectory.path
    path = "\(parent)/identity-emulator-\(Random.guid())"
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700])
  }

  /// Writes a file, and returns its path.
  func write(_ text: String, to name: String) throws -> String {
    let file = "\(path)/\(name)"
    try Data(text.utf8).write(to: URL(filePath: file))
    return file
  }

  /// Removes the directory and its contents.
  func remove() { try? FileManager.default.removeItem(atPath: path) }
}
