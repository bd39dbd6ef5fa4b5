import FoundationEssentials
import Testing

@Suite("Corpora of the fuzz tests")
struct ReplayTests {
  private let corpora = URL(filePath: #filePath).deletingLastPathComponent().path + "/Corpora"

  @Test("Each parser handles its corpus", arguments: FuzzTarget.allCases)
  func replay(target: FuzzTarget) throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: "\(corpora)/\(target)")
    #expect(!names.isEmpty)
    for name in names.sorted() {
      let bytes = try #require(
        FileManager.default.contents(atPath: "\(corpora)/\(target)/\(name)"))
      #expect(throws: Never.self, "\(name)") { try target.read(Array(bytes)) }
    }
  }
}
