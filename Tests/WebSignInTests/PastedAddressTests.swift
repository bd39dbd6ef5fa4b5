import AuthCore
import Testing

@testable import WebSignIn

/// Addresses that are pasted to end a sign-in.
@Suite struct PastedAddressTests {
  private static let redirect = "msauth.io.github.entrance.entrance://auth"
  private let request: WebAuthenticationRequest

  init() throws {
    request = WebAuthenticationRequest(
      startURL: "https://login.example/authorize?state=right",
      redirectURI: try RedirectURI(Self.redirect))
  }

  @Test(arguments: ["?code=1&state=right", "?state=right&error=access_denied"])
  func theAnswerOfThisSignInIsAccepted(query: String) {
    #expect(PastedAddress(Self.redirect + query).fault(for: request) == nil)
    let address = PastedAddress(" \n\(Self.redirect)\(query)\r\n")
    #expect(address.fault(for: request) == nil)
    #expect(address.url == Self.redirect + query)
  }

  @Test(arguments: ["", "?code=1", "?code=1&state=wrong", "?state=right&state=right"])
  func theAnswerOfAnotherSignInIsNot(query: String) {
    #expect(PastedAddress(Self.redirect + query).fault(for: request) == .otherSignIn)
  }

  @Test(arguments: [
    "", "https://login.example/authorize?state=right", "\(redirect).evil?state=right",
    "\(redirect)/x?state=right", "code=1&state=right",
  ])
  func anyOtherAddressIsNotTheRedirect(text: String) {
    #expect(PastedAddress(text).fault(for: request) == .notTheRedirect)
  }
}
