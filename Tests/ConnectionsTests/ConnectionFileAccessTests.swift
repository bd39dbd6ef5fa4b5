import AuthCore
import Connections
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@Suite("The file of the connections, and the files that it names")
struct ConnectionFileAccessTests {
  private static let id = "11111111-2222-3333-4444-555555555555"

  @Test("A file that cannot be read is an error with the system's reason")
  func unreadable() throws {
    func reason(_ path: String) -> String? {
      #expect(throws: ConnectionFileError.self) { try ConnectionFile.load(path) }?.description
    }
    let folder = try TemporaryDirectory()
    let loop = folder.path + "/loop"
    #expect(symlink(loop, loop) == 0)
    #expect(
      reason(loop) == "it cannot be opened: \(String(cString: strerror(ELOOP)))")
    let text = folder.path + "/text"
    try "".write(toFile: text, atomically: true, encoding: .utf8)
    #expect(
      reason(text + "/apps.json")
        == "it cannot be opened: \(String(cString: strerror(ENOTDIR)))")
    #expect(reason(folder.path) == "it is a directory")
  }

  @Test("A byte order mark is skipped, and a change keeps it (RFC 8259, section 8.1)")
  func byteOrderMark() throws {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text =
      #"{"version": 1, "apps": [{"name": "N", "clientID": "\#(Self.id)"}]}"#
    #expect(try ConnectionFile.parse(mark + text.utf8).map(\.name) == ["N"])
    var document = try ConnectionDocument(mark + text.utf8)
    _ = try document.remove("N")
    #expect(document.bytes.starts(with: mark + Array("{\"version\"".utf8)))
    #expect(try ConnectionFile.parse(document.bytes).isEmpty)
    let error = #expect(throws: ConnectionFileError.self) {
      try ConnectionFile.parse(mark + mark + text.utf8)
    }
    #expect(error?.line == 1)
  }

  @Test("A CA file that is gone is no error in the file, which has other connections, too")
  func missingCAFile() throws {
    let text = """
      {"version": 1, "apps": [
        {"name": "A", "clientID": "\(Self.id)", "caFile": "/no/such/ca.pem"},
        {"name": "B", "clientID": "\(Self.id)"}]}
      """
    let connections = try ConnectionFile.parse(text.utf8)
    #expect(connections.map(\.application.caFile) == ["/no/such/ca.pem", nil])
    // Whoever enters it is told.
    var document = try ConnectionDocument(Array(text.utf8))
    var draft = try #require(document.draft(of: "B"))
    for (path, reason) in [
      ("/no/such/other.pem", "it cannot be opened: \(String(cString: strerror(ENOENT)))"),
      ("/etc", "it is a directory"),
      ("/etc/passwd/ca.pem", "it cannot be opened: \(String(cString: strerror(ENOTDIR)))"),
      ("/etc/passwd", "it contains no certificate"),
    ] {
      draft.caFile = path
      let error = #expect(throws: ConnectionFileError.self) {
        try document.replace("B", with: draft)
      }
      #expect(error?.field == "apps[1].caFile")
      #expect(error.map { "\($0.reason)" } == "The CA file \(path) cannot be used: \(reason)")
    }
    #expect(document.bytes == Array(text.utf8), "nothing was changed")
    // Another change of the connection whose file is gone is possible.
    var old = try #require(document.draft(of: "A"))
    old.scopes = ["Mail.Read"]
    try document.replace("A", with: old)
    #expect(document.connections.first?.scopes == ["Mail.Read"])
  }

  @Test("A file, or its directory, that others can write is reported", arguments: [true, false])
  func exposure(isFile: Bool) throws {
    let folder = try TemporaryDirectory()
    let file = folder.path + "/apps.json"
    try "{}".write(toFile: file, atomically: true, encoding: .utf8)
    let place = isFile ? file : folder.path
    for (mode, isExposed) in [
      (0o600, false), (0o644, false), (0o755, false), (0o646, true), (0o666, true), (0o777, true),
    ] as [(mode_t, Bool)] {
      #expect(chmod(place, mode) == 0)
      let words = ConnectionFile.exposure(file).map { "\($0)" }
      #expect((words != nil) == isExposed, "mode \(String(mode, radix: 8))")
      if let words { #expect(words.contains("'chmod go-w \(place)'")) }
    }
    // As in /tmp: only the owner of a file can replace it.
    #expect(chmod(folder.path, 0o1777) == 0 && chmod(file, 0o600) == 0)
    #expect(ConnectionFile.exposure(file) == nil)
  }

  @Test(
    "Another user's file is told, and a group with others in it",
    .enabled(if: geteuid() == 0, "only root can give files away"))
  func ownersOfFiles() throws {
    let folder = try TemporaryDirectory()
    let file = folder.path + "/apps.json"
    try "{}".write(toFile: file, atomically: true, encoding: .utf8)
    #expect(chown(file, 65534, 0) == 0)
    #expect(ConnectionFile.exposure(file).map { "\($0)".contains("'chown root ") } == true)
    // The group "root" has only root in it, "adm" does not.
    #expect(chown(file, 0, 0) == 0 && chmod(file, 0o664) == 0)
    #expect(ConnectionFile.exposure(file) == nil)
    #expect(chown(file, 0, 4) == 0)
    #expect(ConnectionFile.exposure(file) != nil)
  }
}
