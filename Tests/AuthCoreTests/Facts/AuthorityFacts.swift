import AuthCore
import TestSupport
import Testing

extension AuthorityKindTests {
  func expectFault(
    _ words: String, in url: String, kind: Authority.Kind? = nil,
    at location: SourceLocation = #_sourceLocation
  ) {
    let error = #expect(throws: AuthenticationError.self, sourceLocation: location) {
      try Authority(url, kind: kind)
    }
    #expect(error?.code == .invalidConfiguration, sourceLocation: location)
    #expect(error?.message.contains(words) == true, sourceLocation: location)
  }

  @Test("Fact 34: an authority is https and has a tenant, and that of AD FS is another kind")
  func fact34() {
    expectFault("authority must have a tenant", in: "https://login.microsoftonline.com")
    expectFault("authority must use HTTPS", in: "http://login.microsoftonline.com/common")
    expectFault("is a required parameter and must not be empty", in: "")
    expectFault(
      "AD FS is another kind of authority", in: "https://fs.contoso.example/adfs", kind: .entra)
  }

  @Test("Fact 35: a B2C authority has a tenant and a policy, and no more")
  func fact35() throws {
    expectFault(
      "B2C authority should have at least 3 segments in the path"
        + " (i.e. https://<host>/tfp/<tenant>/<policy>/...)",
      in: "https://login.microsoftonline.com/tfp/tenant")
    let authority = try Authority(
      "https://login.microsoftonline.com/tfp/tenant/policy/qwe?bad=param")
    #expect(authority.description == "https://login.microsoftonline.com/tfp/tenant/policy")
    #expect(authority.kind == .b2c)
  }

  @Test(
    "Fact 36: the host of External ID tells the tenant", arguments: ["", "/", "?bad=param"])
  func fact36(end: String) throws {
    let authority = try Authority("https://msidlab1.ciamlogin.com\(end)")
    #expect(
      authority.description == "https://msidlab1.ciamlogin.com/msidlab1.onmicrosoft.com")
    #expect(authority.kind == .externalID)
  }

  @Test("Fact 36: there has to be one in it")
  func fact36() {
    expectFault(
      "should have 3 parts in the name of its host (i.e. https://<tenant>.ciamlogin.com)",
      in: "https://ciamlogin.com/")
  }
}
