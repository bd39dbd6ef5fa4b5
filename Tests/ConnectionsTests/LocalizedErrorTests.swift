import Connections
import Foundation
import Testing

@Suite("An error in the connections as Foundation describes it")
struct LocalizedErrorTests {
  @Test("The description is a sentence with the place and the reason")
  func description() {
    let error: any Error =
      #expect(throws: ConnectionFileError.self) {
        try ConnectionFile.parse("{\"version\": 2}".utf8)
      } ?? CancellationError()
    #expect(
      error.localizedDescription
        == "There is an error in the list of apps: line 1: version: the value must be 1.")
  }
}
