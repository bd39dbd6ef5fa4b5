import AuthCore
import FoundationEssentials
import Testing

@testable import WebSignIn

/// The directory in which pages' cookies are kept.
@Suite final class KeptSessionTests {
  private let folder: String
  private var directory: String { "\(folder)/kept/demo" }

  init() throws {
    let parent = FileManager.default.temporaryDirectory.path()
    folder = "\(parent)/kept-\(UInt64.random(in: 0...(.max)))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: folder)
  }

  @Test func onlyItsOwnerCanReadIt() throws {
    try FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o755])
    _ = try KeptSession(directory)
    let mode = try FileManager.default.attributesOfItem(atPath: directory)[.posixPermissions]
    #expect(mode as? UInt == 0o700 || mode as? Int == 0o700)
  }

  @Test func aDamagedFileIsRemovedAndAnotherIsNot() throws {
    _ = try KeptSession(directory)
    let cookies = "\(directory)/cookies.sqlite"
    for (content, remains) in [("SQLite format 3\0…", true), ("", true), ("damaged", false)] {
      try Data(content.utf8).write(to: URL(filePath: cookies))
      _ = try KeptSession(directory)
      #expect(FileManager.default.fileExists(atPath: cookies) == remains)
    }
  }

  @Test func deletingLeavesNothing() throws {
    _ = try KeptSession(directory)
    try Data("x".utf8).write(to: URL(filePath: "\(directory)/cookies.sqlite"))
    // The rest of an earlier attempt.
    try FileManager.default.createDirectory(
      atPath: "\(directory).deleted/data", withIntermediateDirectories: true)
    try EmbeddedWebSession.deleteCookies(in: directory)
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder)/kept") == [])
    // Nothing there is nothing to delete.
    try EmbeddedWebSession.deleteCookies(in: directory)
  }

  @Test func aPathThatCannotBeADirectoryIsAnError() throws {
    try Data().write(to: URL(filePath: "\(folder)/file"))
    #expect(throws: AuthenticationError.self) { try KeptSession("\(folder)/file/kept") }
    #expect(throws: AuthenticationError.self) {
      try EmbeddedWebSession.deleteCookies(in: "/proc/self")
    }
  }
}
