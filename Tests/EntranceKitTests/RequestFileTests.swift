import FoundationEssentials
import HTTPFiles
import TestSupport
import Testing

@testable import EntranceKit

@Suite("A file of requests that several write")
struct RequestFileTests {
  @Test("Requests that are added at the same time are all kept")
  func addedAtOnce() async throws {
    let directory = try TemporaryDirectory()
    let path = "\(directory.path)/requests.http"
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<20 {
        group.addTask {
          let content = HTTPFile.Content(url: "https://graph.microsoft.com/v1.0/\(number)")
          _ = try await RequestFile.add(content, called: "Request \(number)", to: path)
        }
      }
      try await group.waitForAll()
    }
    let names = await RequestFile.read(path).file?.requests.compactMap(\.name)
    #expect(names.map { Set($0) } == Set((0..<20).map { "Request \($0)" }))
  }

  @Test("A file in UTF-16 is read, and saved in UTF-8 with a mark", arguments: [true, false])
  func wide(isBigEndian: Bool) async throws {
    let directory = try TemporaryDirectory()
    let path = "\(directory.path)/requests.http"
    let text = "### Büro\r\nGET https://h/a\r\n\r\n### b\r\nGET https://h/b\r\n"
    let wide = "\u{FEFF}\(text)".utf16.flatMap { unit -> [UInt8] in
      let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
      return isBigEndian ? [high, low] : [low, high]
    }
    try Data(wide).write(to: URL(filePath: path))
    let file = try #require(await RequestFile.read(path).file)
    #expect(file.requests.map(\.name) == ["Büro", "b"])
    // Reading changes nothing.
    #expect(try Data(contentsOf: URL(filePath: path)) == Data(wide))
    let old = file.requests[1].content
    var content = old
    content.url = "https://h/c"
    _ = try await RequestFile.save(
      content, at: RequestFile.Place(path: path, index: 1, name: "b", content: old),
      replacesOthers: false)
    let saved = [0xEF, 0xBB, 0xBF] + Array(text.replacing("h/b", with: "h/c").utf8)
    #expect(try Data(contentsOf: URL(filePath: path)) == Data(saved))
  }
}
