import Testing

@testable import EntranceKit
@testable import IdentityEmulator

@Suite("Samples of the Explorer page in the demo")
struct ExplorerSampleTests {
  @Test("The demo knows the least permissions of each sample, so that they can be requested")
  func permissions() async throws {
    let known = Set(Scope.graph.map(\.name))
    for sample in await ExplorerSample.described() {
      #expect(!sample.permissions.isEmpty, "\(sample.title)")
      #expect(known.isSuperset(of: sample.permissions), "\(sample.title)")
    }
  }
}
