import AuthCore
import Foundation
import MicrosoftGraph
import Testing

@Suite("Errors as Foundation describes them")
struct LocalizedErrorTests {
  @Test("An error of Graph has its message for the user")
  func graph() {
    let error: any Error =
      #expect(throws: GraphError.self) {
        try GraphClient(api: "http://contoso.example")
      } ?? CancellationError()
    #expect(
      error.localizedDescription
        == "“http://contoso.example” is not a valid API address: it must use https.")
  }

  @Test("An authentication error has its message for the user")
  func authentication() {
    let error: any Error =
      #expect(throws: AuthenticationError.self) {
        try RedirectURI("https://contoso.example/")
      } ?? CancellationError()
    #expect(error.localizedDescription == (error as? AuthenticationError)?.message)
    #expect(error.localizedDescription.contains("redirect URI"))
  }

  @Test("A JSON error says where it is, and what is wrong")
  func json() {
    let error: any Error =
      #expect(throws: JSONError.self) {
        try JSON(parsing: "[1,\n  2 3]".utf8)
      } ?? CancellationError()
    #expect(error.localizedDescription.contains("line 2, column 5: "))
    #expect(error.localizedDescription.hasSuffix("."))
    #expect("\(error)" == error.localizedDescription)
  }
}
