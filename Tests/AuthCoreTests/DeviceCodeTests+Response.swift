import AuthCore
import CurlHTTP
import FoundationEssentials
import TestSupport
import Testing

/// Device authorization responses: which codes are accepted and shown.
extension DeviceCodeTests {
  // MARK: - Requesting a code

  @Test(
    "An authority without a device authorization endpoint is an error",
    arguments: [nil, .null] as [JSON?])
  func notOffered(value: JSON?) async throws {
    authority.edit(.configuration) { $0["device_authorization_endpoint"] = value }
    let error = await failure()
    #expect(error?.code == .deviceCodeNotSupported && error?.step == .discovery)
    #expect(error?.nextStep == .signInAnotherWay)
    #expect(error?.message.contains("does not support sign-in with a device code") == true)
    #expect(authority.count(.deviceCode) == 0)
  }

  @Test("An endpoint on another host gets no request")
  func otherHost() async throws {
    authority.edit(.configuration) {
      $0["device_authorization_endpoint"] = .string("https://evil.example/devicecode")
    }
    #expect(await failure()?.code == .untrustedAuthority)
    #expect(authority.count(.deviceCode) == 0)
  }

  @Test("When there is no device code, the error has the server's reason")
  func noCode() async throws {
    authority.next(
      .deviceCode, status: 400,
      "{\"error\": \"invalid_client\", \"error_codes\": [7000218]}")
    var error = await failure()
    #expect(error?.code == .serverError && error?.oauthError == "invalid_client")
    #expect(error?.step == .authorization)
    authority.next(.deviceCode, times: 2, status: 503, "")
    error = await failure()
    #expect(error?.code == .serverUnavailable && error?.step == .authorization)
    fail(.deviceCode, times: 2, .cannotFindHost)
    error = await failure()
    #expect(error?.code == .networkUnavailable && error?.step == .authorization)
    authority.next(.deviceCode, status: 200, "{\"user_code\": \"ABC\"}")
    #expect(await failure()?.code == .invalidResponse)
    #expect(display.codes.isEmpty)
  }

  @Test("Scopes are checked before anything is sent")
  func scopes() async throws {
    let error = await #expect(throws: AuthenticationError.self) {
      try await signIn { $0.scopes = [] }
    }
    #expect(error?.code == .invalidParameter)
    #expect(authority.calls.isEmpty)
  }

  // MARK: - Showing the code

  @Test(
    "A verification URI on another host is not shown",
    arguments: [
      "http://microsoft.com/devicelogin", "https://evil.example/devicelogin",
      "https://microsoft.com.evil.example/", "https://microsoft.com@evil.example/",
      "https://evil.example/microsoft.com", "https://evilmicrosoft.com/",
      "https://microsoft.com:444/", "https://microsoft.com\\@evil.example/", "javascript:alert(1)",
      "https://microsoft.com/device login", "https://microsoft.com/\u{202e}", "microsoft.com", "",
    ])
  func wrongPage(address: String) async throws {
    for member in ["verification_uri", "verification_uri_complete"] {
      authority.edit(.deviceCode) { $0[member] = .string(address) }
      let error = await failure()
      #expect(error?.code == .invalidResponse && error?.step == .authorization)
    }
    #expect(display.codes.isEmpty)
    #expect(authority.count(.token) == 0)
  }

  @Test(
    "Microsoft's pages and the authority's own pages are shown",
    arguments: [
      "https://microsoft.com/devicelogin", "https://www.microsoft.com/link",
      "https://login.microsoft.com/device", "https://login.microsoftonline.com/device",
      "https://MICROSOFT.com/devicelogin",
    ])
  func rightPage(address: String) async throws {
    authority.edit(.deviceCode) { $0["verification_uri"] = .string(address) }
    try await signIn()
    #expect(display.codes.first?.verificationURI == address)
  }

  // https://github.com/AzureAD/microsoft-authentication-library-for-dotnet/issues/4666
  @Test("External ID's own page is shown, whichever page its response names")
  func externalID() async throws {
    let own = ScriptedAuthority(host: "contoso.ciamlogin.com", kind: .externalID)
    own.edit(.configuration) {
      $0["device_authorization_endpoint"] = .string(
        "https://contoso.ciamlogin.com/\(Person.contoso)/oauth2/v2.0/devicecode")
    }
    let app = try TestApplication.make(
      own, clock: clock, authority: "https://contoso.ciamlogin.com", sleep: waits.sleep(clock))
    try await signIn(app)
    let page = "https://contoso.ciamlogin.com/common/oauth2/deviceauth"
    #expect(display.codes.map(\.verificationURI) == [page])

    let ownPage = "https://contoso.ciamlogin.com/device"
    own.edit(.deviceCode) {
      $0["verification_uri"] = .string(ownPage)
      $0["verification_uri_complete"] = .string("https://microsoft.com/devicelogin?code=1")
    }
    try await signIn(app)
    #expect(display.codes.last?.verificationURI == ownPage)
    #expect(display.codes.last?.verificationURIComplete == nil)

    for address in ["https://evil.example/devicelogin", "https://fabrikam.ciamlogin.com/device"] {
      own.edit(.deviceCode) { $0["verification_uri"] = .string(address) }
      #expect(await failure(app)?.code == .invalidResponse)
    }
    #expect(display.codes.count == 2)
  }

  @Test("Another service cannot send users to Microsoft's page for entering codes")
  func otherAuthority() async throws {
    let url = "https://login.contoso.example/common"
    let own = ScriptedAuthority(host: "login.contoso.example")
    let app = try TestApplication.make(
      own, clock: clock, authority: url, known: [url], sleep: waits.sleep(clock))
    #expect(await failure(app)?.code == .invalidResponse)
    #expect(display.codes.isEmpty)
    own.edit(.deviceCode) {
      $0["verification_uri"] = .string("https://login.contoso.example/device")
    }
    try await signIn(app)
    #expect(display.codes.count == 1)
  }

  @Test(
    "A code that cannot be typed, or looks like a sentence, is not shown",
    arguments: [
      "", " ", "AB\nCD", "AB\u{1b}[2J", "AB\u{0}", "AB\u{202e}CD", "ÄÖÜ",
      String(repeating: "A", count: 21), String(repeating: "A", count: 1024),
      "Call 555-0100 now", "CALL 5550100", "a.example", "ABC/DEF", "AB:CD", "-ABCD", "ABCD-",
      "AB--CD", "-",
    ])
  func wrongCode(code: String) async throws {
    authority.edit(.deviceCode) { $0["user_code"] = .string(code) }
    #expect(await failure()?.code == .invalidResponse)
    #expect(display.codes.isEmpty)
  }

  @Test(
    "The services' usual codes are shown", arguments: ["C9SDXYZ12", "WDJB-MJHT", "019-450-730"])
  func usualCode(code: String) async throws {
    authority.edit(.deviceCode) { $0["user_code"] = .string(code) }
    try await signIn(app)
    #expect(display.codes.map(\.userCode) == [code])
  }
}
