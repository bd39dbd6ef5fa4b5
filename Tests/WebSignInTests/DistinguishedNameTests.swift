import Testing

@testable import WebSignIn

/// Names in certificates.
@Suite struct DistinguishedNameTests {
  @Test(arguments: [
    ("CN=login.example", "login.example"),
    ("CN=login.example,O=Example,C=US", "login.example (Example)"),
    ("C=US, O=Example\\, Inc., CN=Example CA 1", "Example CA 1 (Example, Inc.)"),
    ("cn=a\\+b\\\\c", "a+b\\c"),
    ("CN=\\C3\\A4", "\\C3\\A4"),
    ("CN=Example,O=Example", "Example"),
    ("OU=Roots,O=Example", "Roots (Example)"),
    ("O=Example", "Example"),
    ("CN=,O=Example", "Example"),
  ])
  func nameAndOrganizationAreShown(text: String, summary: String) {
    #expect(DistinguishedName(text).summary == summary)
  }

  @Test(arguments: ["", "C=US", "CN", ",,=,", "\\", "CN=\\"])
  func aNameWithoutBothHasNone(text: String) {
    #expect(DistinguishedName(text).summary == nil)
  }
}
