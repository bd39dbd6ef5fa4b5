import AuthCore
import CurlHTTP
import EntranceKit
import HTTPTypes
import TestSupport
import Testing

/// What the page shows and offers when a sign-in or a call fails.
@MainActor @Suite("The notice of a failure")
struct FailureTests {
  typealias Action = AccountAction

  @Test("An app that an administrator must approve has a request to send")
  func adminApproval() async throws {
    let notice = try #require(await Page.notice(after: 90094))
    #expect(notice.title == "Your Organization Must Approve This App")
    #expect(notice.canBeDismissed)
    #expect(notice.details.contains("Codes: AADSTS90094"))
    #expect(notice.details.contains { $0.hasPrefix("Correlation ID: ") })
    guard let request = notice.buttons.first?.action.copiedText else {
      Issue.record("the first button copies the request")
      return
    }
    // https://learn.microsoft.com/entra/identity-platform/v2-admin-consent
    #expect(
      request.hasSuffix(
        "https://login.microsoftonline.com/organizations/v2.0/adminconsent?client_id="
          + TestApplication.clientID + "&scope=https%3A%2F%2Fgraph.microsoft.com%2FUser.Read"
          + "&redirect_uri=msauth.io.github.entrance.entrance%3A%2F%2Fauth"))
    #expect(request.contains("User.Read"))
    #expect(notice.buttons.dropFirst().map(\.action) == [.useAnotherAccount])
  }

  @Test(
    "Each kind of failure has its title and its buttons",
    arguments: [
      (53000, "This Device Is Not Accepted", [.useBrowser, .useAnotherAccount, .details]),
      (530003, "This Device Is Not Accepted", [.useBrowser, .useAnotherAccount, .details]),
      (
        50020, "This Account Cannot Sign In Here",
        [.useAnotherAccount, .details, .edit(at: "authority")]
      ),
      (
        50105, "This Account Cannot Sign In Here",
        [.useAnotherAccount, .details, .edit(at: "authority")]
      ),
      (53010, "Ask Your Administrator", [.details, .useAnotherAccount]),
      (80001, "Ask Your Administrator", [.details, .useAnotherAccount]),
      (650_056, "Check the App Registration", [.details, .edit(at: nil)]),
      (9_002_313, "The App Sent an Invalid Request", [.details]),
      (700016, "Check the App", [.edit(at: "clientID"), .tryAgain]),
      (7_000_218, "Check the App", [.edit(at: "clientID"), .tryAgain]),
      (90002, "Check the App", [.edit(at: "authority"), .tryAgain]),
      (9_002_327, "Check the App Registration", [.details, .edit(at: nil)]),
      (90033, "Service Not Available", [.tryAgain]),
      (999_999, "The Request Was Refused", [.tryAgain]),
    ] as [(Int, String, [Action])])
  func kinds(number: Int, title: String, actions: [Action]) async throws {
    let notice = try #require(await Page.notice(after: number))
    #expect(notice.title == title)
    #expect(
      notice.buttons.map(\.action).map { $0.copiedText == nil ? $0 : .details } == actions)
  }

  @Test(
    "A response that is not accepted is not told as a refused request",
    arguments: [("code=abc&state=other", nil), (nil, "{}")] as [(String?, String?)])
  func response(redirect: String?, tokens: String?) async throws {
    let authority = ScriptedAuthority(host: "login.microsoftonline.com")
    let pages = redirect.map { redirect in authority.pages { _ in redirect } }
    let page = try Page(authority: authority, pages: pages)
    if let tokens { authority.next(.token, status: 200, tokens) }
    await page.model.callGraph()?.value
    let notice = try #require(page.model.state.notices.first)
    #expect(notice.title == "Response Not Accepted")
    #expect(notice.text.hasSuffix(" Check the network, or ask your administrator."))
    #expect(notice.buttons.map(\.action) == [.tryAgain])
  }

  @Test("The details to send name the reason, the app and what support needs")
  func details() async throws {
    let notice = try #require(await Page.notice(after: 53010))
    guard let text = notice.buttons.first?.action.copiedText else {
      Issue.record("the first button copies the details")
      return
    }
    let lines = text.split(separator: "\n").map(String.init)
    #expect(
      lines.prefix(3) == [
        "Security info can be set up only from certain places or devices. Ask your administrator.",
        "App: Test", "Application (client) ID: \(TestApplication.clientID)",
      ])
    #expect(Array(lines.dropFirst(3)) == notice.details)
  }

  @Test("Permissions that were not accepted can be accepted, or asked for")
  func consent() async throws {
    let notice = try #require(await Page.notice(after: 65001))
    #expect(notice.title == "The Permissions Have Not Been Accepted")
    #expect(notice.text.contains("Sign in again and accept them."))
    #expect(notice.text.hasSuffix("send the request to your administrator."))
    #expect(notice.buttons.first?.action == .tryAgain)
    guard let request = notice.buttons.last?.action.copiedText else {
      Issue.record("the last button copies the request")
      return
    }
    #expect(request.contains("/adminconsent?client_id=" + TestApplication.clientID))
  }

  @Test("Permissions that the person has declined can be accepted after all, or asked for")
  func declinedConsent() async throws {
    let authority = ScriptedAuthority()
    let pages = authority.pages {
      "error=access_denied&error_description=AADSTS65004%3A+declined&state=\($0["state"] ?? "")"
    }
    let page = try Page(authority: authority, pages: pages)
    await page.model.callGraph()?.value
    let notice = try #require(page.model.state.notices.first)
    #expect(notice.title == "The Permissions Have Not Been Accepted")
    #expect(
      notice.text == "You declined this app’s permissions. To use the app, sign in again and accept"
        + " them. If you are not allowed to accept them, send the request to your administrator.")
    #expect(notice.buttons.first?.action == .tryAgain)
    #expect(notice.buttons.last?.action.copiedText?.contains("/adminconsent?") == true)
    #expect(page.model.state.outcome == nil, "it is said once")
  }

  @Test("What the API refuses has a notice with its details", arguments: [400, 401, 403, 409])
  func refusedByAPI(status: Int) async throws {
    let page = try Page()
    page.authority.next(
      .api, times: 2, status: status, #"{"error": {"code": "Word", "message": "No"}}"#)
    await page.model.callGraph()?.value
    let notice = try #require(page.model.state.notices.first)
    #expect(notice.text.contains("HTTP \(status)"))
    #expect(notice.details.contains("Error: Word"))
    #expect(notice.details.contains("Server: No"))
    #expect(notice.buttons.map(\.action) == [.tryAgain])
    let outcome = page.model.state.outcome
    #expect(outcome?.contains("Couldn't get graph result") != true, "it is said once")
    #expect(page.log.last?.hasPrefix("Couldn't get graph result: \(notice.text)") == true)
  }

  @Test("A refusal with all permissions in the token is explained as in the Explorer")
  func forbidden() async throws {
    let page = try Page()
    await page.model.callGraph()?.value
    page.authority.next(.api, times: 2, status: 403, "{}")
    await page.model.callGraph()?.value
    let notice = try #require(page.model.state.notices.first)
    let explorer = ExplorerModel(page.window)
    defer { explorer.close() }
    explorer.request.address = "/me"
    await explorer.send()?.value
    let answer = try #require(explorer.answer)
    let explanation = try #require(answer.explanation)
    #expect(explanation.missing.isEmpty)
    #expect(explanation.text.contains("The permission is granted, but the account is not allowed"))
    let lines = explanation.text.split(separator: "\n").map(String.init)
    let words = [answer.failure?.sentence ?? ""] + lines
    #expect(notice.text == words.joined(separator: " "))
  }

  private static let notFromGraph =
    "The response is not from Microsoft Graph. If this network has a sign-in page, open it in a"
    + " browser first."

  @Test(
    "A web page in place of JSON is said not to be from Graph",
    arguments: [("", "\n<!DOCTYPE html>\n<html></html>"), ("text/html; charset=utf-8", "Welcome")])
  func portal(type: String, body: String) async throws {
    let page = try Page()
    page.authority.next(.api, status: 200, type: type, body)
    await page.model.callGraph()?.value
    let notice = try #require(page.model.state.notices.first)
    #expect(notice.text == Self.notFromGraph)
    #expect(notice.buttons.map(\.action) == [.tryAgain, .openNetworkPage])
    #expect(
      page.log.last == "Couldn't deserialize result JSON\n    \(Self.notFromGraph)")
    await page.model.callGraph()?.value
    #expect(page.model.state.notices.isEmpty)
  }

  @Test(
    "In the Explorer, a web page is said not to be from Graph, unless it is content",
    arguments: [("/me", true), ("/me/onenote/pages/1/content?includeIDs=true", false)])
  func portalInExplorer(address: String, isSaid: Bool) async throws {
    let page = try Page()
    await page.model.callGraph()?.value
    let explorer = ExplorerModel(page.window)
    defer { explorer.close() }
    explorer.request.address = address
    page.authority.next(.api, status: 200, type: "text/html", "<html></html>")
    await explorer.send()?.value
    let answer = try #require(explorer.answer)
    #expect(answer.status == 200)
    #expect(answer.hints == (isSaid ? [Self.notFromGraph] : []))
  }

  @Test(
    "What to correct in the app is named as in its form",
    arguments: [
      (
        700_016,
        "There is no app with this client ID, or the account’s organization does not have it."
          + " Check the client ID of the app, and who can sign in."
      ),
      (90002, "This organization does not exist. Check who can sign in with the app."),
    ])
  func wordsOfTheForm(number: Int, text: String) async throws {
    let notice = try #require(await Page.notice(after: number))
    #expect(notice.text == text)
  }

  @Test("An unregistered redirect URI can be copied")
  func redirectURI() async throws {
    let notice = try #require(await Page.notice(after: 50011))
    let uri = TestApplication.redirectURI
    #expect(notice.text.contains(uri))
    #expect(notice.buttons.map(\.action) == [.copy(uri), .edit(at: "redirectURI")])
  }

  @Test(
    "Where there is no such sign-in service, the app's address can be corrected",
    arguments: [
      (400, #"{"error":"invalid_tenant","error_description":"AADSTS90002: Not found."}"#),
      (404, ""),
    ])
  func noService(status: Int, body: String) async throws {
    let page = try Page()
    page.authority.next(.configuration, times: 2, status: status, body)
    await page.model.callGraph()?.value
    let notice = try #require(page.model.state.notices.first)
    #expect(notice.title == "Check the App")
    #expect(notice.buttons.map(\.action) == [.edit(at: "authority"), .tryAgain])
  }

  @Test("A scope that is not valid is corrected where the app's permissions are")
  func scope() async throws {
    let notice = try #require(await Page.notice(after: 70011))
    #expect(notice.text == "A permission is not valid. Check “Permissions” in the app.")
    #expect(notice.buttons.first?.action == .edit(at: "scopes"))
  }

  @Test("A canceled sign-in has no notice")
  func canceled() async throws {
    let authority = ScriptedAuthority(host: "login.microsoftonline.com")
    let page = try Page(authority: authority, pages: authority.closedPages)
    await page.model.callGraph()?.value
    #expect(page.model.state.notices.isEmpty)
    #expect(page.model.state.outcome == "Sign-in canceled")
  }

  nonisolated static let missingResponses: [(HTTPError.Code, String)] = [
    (.cannotFindHost, "No Connection"), (.networkUnreachable, "No Connection"),
    (.cannotConnect, "Server Not Reachable"), (.timedOut, "No Response"),
    (.connectionLost, "No Response"),
  ]

  @Test(
    "Without an answer, the call can be repeated; the next one removes the notice",
    arguments: missingResponses)
  func noConnection(code: HTTPError.Code, title: String) async throws {
    let page = try Page()
    await page.model.callGraph()?.value
    page.authority.next(.api) { _ throws(HTTPError) in
      throw HTTPError(code, host: "graph.example", message: "Not reached.")
    }
    await page.model.callGraph()?.value
    let notice = try #require(page.model.state.notices.first)
    #expect(notice.title == title)
    #expect(notice.buttons.map(\.action) == [.tryAgain])
    await page.model.callGraph()?.value
    #expect(page.model.state.notices.isEmpty)
  }

  @Test("A sign-in service without an answer has the same titles", arguments: missingResponses)
  func noSignInService(code: HTTPError.Code, title: String) async throws {
    let page = try Page()
    await page.model.callGraph()?.value
    page.clock.advance(by: 7200)
    page.authority.next(.token, times: 2) { _ throws(HTTPError) in
      throw HTTPError(code, host: "login.example", message: "Not reached.")
    }
    await page.model.callGraph()?.value
    let notice = try #require(page.model.state.notices.first)
    #expect(notice.title == title)
    #expect(notice.buttons.map(\.action) == [.tryAgain])
  }

  @Test("A notice can be dismissed")
  func dismissed() async throws {
    let page = try Page()
    await page.model.callGraph()?.value
    page.authority.next(.api, status: 503, "{}")
    await page.model.callGraph()?.value
    #expect(page.model.state.notices.count == 1)
    page.window.status.dismissFailure()
    #expect(page.model.state.notices.isEmpty)
  }

  @Test("A pause that the API asks for is counted down, then the call is repeated")
  func pause() async throws {
    let page = try Page()
    await page.model.callGraph()?.value
    page.authority.next(.api) { _ in
      var reply = HTTPReply.make(429, "{}")
      reply.response.headerFields[.retryAfter] = "2"
      return reply
    }
    await page.model.callGraph()?.value
    // On a busy computer, the first second may be over.
    let notices = page.states.compactMap(\.notices.first)
    let notice = try #require(notices.first { $0.text.hasSuffix("0:02.") })
    #expect(
      notice.text
        == "Microsoft Graph asked Entrance to wait. The request will be repeated in 0:02.")
    #expect(notice.buttons.map(\.action) == [.callGraph, .dismiss])
    while page.authority.count(.api) < 3 { try await Task.sleep(for: .milliseconds(20)) }
    #expect(page.states.contains { $0.notices.first?.text.hasSuffix("0:01.") == true })
  }

  @Test(
    "A pause is told as what the service answered",
    arguments: [
      (500, nil, "Service Not Available", "is not available at the moment."),
      (503, "60", "Service Not Available", "is not available at the moment."),
      (429, nil, "Too Many Requests", "received too many requests."),
      (429, "60", "Too Many Requests", "asked Entrance to wait."),
    ] as [(Int, String?, String, String)])
  func reasonOfPause(status: Int, pause: String?, title: String, reason: String) async throws {
    let page = try Page()
    await page.model.callGraph()?.value
    page.clock.advance(by: 7200)
    page.authority.next(.token, times: 2) { _ in
      var reply = HTTPReply.make(status, "{}")
      reply.response.headerFields[.retryAfter] = pause
      return reply
    }
    await page.model.callGraph()?.value
    let notice = try #require(page.states.compactMap(\.notices.first).last)
    #expect(notice.title == title)
    #expect(
      notice.text.hasPrefix(
        "The sign-in service \(reason) The request will be repeated in "), "\(notice.text)")
    #expect(notice.buttons.map(\.action) == [.dismiss])
    // The log has the same reason.
    let failure = try #require(
      page.log.last { $0.hasPrefix("Could not acquire token silently: ") })
    #expect(failure.contains("too many requests") == (status == 429), "\(failure)")
    #expect(failure.contains("is not available") == (status != 429), "\(failure)")
  }

  @Test(
    "A failed call has the title of its status",
    arguments: [
      (500, nil, "Service Not Available"), (503, "60", "Service Not Available"),
      (429, nil, "Too Many Requests"), (429, "60", "Too Many Requests"),
    ] as [(Int, String?, String)])
  func titleOfStatus(status: Int, pause: String?, title: String) async throws {
    let page = try Page()
    await page.model.callGraph()?.value
    page.authority.next(.api) { _ in
      var reply = HTTPReply.make(status, "{}")
      reply.response.headerFields[.retryAfter] = pause
      return reply
    }
    await page.model.callGraph()?.value
    let notice = try #require(page.states.compactMap(\.notices.first).last)
    #expect(notice.title == title)
    #expect(notice.text.contains("asked Entrance to wait") == (status == 429 && pause != nil))
  }

  @Test(
    "After a pause that the sign-in service asks for, a request of the Explorer is sent as a whole",
    .timeLimit(.minutes(5)))
  func pauseBeforeRequest() async throws {
    let page = try Page()
    await page.model.callGraph()?.value
    let model = ExplorerModel(page.window)
    page.clock.advance(by: 7200)
    page.authority.next(.token) { _ in
      var reply = HTTPReply.make(429, "{}")
      reply.response.headerFields[.retryAfter] = "1"
      return reply
    }
    page.authority.forget()
    await model.send()?.value
    #expect(page.authority.count(.api) == 0)
    let text = "The sign-in service asked Entrance to wait. The request will be repeated in 0:01."
    #expect(page.states.contains { $0.notices.first?.text == text })
    page.clock.advance(by: 60)
    while page.authority.count(.api) == 0 { try await Task.sleep(for: .milliseconds(20)) }
    await model.finish()
    #expect(model.answer?.isSuccess == true)
    #expect(!page.model.state.notices.contains { $0.text.contains("asked Entrance to wait") })
  }

  @Test(
    "After a sign-in, a pause is counted down, and only the person opens the pages again",
    .timeLimit(.minutes(5)),
    arguments: [(429, "Too Many Requests"), (503, "Service Not Available")])
  func pauseAfterSignIn(status: Int, title: String) async throws {
    let page = try Page()
    page.authority.next(.token) { _ in
      var reply = HTTPReply.make(status, "{}")
      reply.response.headerFields[.retryAfter] = "1"
      return reply
    }
    await page.model.callGraph()?.value
    try await page.wait { $0.notices.first?.text.hasSuffix("Try again later.") == true }
    let notices = page.states.compactMap(\.notices.first)
    #expect(notices.contains { $0.text.hasSuffix("Try again in 0:01.") })
    #expect(notices.allSatisfy { $0.title == title && $0.buttons.map(\.action) == [.tryAgain] })
    #expect(page.model.state.work == nil && page.authority.count(.token) == 1)
    AccountAction.tryAgain.perform(page.model, "")
    try await page.wait { $0.notices.isEmpty && $0.work == nil && $0.username != nil }
    #expect(page.authority.count(.token) == 2)
  }

  @Test("What is repeated by itself opens no sign-in", .timeLimit(.minutes(5)))
  func repetitionWithoutSignIn() async throws {
    let page = try Page()
    await page.model.callGraph()?.value
    page.clock.advance(by: 7200)
    page.authority.next(.token) { _ in
      var reply = HTTPReply.make(429, "{}")
      reply.response.headerFields[.retryAfter] = "1"
      return reply
    }
    page.authority.next(.token, status: 400, #"{"error":"invalid_grant"}"#)
    page.authority.forget()
    await page.model.callGraph()?.value
    page.clock.advance(by: 60)
    try await page.wait { $0.notices.first?.title == "Sign In Again" && $0.work == nil }
    #expect(page.model.state.notices.first?.buttons.map(\.action) == [.tryAgain])
    #expect(page.authority.count(.token) == 2 && page.authority.count(.api) == 0)
    AccountAction.tryAgain.perform(page.model, "")
    while page.authority.count(.api) == 0 { try await Task.sleep(for: .milliseconds(20)) }
    try await page.wait { $0.work == nil && !$0.notices.contains { $0.title == "Sign In Again" } }
  }

  /// Calls a busy API, which asks for a pause of an hour.
  private func callThatHasToWait(_ page: Page) async {
    page.authority.next(.api) { _ in
      var reply = HTTPReply.make(503, "{}")
      reply.response.headerFields[.retryAfter] = "3600"
      return reply
    }
    await page.model.callGraph()?.value
    #expect(page.states.contains { $0.notices.first?.text.contains("1:00:00") == true })
  }

  @Test("Other work of the user ends the wait")
  func pauseEnded() async throws {
    let page = try Page()
    await page.model.callGraph()?.value
    await callThatHasToWait(page)
    await page.model.signOut.signOut()?.value
    #expect(page.model.state.notices.isEmpty)
  }

  @Test("Switching to another account ends the wait, so that nothing is repeated for it")
  func pauseEndedBySwitch() async throws {
    let page = try Page()
    await page.model.callGraph()?.value
    let adele = try page.row(.adele).id
    page.authority.willSignIn(.ben)
    await page.window.accounts.add()?.value
    await callThatHasToWait(page)
    page.window.accounts.select(adele)
    #expect(page.model.state.notices.isEmpty)
    page.authority.forget()
    AccountAction.tryAgain.perform(page.model, "")
    await page.window.status.finishWork()
    #expect(page.authority.count(.api) == 0 && page.authority.count(.token) == 0)
  }

  @Test("The network's state is a notice, but not for a service on this computer")
  func network() async throws {
    let page = try Page()
    page.window.network = .absent
    #expect(
      page.model.state.notices.map(\.text) == [
        "You are offline. Signing in and calling an API require a connection."
      ])
    page.window.network = .needsSignIn
    #expect(page.model.state.notices.flatMap { $0.buttons.map(\.action) } == [.openNetworkPage])
    page.window.network = .available
    #expect(page.model.state.notices.isEmpty)

    let local = try Page(host: "localhost:8443")
    local.window.network = .absent
    #expect(local.model.state.notices.isEmpty)
  }
}

extension AccountAction {
  /// Copies a text, whatever it is.
  fileprivate static let details = Self.copy("")
}
