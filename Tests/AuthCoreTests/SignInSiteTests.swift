import Testing

@testable import AuthCore

/// What is known about the hosts of sign-in pages.
@Suite struct SignInSiteTests {
  @Test(arguments: [
    ("login.microsoftonline.com", "login.microsoftonline.com", SignInSite.authority),
    ("login.windows.net", "login.microsoftonline.com", .authority),
    ("contoso.ciamlogin.com", "contoso.ciamlogin.com", .authority),
    ("localhost:8443", "localhost:8443", .authority),
    ("login.live.com", "login.microsoftonline.com", .microsoft),
    ("mysignins.microsoft.com", "login.microsoftonline.com", .microsoft),
    ("login.microsoftonline.us", "login.microsoftonline.com", .microsoft),
    ("login.microsoftonline.com", "idp.example", .microsoft),
    ("sts.contoso.com", "login.microsoftonline.com", .other),
    // The tenants of customers.
    ("evil.ciamlogin.com", "contoso.ciamlogin.com", .other),
    ("evil.b2clogin.com", "login.microsoftonline.com", .other),
    // Names that only resemble Microsoft's.
    ("login.microsoftonline.com.evil.example", "login.microsoftonline.com", .other),
    ("login-microsoftonline.com", "login.microsoftonline.com", .other),
    ("login.microsoftonline.com:8443", "login.microsoftonline.com", .other),
    ("localhost:8444", "localhost:8443", .other),
  ])
  func aHostIsTheAuthoritysOrMicrosoftsOrAnother(host: String, start: String, site: SignInSite) {
    #expect(SignInSite(host: host, start: start) == site)
  }

  @Test func microsoftsSignInsBeginOnItsHosts() {
    for host in ["login.microsoftonline.com", "contoso.ciamlogin.com", "contoso.b2clogin.com"] {
      #expect(SignInSite.isMicrosofts(host))
    }
    for host in ["login.live.com", "idp.example", "ciamlogin.com.example"] {
      #expect(!SignInSite.isMicrosofts(host))
    }
  }
}
