import AuthCore
import CurlHTTP
import FoundationEssentials
import TestSupport
import Sentences
import Testing

extension AuthorizationRequestTests {
  @Test("The caller's parameters are encoded once")
  func encodesOnce() async throws {
    _ = try await signIn { $0.extraQueryParameters = ["slice": "testslice", "dc": "a b&c=50%+é"] }
    let url = try #require(authority.pagesShown.first?.startURL)
    #expect(url.hasSuffix("&dc=a%20b%26c%3D50%25%2B%C3%A9&slice=testslice"))
    #expect(authority.authorization["dc"] == "a b&c=50%+é")
  }

  @Test("The query of a token endpoint is kept unchanged")
  func keepsEndpointQuery() async throws {
    let url =
      "https://login.microsoftonline.com/common/oauth2/v2.0/token?slice=a%20b%26c&p=b2c_1_in"
    authority.edit(.configuration) { $0["token_endpoint"] = .string(url) }
    _ = try await signIn()
    #expect(authority.calls.last { $0.endpoint == .token }?.url == url)
  }

  @Test(
    "Callers cannot set parameters that the flow depends on",
    arguments: [
      "state", "redirect_uri", "client_id", "code_challenge", "code_challenge_method",
      "response_type", "response_mode", "nonce", "scope", "claims", "prompt", "State",
      "login_hint", "client_info", "code", "domain_hint", "login_req", "domain_req",
      "client-request-id", "code_verifier", "request", "request_uri", "instance_aware",
    ])
  func reservedParameters(name: String) async throws {
    let error = await #expect(throws: AuthenticationError.self) {
      try await signIn { $0.extraQueryParameters = [name: "x"] }
    }
    #expect(error?.code == .invalidParameter)
    #expect(authority.pagesShown.isEmpty)
  }
}

extension AuthorityFlowTests {
  @Test("An authorization endpoint keeps its own query, which may be the policy")
  func policyInQuery() async throws {
    let service = Service.all[4]
    let network = try service.authority()
    let base = "https://contoso.b2clogin.com/contoso.onmicrosoft.com/oauth2/v2.0"
    network.edit(.configuration) {
      $0["authorization_endpoint"] = .string("\(base)/authorize?p=b2c_1_in")
    }
    _ = try await service.app(network).acquireToken(Self.interactive(network))
    #expect(
      network.pagesShown.first?.startURL.hasPrefix("\(base)/authorize?p=b2c_1_in&client_id=")
        == true)
  }
}

extension RedirectTests {
  @Test(
    "Look-alikes of the redirect URI do not match",
    arguments: [
      "msauth.io.github.entrance.entrance://authX",
      "msauth.io.github.entrance.entrance://auth.evil",
      "msauth.io.github.entrance.entrance://authority",
      "msauth.io.github.entrance.entrance://auth/x", "msauth.io.github.entrance.entrance://auth/",
      "msauth.io.github.entrance.entrance://auth/../auth",
      "msauth.io.github.entrance.entrance://auth//", "msauth.io.github.entrance.entrance://AUTH",
      "msauth.io.github.entrance.entrance:///auth", "msauth.io.github.entrance.entrance:auth",
      "msauth.io.github.entrance.entrance:", "msauth.io.github.entrance.entrance://u:p@auth",
      "msauth.io.github.entrance.entrance://auth:99", "msauth.io.github.entrance.entrance2://auth",
      "msauth.io.github.entrance.entrаnce://auth", "https://evil.example/", "",
    ])
  func lookAlikes(uri: String) async throws {
    let error = try await refusal(
      authority.pages(redirect: { parameters, _ in
        "\(uri)?code=c&state=\(parameters["state"] ?? "")"
      }))
    #expect(error.code == .invalidResponse)
    #expect(try !RedirectURI(TestApplication.redirectURI).matches("\(uri)?code=c"))
  }
}

extension RetryTests {
  @Test(
    "The error of a 403, 429 or 5xx response is kept, of any length",
    arguments: [403, 404, 429, 500, 503])
  func keepsErrorBody(status: Int) async throws {
    let account = try await signIn()
    let words = "AADSTS7000218: The request body must contain more than ten characters."
    authority.next(
      .token, times: status < 500 ? 1 : 2, status: status,
      "{\"error\":\"invalid_client\",\"suberror\":\"sub\",\"error_description\":\"\(words)\","
        + "\"error_codes\":[7000218],\"correlation_id\":\"cccc\"}")
    let error = await #expect(throws: AuthenticationError.self) { try await refresh(account) }
    #expect(error?.code == (status < 429 ? .serverError : .serverUnavailable))
    #expect(error?.httpStatus == status)
    #expect(error?.oauthError == "invalid_client")
    #expect(error?.suberror == "sub")
    #expect(error?.serverDescription == words)
    #expect(error?.serverErrorCodes == [7_000_218])
    #expect(error?.correlationID == "cccc")
  }
}

extension ThrottleTests {
  @Test(
    "HTTP dates are read in all three forms (RFC 9110, section 5.6.7)",
    arguments: [
      ("Sun, 06 Nov 1994 08:51:37 GMT", 120), ("Sunday, 06-Nov-94 08:51:37 GMT", 120),
      ("Sun Nov  6 08:51:37 1994", 120), ("Wed, 01 Mar 2028 00:00:00 GMT", 3600),
    ] as [(String, Double)])
  func httpDates(field: String, seconds: Double) async throws {
    let account = try await signIn()
    next(503, retryAfter: field)
    #expect(try await refusal(account).retryAfter == .seconds(seconds))
    try await expectPause(of: seconds, account)
  }

