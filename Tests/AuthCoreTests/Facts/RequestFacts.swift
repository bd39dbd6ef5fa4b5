import AuthCore
import CurlHTTP
import HTTPTypes
import TestSupport
import Testing

extension AuthorizationRequestTests {
  /// MSAL also sends data about the device and the program (`x-client-…`, `x-app-…`, `haschrome`),
  /// but neither a nonce nor a response mode.
  @Test("Exactly these parameters open the pages")
  func exactParameters() async throws {
    let account = try await signIn().account
    _ = try await signIn {
      $0.account = account
      $0.prompt = .promptIfNecessary
      $0.correlationID = "11111111-2222-3333-4444-555555555555"
    }
    var sent = authority.authorization
    for name in ["state", "nonce", "code_challenge"] {
      let value = sent.removeValue(forKey: name)
      #expect(value.flatMap(Base64URL.decode)?.count == 32, "\(name)")
    }
    #expect(
      sent == [
        "client_id": TestApplication.clientID, "redirect_uri": TestApplication.redirectURI,
        "response_type": "code", "response_mode": "query", "code_challenge_method": "S256",
        "scope": "User.Read openid profile offline_access", "client_info": "1",
        "client-request-id": "11111111-2222-3333-4444-555555555555",
        "login_hint": Person.adele.username, "login_req": Person.adele.objectID,
        "domain_req": Person.adele.homeTenant,
      ])
    let url = try #require(authority.pagesShown.last?.startURL)
    let query = try #require(FormEncoding.parse(url.drop { $0 != "?" }.dropFirst()))
    #expect(query.count == sent.count + 3, "each parameter is sent once")
  }

  @Test("The caller's parameters are added")
  func callersParameters() async throws {
    _ = try await signIn {
      $0.loginHint = "ben@contoso.example"
      $0.domainHint = "contoso.example"
      $0.prompt = .consent
      $0.extraScopesToConsent = ["Calendars.Read"]
    }
    let sent = authority.authorization
    #expect(sent["scope"] == "User.Read openid profile offline_access Calendars.Read")
    #expect(sent["login_hint"] == "ben@contoso.example")
    #expect(sent["domain_hint"] == "contoso.example")
    #expect(sent["prompt"] == "consent")
    #expect(sent["login_req"] == nil && sent["domain_req"] == nil)
    #expect(authority.lastForm["scope"] == "User.Read openid profile offline_access")
  }
}

extension TokenResponseTests {
  @Test("A code is redeemed with the fields of MSAL's form")
  func codeForm() async throws {
    _ = try await signIn()
    let form = authority.lastForm
    #expect(form["grant_type"] == "authorization_code")
    #expect(form["client_id"] == TestApplication.clientID)
    #expect(form["scope"] == "User.Read openid profile offline_access")
    #expect(form["redirect_uri"] == TestApplication.redirectURI)
    #expect(form["code"] == "code-canary")
    #expect(form["client_info"] == "1")
    #expect(
      Set(form.keys) == [
        "grant_type", "client_id", "scope", "redirect_uri", "code", "code_verifier", "client_info",
      ])
    let fields = try #require(authority.calls.last { $0.endpoint == .token }).request.headerFields
    #expect(fields[.contentType] == "application/x-www-form-urlencoded")
    #expect(fields[.accept] == "application/json")
    #expect(fields[.clientRequestID] == authority.authorization["client-request-id"])
  }
}

extension SilentTests {
  @Test("A refresh token is sent with the fields of MSAL's form")
  func refreshForm() async throws {
    let account = try await signIn()
    _ = try await app.silently(account, force: true)
    let form = authority.lastForm
    #expect(form["grant_type"] == "refresh_token")
    #expect(form["refresh_token"] == "refresh-canary-1")
    #expect(form["scope"] == "User.Read openid profile offline_access")
    #expect(
      Set(form.keys) == [
        "grant_type", "client_id", "scope", "redirect_uri", "refresh_token", "client_info",
      ])
    #expect(
      authority.calls.last { $0.endpoint == .token }?.url
        == "https://login.microsoftonline.com/\(Person.contoso)/oauth2/v2.0/token")
  }
}

extension RedirectTests {
  @Test(
    "Where MSAL continues with a broker, the device must be registered",
    arguments: [
      "msauth://wpj?app_link=app.link&username=XXX@upn.com&token_protection_required=true",
      "msauth://wpj", "MSAUTH://WPJ?username=x",
      "\(TestApplication.redirectURI)/msauth/wpj?username=x",
    ])
  func brokerURL(url: String) async throws {
    let error = try await refusal(authority.pages(redirect: { _, _ in url }))
    #expect(error.code == .workplaceJoinRequired)
    #expect(error.step == .authorization)
    #expect(error.message.contains("requires this device to be registered"))
    #expect(error.correlationID?.isEmpty == false)
    #expect(!"\(error) \(error.details)".contains("upn.com"))
  }

  @Test(
    "MSAL's other internal URLs are not opened, nor accepted as a redirect",
    arguments: [
      "browser://x", "https://localhost/msauth/uPgRaderEg?code=c", "msauth://code/x?code=c",
      "msauth://wpj.evil?code=c", "msauth://wpjx", "msauth://compliance_status?code=c",
      "openid-vc://x", "\(TestApplication.redirectURI)/msauth/wpjx?code=c",
    ])
  func internalURLs(url: String) async throws {
    let error = try await refusal(authority.pages(redirect: { _, _ in url }))
    #expect(error.code == .invalidResponse)
  }
}

extension RedirectURITests {
  func expectRedirect(_ uri: String, at location: SourceLocation = #_sourceLocation) throws {
    let redirect = try RedirectURI(uri)
    #expect(redirect.description == uri, sourceLocation: location)
    #expect(redirect.isLoopback == uri.hasPrefix("http:"), sourceLocation: location)
    for end in ["", "?", "?code=x", "#x"] {
      #expect(redirect.matches(uri + end), sourceLocation: location)
    }
    for end in ["x", "x?code=x", " ", ".evil?code=x"] {
      #expect(!redirect.matches(uri + end), sourceLocation: location)
    }
  }

  /// Without an app bundle, the app's own scheme is the registered one.
  @Test(
    "The app can use any private scheme with a dot",
    arguments: [
      "msauth.test.bundle.identifier://auth", "msauth.io.github.entrance.entrance://auth",
      "com.example.app://callback/path",
    ])
  func privateSchemes(uri: String) throws {
    try expectRedirect(uri)
  }

  @Test("Another app's redirect URI does not match")
  func otherApp() throws {
    let redirect = try RedirectURI("msauth.test.bundle.identifier://auth")
    #expect(!redirect.matches("msauth.test.bundle.identifier2://auth"))
    #expect(!redirect.matches("msauth.test.bundle.identifier2://auth?code=c"))
  }

  @Test(
    "A scheme without a dot is not private", arguments: ["msalmsidclient"])
  func schemeWithoutDot(scheme: String) {
    let error = #expect(throws: AuthenticationError.self) { try RedirectURI("\(scheme)://auth") }
    #expect(error?.code == .invalidConfiguration)
  }
}
