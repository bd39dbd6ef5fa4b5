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
}
