import AuthCore
import FoundationEssentials
import Glibc
import Testing

@Suite("Files that are written at the end of a symbolic link")
struct SymbolicLinkTests {
  /// Runs `story` with the path of an empty folder.
  private func inFolder(_ story: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "links-\(UUID())").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try story(folder)
  }

  @Test("What is no link is itself, also if nothing is there")
  func noLink() throws {
    try inFolder { folder in
      #expect(SymbolicLink.target(of: folder + "/none") == folder + "/none")
      #expect(SymbolicLink.target(of: folder) == folder)
      #expect(SymbolicLink.target(of: "file") == "file")
    }
  }

  @Test("Links are followed to their end, where a file may be missing")
  func chain() throws {
    try inFolder { folder in
      mkdir(folder + "/there", 0o700)
      symlink("there/second", folder + "/first")
      symlink(folder + "/file", folder + "/there/second")
      #expect(SymbolicLink.target(of: folder + "/first") == folder + "/file")
      try Data("content".utf8).write(to: URL(filePath: folder + "/file"))
      #expect(SymbolicLink.target(of: folder + "/first") == folder + "/file")
    }
  }

  @Test("A link to itself has no end")
  func loop() throws {
    try inFolder { folder in
      symlink("loop", folder + "/loop")
      #expect(SymbolicLink.target(of: folder + "/loop") == folder + "/loop")
    }
  }

  @Test("A link of another user is not followed", .enabled(if: geteuid() == 0))
  func foreign() throws {
    try inFolder { folder in
      symlink("file", folder + "/link")
      #expect(lchown(folder + "/link", 65534, 65534) == 0)
      #expect(SymbolicLink.target(of: folder + "/link") == folder + "/link")
    }
  }
}
