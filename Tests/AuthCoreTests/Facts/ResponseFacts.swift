import AuthCore
import CurlHTTP
import TestSupport
import Testing

extension RedirectTests {
  @Test("The code of the redirect is redeemed")
  func redeemsCode() async throws {
    _ = try await signIn(authority.pages { "code=authCode&state=\($0["state"] ?? "")" })
    #expect(authority.lastForm["code"] == "authCode")
  }

  @Test("An empty code is not accepted")
  func emptyCode() async throws {
    let pages = authority.pages { "code=&state=\($0["state"] ?? "")" }
    #expect(try await refusal(pages).code == .invalidResponse)
  }

  @Test(
    "Without the state, a redirect is rejected, even with an error in it",
    arguments: ["code=c", "state=&code=c", "error=x"])
  func withoutState(query: String) async throws {
    #expect(try await refusal(authority.pages { _ in query }).code == .invalidState)
  }

  @Test(
    "The error has the code and the suberror from clidata",
    arguments: [
      ("1%7C50076%7Cbasic_action%7C%7C", [50076], "basic_action"),
      ("1%7C0%7C%7C%7C", [], nil), ("1%7Cx", [], nil), ("2%7C50076%7Cbasic_action%7C%7C", [], nil),
      ("", [], nil),
    ] as [(String, [Int], String?)])
  func codeInClientData(clientData: String, codes: [Int], suberror: String?) async throws {
    let error = try await refusal(
      authority.pages {
        "error=interaction_required&clidata=\(clientData)&state=\($0["state"] ?? "")"
      })
    #expect(error.code == .interactionRequired)
    #expect(error.serverErrorCodes == codes)
    #expect(error.suberror == suberror)
    #expect(error.guidance == codes.first.flatMap(ErrorGuidance.init))
  }

  @Test("The server's own description takes precedence over clidata")
  func descriptionBeforeClientData() async throws {
    let error = try await refusal(
      authority.pages {
        "error=interaction_required&clidata=1%7C50076%7Cbasic_action%7C%7C"
          + "&error_description=AADSTS50079:+Set+it+up.&suberror=own&state=\($0["state"] ?? "")"
      })
    #expect(error.serverErrorCodes == [50079])
    #expect(error.suberror == "own")
  }

  @Test("An error has the server's message as plain text")
  func messageAsPlainText() async throws {
    let words = "AADSTS65004: <b>Sorry</b>\u{202E}\n2026-11-21 INFO fake log line"
    let error = try await refusal(
      authority.pages {
        "error=access_denied&error_subcode=cancel&error_description="
          + FormEncoding.percentEncoded(words) + "&state=\($0["state"] ?? "")"
      })
    #expect(error.code == .userCanceled)
    #expect(error.oauthError == "access_denied")
    #expect(error.suberror == "cancel")
    #expect(error.serverErrorCodes == [65004])
    #expect(error.step == .authorization)
    let details = error.details.map { "\($0)" }.joined(separator: "|")
    #expect(!details.contains("\n") && !details.contains("\u{202E}"))
  }
}

extension TokenResponseTests {
  @Test("A 400 is the server's error, not a network error")
  func badRequest() async throws {
    authority.next(
      .token, status: 400,
      "{\"error\":\"invalid_grant\",\"error_description\":\"AADSTS70008: It expired.\","
        + "\"suberror\":\"token_expired\"}")
    let error = try await refusal()
    #expect(error.code == .interactionRequired)
    #expect(error.oauthError == "invalid_grant")
    #expect(error.suberror == "token_expired")
    #expect(error.serverDescription == "AADSTS70008: It expired.")
    #expect(error.httpStatus == 400)
    #expect(error.step == .token)
  }

  /// The meaning of the server's numbers may change, so they only affect the message.
  @Test("STS 50142 asks for a new password in the message, not with its own code")
  func newPassword() async throws {
    for codes in ["50142", "50000"] {
      authority.next(
        .token, status: 400, "{\"error\":\"invalid_request\",\"error_codes\":[\(codes)]}")
      let error = try await refusal()
      #expect(error.code == .serverError)
      #expect(error.oauthError == "invalid_request")
      #expect(error.serverErrorCodes == [try #require(Int(codes))])
      #expect(error.message.contains("choose a new password") == (codes == "50142"))
    }
  }

  @Test("An unknown error keeps its name")
  func unknownError() async throws {
    authority.next(
      .token, status: 400, "{\"error\":\"brand_new\",\"error_description\":\"It is new.\"}")
    let error = try await refusal()
    #expect(error.code == .serverError)
    #expect(error.oauthError == "brand_new")
    #expect(error.message.contains("It is new."))
  }

  @Test("Declined scopes are reported, and the tokens are stored")
  func declinedScopes() async throws {
    authority.edit(.tokens) { $0["scope"] = .string("user.read user.write openid") }
    let error = await #expect(throws: AuthenticationError.self) {
      try await signIn(scopes: ["fakescope1", "fakescope2"])
    }
    #expect(error?.code == .serverDeclinedScopes)
    #expect(error?.message.contains("fakescope1, fakescope2") == true)
    #expect(error?.declinedScopes == ["fakescope1", "fakescope2"])
    #expect(error?.grantedScopes == ["user.read", "user.write"])
    // The token for the granted scopes is cached.
    let app = try TestApplication.make(authority, clock: clock, store: store)
    let account = try #require(await app.accounts().first)
    let asked = authority.calls.count
    let granted = try #require(error?.grantedScopes)
    let token = try await app.acquireTokenSilent(.init(scopes: granted, account: account))
    #expect(token.accessToken.exposed == "access-canary-1")
    #expect(authority.calls.count == asked)
  }
}
