import Testing

@testable import EntranceKit
@testable import IdentityEmulator

@Suite("Samples of the Explorer page in the demo")
struct ExplorerSampleTests {
  @Test("The demo knows the least permission of each sample, so that it can be requested")
  func permissions() async throws {
    let known = Set(Scope.graph.map(\.name))
    for sample in await ExplorerSample.described() {
      let permission = try #require(sample.permission, "\(sample.title)")
      #expect(known.contains(permission), "\(sample.title): \(permission)")
    }
  }
}
