import FoundationEssentials
import HTTPFiles
import TestSupport
import Testing

@Suite("A large file as the body of a request in a file")
struct LargeFileTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    try write("large", 4_000_001)
    try write("small", 4_000_000)
  }

  private func write(_ name: String, _ size: Int) throws {
    try Data(repeating: 0x61, count: size).write(to: URL(filePath: "\(directory.path)/\(name)"))
  }

  private func resolved(
    _ body: String, opensLargeFile: Bool = true
  ) throws -> HTTPFile.ResolvedRequest {
    let file = try HTTPFile(Array("PUT https://a\n\n\(body)\n".utf8))
    return try file.resolve(
      #require(file.requests.first), HTTPFile.Values(), directory: directory.path,
      opensLargeFile: opensLargeFile)
  }

  @Test("It is opened and not read, and is one of this computer's values")
  func large() throws {
    let request = try resolved("# A comment\n< ./large")
    #expect(request.largeFile?.name == "./large" && request.body.isEmpty)
    #expect(request.sources == [.file("./large")])
  }

  @Test(
    "A small one, one with variables and one of several lines are read",
    arguments: [("< ./small", 4_000_000), ("<@ ./large", 4_000_001), ("< ./large\na", 4_000_003)])
  func read(body: String, size: Int) throws {
    let request = try resolved(body)
    #expect(request.largeFile == nil && request.body.count == size)
    #expect(request.sources.count == 1)
  }

  @Test("It is read where nothing else is asked for")
  func whole() throws {
    let request = try resolved("< ./large", opensLargeFile: false)
    #expect(request.largeFile == nil && request.body.count == 4_000_001)
  }

  @Test("What may not be read is not opened", arguments: ["../large", "./.large", "/etc/passwd"])
  func refused(name: String) throws {
    #expect(throws: HTTPFile.Remark.self) { try resolved("< \(name)") }
  }
}
