import AuthCore
import FoundationEssentials
import TestSupport
import Testing

extension EncodingTests {
  func expectForm(
    _ text: String, _ encoded: String, at location: SourceLocation = #_sourceLocation
  ) {
    #expect(FormEncoding.body([("key", text)]) == "key=\(encoded)", sourceLocation: location)
    #expect(FormEncoding.parse("key=\(encoded)")?.first?.value == text, sourceLocation: location)
  }

  @Test("In a form, all but letters, digits and -._~ are escaped")
  func escapesForm() {
    expectForm(
      "Some interesting test/+-)(*&^%$#@!~|",
      "Some+interesting+test%2F%2B-%29%28%2A%26%5E%25%24%23%40%21~%7C")
  }

  @Test("Line breaks are escaped")
  func lineBreaks() { expectForm("test\r\ntest2", "test%0D%0Atest2") }

  @Test("A space is a plus sign in a form")
  func spaceAsPlus() { expectForm("test test2", "test+test2") }

  @Test("Hyphens and periods are not escaped")
  func hyphensAndPeriods() { expectForm("test-test2-test3.test4", "test-test2-test3.test4") }

  @Test("Base64url has no padding")
  func base64URLWithoutPadding() {
    let text = "   here is a string with padding  \n"
    let encoded = "ICAgaGVyZSBpcyBhIHN0cmluZyB3aXRoIHBhZGRpbmcgIAo"
    #expect(Base64URL.encode(text.utf8) == encoded)
    #expect(Base64URL.decode(encoded) == Data(text.utf8))
  }

  @Test("Empty data is encoded as empty; empty text and invalid base64url have no value")
  func emptyAndInvalidBase64URL() {
    #expect(Base64URL.encode([]) == "")
    for text in ["", " ", "™", "денят"] { #expect(Base64URL.decode(text) == nil) }
  }

  /// MSAL for Apple drops `malformed=v1=v2` and `=nokey`.
  ///
  /// Here, nothing is dropped: a pair is split at the first `=`, as in the WHATWG URL standard.
  @Test("Pairs that MSAL drops are kept, and + is a space")
  func keepsAllPairs() throws {
    let parsed = try #require(
      FormEncoding.parse(
        "key=val+val&malformed=v1=v2&=nokey&noval&doubleEqualButEncoded=2%3D2&"))
    #expect(
      parsed.map { "\($0.name)|\($0.value)" } == [
        "key|val val", "malformed|v1=v2", "|nokey", "noval|", "doubleEqualButEncoded|2=2",
      ])
  }

  @Test("An empty value keeps its equals sign")
  func emptyValue() {
    #expect(FormEncoding.body([("key", "")]) == "key=")
    #expect(FormEncoding.query([("key", "")]) == "key=")
    #expect(FormEncoding.parse("key=")?.first?.value == "")
  }

  @Test("The parameters are what follows the question mark")
  func parametersOfURN() throws {
    let url = "urn:ietf:wg:oauth:2.0:oob?foo1=bar1&foo2=bars%20s"
    let query = try #require(url.split(separator: "?").last)
    let parsed = try #require(FormEncoding.parse(query))
    #expect(parsed.map(\.name) == ["foo1", "foo2"])
    #expect(parsed.map(\.value) == ["bar1", "bars s"])
  }

  @Test("A part without an equals sign has an empty value")
  func withoutEqualsSign() throws {
    let parsed = try #require(FormEncoding.parse("bar"))
    #expect(parsed.map(\.name) == ["bar"])
    #expect(parsed.map(\.value) == [""])
  }
}

extension AuthorityTests {
  @Test(
    "A host has its port, unless that is 443",
    arguments: [
      ("https://somehost.com:443/common", "somehost.com"),
      ("https://somehost.com:652/common", "somehost.com:652"),
      ("https://somehost.com/common", "somehost.com"),
    ])
  func portInHost(url: String, host: String) throws {
    #expect(try Authority(url).environment == host)
  }

  /// The caller appends `/.default` to the resource: a resource with a trailing slash results in
  /// two.
  @Test(
    "A resource's scope is sent as written, and found in the cache",
    arguments: ["https://contoso.com/.default", "https://contoso.com//.default"])
  func resourceScope(scope: String) async throws {
    authority.edit(.tokens) { $0["scope"] = .string("https://contoso.com/user_impersonation") }
    let app = try TestApplication.make(authority)
    let result = try await app.acquireToken(.init(scopes: [scope], session: authority.pages))
    #expect(authority.authorization["scope"] == "\(scope) openid profile offline_access")
    #expect(authority.lastForm["scope"] == "\(scope) openid profile offline_access")
    let silent = try await app.acquireTokenSilent(.init(scopes: [scope], account: result.account))
    #expect(silent.source == .cache, "although the server lists other scopes instead")
  }

  @Test(
    "The tenant is the first part of the path, or the second after 'tfp', or missing")
  func tenantOfPath() throws {
    let authority = try Authority("https://host.example/tfp/contoso.onmicrosoft.com/B2C_1_x")
    #expect(authority.tenant == "contoso.onmicrosoft.com")
    #expect(authority.policy == "b2c_1_x")
    let other = try Authority("https://host.example/tfp/contoso.onmicrosoft.com/B2C_1_y")
    #expect(authority != other)
    for url in ["https://host.example", "https://host.example/tfp/"] {
      #expect(throws: AuthenticationError.self) { try Authority(url) }
    }
  }
}
