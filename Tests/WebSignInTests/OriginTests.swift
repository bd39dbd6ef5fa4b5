import Testing

@testable import WebSignIn

/// The origin of a URL, as shown to the user.
@Suite struct OriginTests {
  @Test(arguments: [
    ("https://login.example/common/authorize?state=secret", "login.example"),
    ("https://LOGIN.example", "login.example"),
    ("https://login.example:8443/x", "login.example:8443"),
    ("https://login.example:443/x", "login.example"),
    ("https://login.microsoftonline.com@evil.example/", "evil.example"),
    ("https://user:password@evil.example:444/", "evil.example:444"),
    ("https://evil.example\\@login.example/", "evil.example"),
    ("https://[2001:db8::1]/", "[2001:db8::1]"),
    ("https://[2001:db8::1]:8443/", "[2001:db8::1]:8443"),
    ("https://xn--e1awd7f.example/", "xn--e1awd7f.example"),
  ])
  func theHostIsShownAndNothingElse(url: String, shown: String) {
    #expect(Origin(url)?.description == shown)
  }

  @Test(arguments: [
    "about:blank", "https://", "https:///path", "https://login.example:99999/", "login.example",
    // A host has at most 253 bytes.
    "https://" + String(repeating: "a", count: 254) + "/",
  ])
  func anAddressWithoutAHostHasNoOrigin(url: String) {
    #expect(Origin(url) == nil)
  }
}
