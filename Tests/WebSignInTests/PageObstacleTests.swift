import AuthCore
import Testing

@testable import WebSignIn

/// Pages that cannot go on in an embedded web view.
@Suite struct PageObstacleTests {
  @Test(arguments: [
    "https://login.microsoft.com/common/fido/get?uiflavor=Web",
    "https://login.microsoftonline.com/00000000-0000-0000-0000-000000000000/fido/get",
  ])
  func microsoftsPageForPasskeysIsRecognized(url: String) {
    #expect(PageObstacle(url: url, site: .authority) == .passkey)
    #expect(PageObstacle(url: url, site: .microsoft) == .passkey)
    // Another site's page may mean anything.
    #expect(PageObstacle(url: url, site: .other) == nil)
  }

  @Test(arguments: [
    // A message with the error's name and sentence, in base64url.
    "signin/oauth/error?authError=ChVkaXNhbGxvd2VkX3VzZXJhZ2VudBIEV29yZA&client_id=1",
    "signin/oauth/error/v2?client_id=1&authError=ChVkaXNhbGxvd2VkX3VzZXJhZ2VudBIEV29yZA%3D%3D",
    "v3/signin/rejected?rrk=46", "signin/rejected",
  ])
  func googlesRefusalIsRecognized(page: String) {
    #expect(PageObstacle(url: "https://accounts.google.com/\(page)", site: .other) == .refusal)
    #expect(PageObstacle(url: "https://accounts.google.com.example/\(page)", site: .other) == nil)
    #expect(PageObstacle(url: "http://accounts.google.com/\(page)", site: .other) == nil)
  }

  @Test(arguments: [
    "https://accounts.google.com/v3/signin/identifier",
    // `redirect_uri_mismatch`
    "https://accounts.google.com/signin/oauth/error?authError=ChVyZWRpcmVjdF91cmlfbWlzbWF0Y2g",
    "https://accounts.google.com/signin/oauth/error?authError=%",
    "https://login.microsoftonline.com/common/login?next=/fido/get",
    "https://login.microsoftonline.com/common/oauth2/v2.0/authorize", "about:blank", "",
  ])
  func otherPagesAreNot(url: String) {
    #expect(PageObstacle(url: url, site: .authority) == nil)
  }
}
