import CurlHTTP
import Foundation
import HTTPTypes
import Testing

@Suite("An HTTP error as it is printed, and as Foundation describes it")
struct LocalizedErrorTests {
  @Test("The description is the message for the user")
  func description() async {
    let request = HTTPRequest(method: .get, scheme: "http", authority: "contoso.example", path: "/")
    let error: any Error =
      await #expect(throws: HTTPError.self) {
        try await CurlClient().execute(request, body: Data(), limits: HTTPLimits())
      } ?? CancellationError()
    #expect(
      error.localizedDescription == "The request to contoso.example does not use https.")
    #expect("\(error)" == error.localizedDescription)
  }
}
