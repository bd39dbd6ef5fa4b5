import AuthCore
import CurlHTTP
import FoundationEssentials
import HTTPTypes
import TestSupport
import Testing

@Suite("The redirect that ends the pages")
struct RedirectTests {
  let authority = ScriptedAuthority()
  let clock = ManualClock()

  func signIn(_ pages: ScriptedPages) async throws -> AuthenticationResult {
    try await TestApplication.make(authority, clock: clock).acquireToken(
      InteractiveTokenParameters(scopes: ["User.Read"], session: pages))
  }

  func refusal(_ pages: ScriptedPages) async throws -> AuthenticationError {
    let error = await #expect(throws: AuthenticationError.self) { try await signIn(pages) }
    #expect(authority.count(.token) == 0, "nothing is sent to the token endpoint")
    return try #require(error)
  }

  @Test("One changed character in the state is enough")
  func wrongState() async throws {
    let pages = authority.pages { parameters in
      var state = Array(parameters["state"] ?? "")
      state[0] = state[0] == "A" ? "B" : "A"
      return "code=c&state=\(String(state))"
    }
    let error = try await refusal(pages)
    #expect(error.code == .invalidState)
    #expect(!"\(error) \(error.details)".contains(authority.authorization["state"] ?? "?"))
  }

  @Test("A redirect is accepted for one request")
  func replay() async throws {
    let first = LockedValue("")
    _ = try await signIn(
      authority.pages(redirect: { parameters, request in
        let url = "\(request.redirectURI)?code=code-canary&state=\(parameters["state"] ?? "")"
        first.withLock { $0 = url }
        return url
      }))
    #expect(authority.count(.token) == 1)
    let error = await #expect(throws: AuthenticationError.self) {
      try await signIn(authority.pages(redirect: { _, _ in first.withLock { $0 } }))
    }
    #expect(error?.code == .invalidState)
    #expect(authority.count(.token) == 1)
  }

  @Test("Only one sign-in can be in progress")
  func oneAtATime() async throws {
    let app = try TestApplication.make(authority)
    let (shown, isShown) = AsyncStream<Void>.makeStream()
    let (release, isReleased) = AsyncStream<Void>.makeStream()
    let pages = ScriptedPages { [authority] request throws(AuthenticationError) in
      isShown.yield()
      for await _ in release { break }
      return try await authority.pages.authenticate(request)
    }
    async let first = app.acquireToken(.init(scopes: ["User.Read"], session: pages))
    for await _ in shown { break }
    let error = await #expect(throws: AuthenticationError.self) {
      try await app.acquireToken(.init(scopes: ["User.Read"], session: authority.pages))
    }
    #expect(error?.code == .interactiveSessionAlreadyRunning)
    isReleased.yield()
    #expect(try await first.account.username == Person.adele.username)
    // After the first sign-in, another one can start.
    _ = try await app.acquireToken(.init(scopes: ["User.Read"], session: authority.pages))
  }

  @Test("A redirect after 15 minutes is too late")
  func expired() async throws {
    let pages = authority.pages { [clock] in
      clock.advance(by: 15 * 60 + 1)
      return "code=c&state=\($0["state"] ?? "")"
    }
    #expect(try await refusal(pages).code == .webAuthenticationTimedOut)
  }

  @Test("A user may take 15 minutes")
  func slowPerson() async throws {
    let pages = authority.pages { [clock] in
      clock.advance(by: 14 * 60)
      return "code=c&state=\($0["state"] ?? "")"
    }
    _ = try await signIn(pages)
  }

  @Test("The scheme may be in capitals (RFC 3986, section 3.1)")
  func upperCaseScheme() async throws {
    let result = try await signIn(
      authority.pages(redirect: { parameters, _ in
        "MSAUTH.IO.GITHUB.Entrance.ENTRANCE://auth?code=c&state=\(parameters["state"] ?? "")"
      }))
    #expect(result.account.username == Person.adele.username)
    #expect(authority.lastForm["redirect_uri"] == TestApplication.redirectURI)
  }

  @Test(
    "A malformed response is rejected",
    arguments: [
      "code=a&code=b&state=@", "code=a&state=@&state=@", "code=a&error=x&state=@",
      "state=@", "code=%20&state=@", "code=a%00b&state=@", "code=a%0D%0Ab&state=@",
      "code=%C3%A9&state=@", "code=%zz&state=@", "code=a&state=@&x=%", "code=a&state=@&x=%F",
      "code=a&state=@&x=%FF%FE", "code=a#state=@", "code=a&state=@#x=y", "#code=a&state=@", "",
    ])
  func unreadable(query: String) async throws {
    let error = try await refusal(
      authority.pages { query.replacing("@", with: $0["state"] ?? "") })
    #expect(error.code == .invalidResponse || error.code == .invalidState)
  }

  @Test("A code of more than 8 KiB is rejected")
  func longCode() async throws {
    let error = try await refusal(
      authority.pages {
        "code=\(String(repeating: "c", count: 8193))&state=\($0["state"] ?? "")"
      })
    #expect(error.code == .invalidResponse)
  }

  @Test("A code in the fragment is not accepted for response_mode=query")
  func fragment() async throws {
    let error = try await refusal(
      authority.pages(redirect: {
        "\($1.redirectURI)#code=c&state=\($0["state"] ?? "")"
      }))
    #expect(error.code == .invalidResponse)
  }

  @Test("Only & separates parameters, and unknown ones are ignored")
  func oddSeparators() async throws {
    _ = try await signIn(
      authority.pages {
        "a=1;b=2&&=&c&session_state=s&client_info=e30&msgraph_host=evil.example"
          + "&code=code-canary&state=\($0["state"] ?? "")"
      })
    #expect(authority.lastForm["code"] == "code-canary")
  }

  @Test(
    "An issuer in the response must be the authority's (RFC 9207)",
    arguments: ["https://evil.example/v2.0", "https://login.microsoftonline.com/x/v2.0", ""])
  func wrongIssuer(issuer: String) async throws {
    let error = try await refusal(
      authority.pages { "code=c&iss=\(issuer)&state=\($0["state"] ?? "")" })
    #expect(error.code == .invalidResponse)
  }

  @Test("The right issuer is accepted")
  func rightIssuer() async throws {
    _ = try await signIn(
      authority.pages {
        "code=c&iss=https://login.microsoftonline.com/\(Person.contoso)/v2.0"
          + "&state=\($0["state"] ?? "")"
      })
  }

  @Test("A promised issuer is required")
  func missingIssuer() async throws {
    authority.edit(.configuration) {
      $0["authorization_response_iss_parameter_supported"] = .bool(true)
    }
    #expect(try await refusal(authority.pages).code == .invalidResponse)
  }

  @Test("An error without the promised issuer is reported as not vouched for")
  func errorWithoutIssuer() async throws {
    authority.edit(.configuration) {
      $0["authorization_response_iss_parameter_supported"] = .bool(true)
    }
    var error = try await refusal(
      authority.pages { "error=access_denied&state=\($0["state"] ?? "")" })
    #expect(error.code == .userCanceled)
    #expect(error.oauthError == "access_denied")
    #expect(!error.isVouchedFor)
    #expect(
      error.details.map { "\($0)" }.contains(
        "Not verified: the response does not identify its issuer"))
    let issuer = "https://login.microsoftonline.com/\(Person.contoso)/v2.0"
    error = try await refusal(
      authority.pages { "error=access_denied&iss=\(issuer)&state=\($0["state"] ?? "")" })
    #expect(error.code == .userCanceled && error.isVouchedFor)
    error = try await refusal(
      authority.pages { "error=access_denied&iss=https://evil.example&state=\($0["state"] ?? "")" })
    #expect(error.code == .invalidResponse, "another service's message is not shown")
    error = try await refusal(authority.pages { _ in "error=access_denied&state=other" })
    #expect(error.code == .invalidState)
  }

  @Test("At most 300 characters of the server's message are shown")
  func longWords() async throws {
    let error = try await refusal(
      authority.pages {
        "error=server_error&error_description=\(String(repeating: "w", count: 5000))"
          + "&state=\($0["state"] ?? "")"
      })
    #expect(error.message.count { $0 == "w" } <= 300)
    #expect(error.serverDescription?.count == 2000)
  }

  @Test("Closing the pages is reported as a cancellation")
  func closed() async throws {
    let error = try await refusal(authority.closedPages)
    #expect(error.code == .userCanceled)
    #expect(error.correlationID != nil)
  }
}