  @Test(
    "A date in the past means now",
    arguments: ["Sun, 06 Nov 1994 08:49:36 GMT", "Thu, 01 Jan 1970 00:00:00 GMT", "0"])
  func pastDate(field: String) async throws {
    let account = try await signIn()
    next(429, retryAfter: field)
    #expect(try await refusal(account).retryAfter == .zero)
    #expect(try await refresh(account).source == .server)
  }

  @Test(
    "Text that is neither a number nor a date means the default minute",
    arguments: [
      "-1", "-5", "50 seconds", "5e1", "1.", ".5", "1.5.2", "soon", "٣", "1994-11-06",
      "Sun, 31 Foo 1994 08:51:37 GMT", "Sun, 06 Nov 1994 25:00:00 GMT",
      "Sun, 06 Nov 1994 08:51:37 CET", "Sun, 06 Nov 99999 08:51:37 GMT", "10, 20",
    ])
  func unreadablePause(field: String) async throws {
    let account = try await signIn()
    next(429, retryAfter: field)
    #expect(try await refusal(account).retryAfter == .seconds(60))
    try await expectPause(of: 60, account)
  }

  @Test(
    "Every pause longer than an hour is cut to an hour", arguments: [3601, 7200])
  func longestPause(seconds: Int) async throws {
    let account = try await signIn()
    next(503, retryAfter: "\(seconds)")
    #expect(try await refusal(account).retryAfter == .seconds(3600))
    try await expectPause(of: 3600, account)
  }

  @Test("A pause applies to one endpoint and its scopes only")
  func oneEndpoint() async throws {
    let account = try await signIn()
    next(429, retryAfter: "3600")
    #expect(try await refusal(account).code == .serverUnavailable)
    #expect(try await refusal(account).isThrottled)
    #expect(try await refresh(account, scopes: ["Mail.Read"]).source == .server)
  }

  @Test("A pause does not apply to another tenant's endpoint")
  func otherTenant() async throws {
    let account = try await signIn()
    next(429, retryAfter: "3600")
    #expect(try await refusal(account).code == .serverUnavailable)
    authority.willSignIn(.adele.asGuest(in: Person.fabrikam, objectID: "guest-id"))
    #expect(try await refresh(account, tenant: Person.fabrikam).source == .server)
  }
}

extension SilentTests {
  @Test("A new run finds the tokens in the store without a network request")
  func tokensOfEarlierRun() async throws {
    _ = try await signIn()
    let offline = ScriptedAuthority()
    let next = try TestApplication.make(offline, clock: clock, store: store)
    let account = try #require(await next.currentAccount().current)
    #expect(account.username == Person.adele.username)
    #expect(account.name == Person.adele.name)
    let result = try await next.acquireTokenSilent(.init(scopes: ["User.Read"], account: account))
    #expect(result.accessToken.exposed == "access-canary-1")
    #expect(result.expiresOn == clock.now + 3600)
    #expect(offline.calls.isEmpty)
  }

  @Test("Stored tokens are found when there is no network")
  func tokensWithoutNetwork() async throws {
    _ = try await signIn()
    let offline = ScriptedAuthority()
    for endpoint in ScriptedAuthority.Endpoint.allCases {
      offline.next(endpoint, times: 2) { _ throws(HTTPError) in
        throw HTTPError(.cannotFindHost, host: "h", message: "No network.")
      }
    }
    let next = try TestApplication.make(offline, clock: clock, store: store)
    let account = try #require(await next.accounts().first)
    let result = try await next.acquireTokenSilent(.init(scopes: ["User.Read"], account: account))
    #expect(result.source == .cache)
  }
}

extension TokenResponseTests {
  @Test(
    "Each error has its own code, and keeps the server's error",
    arguments: [
      ("server_error", nil, .serverError),
      ("invalid_grant", "insufficient_device_strength", .interactionRequired),
      ("unauthorized_client", "protection_policy_required", .serverError),
      ("interaction_required", nil, .interactionRequired), ("access_denied", nil, .userCanceled),
      ("invalid_client", nil, .serverError), ("temporarily_unavailable", nil, .serverUnavailable),
    ] as [(String, String?, AuthenticationError.Code)])
  func codeOfEachError(name: String, suberror: String?, code: AuthenticationError.Code) async throws
  {
    authority.next(.token) { _ in
      var body: [String: JSON] = ["error": .string(name)]
      body["suberror"] = suberror.map(JSON.string)
      return .json(body, status: 400)
    }
    let error = try await refusal()
    #expect(error.code == code)
    #expect(error.oauthError == name)
    #expect(error.suberror == suberror)
  }

  @Test(
    "An insufficiently protected device and an expired sign-in have different errors")
  func deviceAndSignInErrors() async throws {
    authority.next(
      .token, status: 400,
      "{\"error\":\"invalid_grant\",\"suberror\":\"insufficient_device_strength\"}")
    let error = try await refusal()
    #expect(
      error.message.contains("This device does not meet your organization’s security requirements.")
    )
    #expect(error.message == error.guidance?.sentence.description)
  }
}
