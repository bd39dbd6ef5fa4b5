import AuthCore
import CurlHTTP
import Connections
import EntranceKit
import FoundationEssentials
import HTTPTypes
import TestSupport
import Testing

@MainActor @Suite("The account page with other services and guests")
struct ForeignConnectionTests {
  static let issuer = "https://id.contoso.example/realms/one"

  func connection(_ members: String) throws -> Connection {
    let connections = try ConnectionFile.parse(
      """
      {"version": 1, "apps": [
        {"name": "N", "clientID": "\(TestApplication.clientID)", \(members)}]}
      """.utf8)
    return try #require(connections.first)
  }

  /// A page for an OpenID Connect provider.
  func foreignPage(keepsCookies: Bool = true, preferences: Preferences? = nil) throws -> Page {
    let connection = try connection(
      """
      "authority": "\(Self.issuer)", "authorityKind": "oidc", "knownAuthorities": ["\(Self.issuer)"],
      "api": "https://id.contoso.example/userinfo"
      """)
    let authority = ScriptedAuthority(host: "id.contoso.example", kind: .oidc)
    return try Page(
      authority: authority, pages: keepsCookies ? authority.pages : authority.pages.ephemeral,
      connection: connection, preferences: preferences)
  }

  private var keepingSession: Preferences {
    Preferences(MemorySettings(["keep-web-session": .flag(true)]))
  }

  @Test(
    "For another account, the service asks which only where someone may be signed in",
    arguments: [(true, "select_account"), (false, nil)] as [(Bool, String?)])
  func otherAccount(keepsCookies: Bool, prompt: String?) async throws {
    let page = try foreignPage(keepsCookies: keepsCookies)
    page.authority.edit(.configuration) {
      $0["prompt_values_supported"] = .array([.string("select_account")])
    }
    await page.model.callGraph()?.value
    #expect(page.authority.authorization["prompt"] == nil, "nobody has signed in yet")
    page.authority.willSignIn(.ben)
    await page.window.accounts.add()?.value
    #expect(page.model.state.rows.count == 2)
    #expect(page.authority.authorization["prompt"] == prompt)
  }

  @Test("Another account signs in without the kept session, which is used again for one of them")
  func otherAccountWithoutKeptSession() async throws {
    let page = try foreignPage(preferences: keepingSession)
    await page.model.callGraph()?.value
    page.authority.willSignIn(.ben)
    await page.window.accounts.add()?.value
    #expect(page.model.state.rows.count == 2)
    let selected = try #require(page.model.state.rows.first { $0.isSelected })
    await page.window.accounts.signInAgain(selected.id)?.value
    await page.window.accounts.useAnother()?.value
    #expect(
      page.authority.pagesShown.map(\.prefersEphemeralSession) == [false, true, false, true])
  }

  @Test("Where the kept session is another account's, the sign-in can be repeated without it")
  func keptSessionOfAnotherAccount() async throws {
    let page = try foreignPage(preferences: keepingSession)
    await page.model.callGraph()?.value
    page.clock.advance(by: 3600)
    page.authority.next(.token, status: 400, #"{"error": "invalid_grant"}"#)
    page.authority.willSignIn(.ben)
    await page.model.callGraph()?.value
    let notice = try #require(page.model.state.notices.first { $0.style == .warning })
    #expect(notice.title == "Another Account Signed In")
    #expect(notice.buttons.map(\.label) == ["Sign In _Again"])
    let action = try #require(notice.buttons.first?.action)
    page.authority.forget()
    // As often as the other account is chosen.
    action.perform(page.model, "")
    await page.window.status.finishWork()
    #expect(page.model.state.notices.contains(notice))
    page.authority.willSignIn(.adele)
    action.perform(page.model, "")
    await page.window.status.finishWork()
    #expect(!page.model.state.notices.contains { $0.style == .warning })
    #expect(page.authority.pagesShown.map(\.prefersEphemeralSession) == [true, true])
    #expect(page.authority.authorization["login_hint"] == "adele@contoso.example")
    #expect(page.model.state.outcome == "Signed in as adele@contoso.example.")
  }

  @Test("The page names the service, and requests only what the service supports")
  func words() async throws {
    let page = try foreignPage()
    #expect(page.model.state.subtitle == "Sign in to see your account")
    await page.model.callGraph()?.value
    #expect(page.model.state.subtitle == "adele@contoso.example · id.contoso.example")
    #expect(page.authority.authorization["prompt"] == nil)
    #expect(page.authority.authorization["scope"] == "email openid profile offline_access")
    page.authority.next(.api, times: 2, status: 403, "")
    page.authority.next(.api, status: 500, "")
    for _ in 1...3 { await page.model.callGraph()?.value }
    #expect(!page.log.joined().contains("Microsoft"))
    #expect(page.log.last?.contains("“id.contoso.example” is not available") == true)
  }

  @Test("Without a connection, the Explorer leads to the app")
  func explorerWithoutConnection() async throws {
    let page = try foreignPage()
    await page.model.callGraph()?.value
    let explorer = ExplorerModel(page.window)
    page.authority.next(.api) { _ throws(HTTPError) in
      throw HTTPError(.cannotConnect, host: "id.contoso.example", message: "Not reached.")
    }
    await explorer.send()?.value
    #expect(explorer.answer?.status == nil)
    #expect(explorer.answer?.failure?.correction == .edit(at: "api"))
    #expect(explorer.answer?.failure?.canTryAgain == true && explorer.state.isAnsweredNow)
    await explorer.send()?.value
    #expect(explorer.answer?.isSuccess == true)
  }

  @Test("A request of the Explorer leaves the notice of a failed call with its own way on")
  func noticeOfAnotherPage() async throws {
    let page = try foreignPage()
    await page.model.callGraph()?.value
    page.authority.next(.api) { _ throws(HTTPError) in
      throw HTTPError(.cannotConnect, host: "id.contoso.example", message: "Not reached.")
    }
    await page.model.callGraph()?.value
    #expect(page.model.state.notices.map(\.title) == ["Server Not Reachable"])
    let explorer = ExplorerModel(page.window)
    explorer.request.address = "/userinfo?x=1"
    await explorer.send()?.value
    #expect(explorer.answer?.isSuccess == true)
    #expect(page.model.state.notices.map(\.title) == ["Server Not Reachable"])
    page.authority.forget()
    AccountAction.tryAgain.perform(page.model, "")
    try await page.wait { $0.notices.isEmpty && $0.work == nil }
    await explorer.finish()
    #expect(!page.authority.calls.contains { $0.url.hasSuffix("?x=1") })
  }

  @Test("Without an API address, no address gets a token of somebody’s own service")
  func noAPI() async throws {
    let service = "https://login.contoso.example/common"
    let page = try Page(
      host: "login.contoso.example",
      connection: connection(#""authority": "\#(service)", "knownAuthorities": ["\#(service)"]"#))
    await page.window.accounts.signIn()?.value
    #expect(page.model.state.username == "adele@contoso.example")
    page.authority.forget()
    #expect(page.model.callGraph() == nil)
    let notice = try #require(page.model.state.notices.first { $0.style == .warning })
    #expect(notice.title == "Check the App")
    #expect(notice.text.hasPrefix("This app has no API address, so nothing was sent."))
    #expect(notice.buttons.map(\.action) == [.edit(at: "api"), .tryAgain])
    let explorer = ExplorerModel(page.window)
    #expect(explorer.state.service == page.window.heading.connectionName)
    for address in ["", "/me", "https://graph.microsoft.com/v1.0/me"] {
      explorer.request.address = address
      #expect(explorer.state.problem?.hasPrefix("This app has no API address") == true)
      #expect(explorer.state.correction == .edit(at: "api"))
      #expect(!explorer.state.canSend && explorer.send() == nil)
    }
    await page.model.getDeviceInformation()?.value
    #expect(page.authority.calls.isEmpty)
  }

  // MARK: - The tenant of the token

  func guestPage(_ authority: String) async throws -> Page {
    let connection = try connection("\"authority\": \"\(authority)\"")
    let page = try Page(connection: connection)
    page.authority.edit(.configuration) {
      $0["issuer"] = .string("https://login.microsoftonline.com/\(Person.fabrikam)/v2.0")
    }
    page.authority.willSignIn(.adele.asGuest(in: Person.fabrikam, objectID: "guest"))
    await page.model.callGraph()?.value
    #expect(page.model.state.username == "adele@contoso.example")
    return page
  }

  @Test("A guest sees the organization of the tenant, not of the home account")
  func guest() async throws {
    let host = "https://login.microsoftonline.com"
    var page = try await guestPage("\(host)/fabrikam.example")
    #expect(
      page.model.state.subtitle == "adele@contoso.example · fabrikam.example · Guest account")
    // Stored data contains the tenant too.
    page = try Page(
      store: page.store, authority: page.authority,
      connection: connection("\"authority\": \"\(host)/fabrikam.example\""))
    await page.window.activate()?.value
    #expect(
      page.model.state.subtitle == "adele@contoso.example · fabrikam.example · Guest account")
    page = try await guestPage("\(host)/\(Person.fabrikam)")
    #expect(page.model.state.subtitle == "adele@contoso.example · Guest account")
  }

  // MARK: - Next steps

  /// Signs in, and lets the token expire.
  func signedIn() async throws -> Page {
    let page = try Page()
    await page.model.callGraph()?.value
    page.clock.advance(by: 3600)
    _ = page.takeLog()
    return page
  }

  @Test(
    "A renewal that needs a sign-in opens the pages, whatever the error",
    arguments: [
      (400, ""), (401, "<html>"), (400, #"{"error":"invalid_request"}"#),
      (400, #"{"error":"unauthorized_client"}"#), (400, #"{"error":"invalid_scope"}"#),
      (200, "<html>"), (200, "{}"), (403, ""), (404, "not here"), (302, ""),
    ])
  func mended(status: Int, body: String) async throws {
    let page = try await signedIn()
    page.authority.next(.token, status: status, body)
    await page.model.callGraph()?.value
    #expect(page.authority.pagesShown.count == 2)
    #expect(page.authority.authorization["login_hint"] == "adele@contoso.example")
    #expect(page.takeLog().last?.hasPrefix("Result from Graph: ") == true)
    #expect(page.model.state.username == "adele@contoso.example")
    #expect(page.model.state.notices.isEmpty, "the refusal was shown only until the sign-in")
  }

  @Test("Tokens of another account or another app open the pages too")
  func otherAnswers() async throws {
    var page = try await signedIn()
    page.authority.willSignIn(.ben)
    await page.model.callGraph()?.value
    #expect(page.authority.pagesShown.count == 2)
    page = try await signedIn()
    page.authority.edit(.claims) { $0["aud"] = .string("other") }
    await page.model.callGraph()?.value
    #expect(page.authority.pagesShown.count == 2)
    #expect(
      page.takeLog().count == 2,
      "the sign-in failed like the renewal, and there is no third attempt")
  }

  @Test("An error that a sign-in cannot fix opens no pages, and names the next step")
  func advice() async throws {
    let page = try await signedIn()
    for (code, advice) in [
      (HTTPError.Code.cannotFindHost, "Check your connection, then try again."),
      (.connectionLost, "Wait a few minutes, then try again."),
      (.tlsFailure, "Check the network and the date and time of this computer, then try again."),
    ] {
      // A renewal may be retried once.
      page.authority.next(.token, times: 2) { _ throws(HTTPError) in
        throw HTTPError(code, host: "h", message: "It did not work.")
      }
      await page.model.callGraph()?.value
      page.authority.answerAsUsual(.token)
      let lines = try #require(page.takeLog().last).split(separator: "\n")
      #expect(lines.first == "Could not acquire token silently: It did not work.")
      #expect(lines.dropFirst().first?.contains(advice) == true)
    }
    #expect(page.authority.pagesShown.count == 1)
  }

  @Test("Where a person typed the service's address, an error of the network leads to the app")
  func ownService() async throws {
    let page = try Page(host: "login.contoso.example")
    for (code, advice, field) in [
      (HTTPError.Code.cannotFindHost, "the addresses in the app", "authority"),
      (.tlsFailure, "its CA file", "caFile"), (.invalidConfiguration, "It did not work.", "caFile"),
    ] {
      page.authority.next(.configuration, times: 2) { _ throws(HTTPError) in
        throw HTTPError(code, host: "login.contoso.example", message: "It did not work.")
      }
      await page.model.callGraph()?.value
      page.authority.answerAsUsual(.configuration)
      let notice = try #require(page.model.state.notices.first { $0.style == .warning })
      #expect(notice.text.contains(advice))
      #expect(page.takeLog().last?.contains(advice) == true, "the log has the words of the notice")
      let actions = notice.buttons.map(\.action)
      #expect(actions.contains(.tryAgain) && actions.contains(.edit(at: field)))
    }
  }

  @Test("Where the app has a CA file, an error of the certificate leads to that file")
  func ownCAFile() async throws {
    let service = "https://login.contoso.example/common"
    let page = try Page(
      host: "login.contoso.example",
      connection: connection(
        #""authority": "\#(service)", "knownAuthorities": ["\#(service)"], "caFile": "/tmp/ca.pem","#
          + #""api": "https://api.contoso.example/me""#))
    page.authority.next(.configuration, times: 2) { _ throws(HTTPError) in
      throw HTTPError(.tlsFailure, host: "login.contoso.example", message: "It does not match.")
    }
    await page.model.callGraph()?.value
    let notice = try #require(page.model.state.notices.first { $0.style == .warning })
    #expect(notice.text.hasPrefix("It does not match. Correct the CA file of the app, or choose"))
    let lines = try #require(page.takeLog().last).split(separator: "\n")
    #expect(lines.dropFirst().first?.hasPrefix("    Correct the CA file of the app, or") == true)
    #expect(notice.buttons.map(\.action) == [.tryAgain, .edit(at: "caFile")])
  }

  @Test("An API address with nothing there is named, and can be corrected", arguments: [404, 410])
  func nothingAtAPI(status: Int) async throws {
    let page = try foreignPage()
    await page.model.callGraph()?.value
    page.authority.next(.api, status: status, "{}")
    await page.model.callGraph()?.value
    let notice = try #require(page.model.state.notices.first { $0.style == .warning })
    #expect(notice.title == "Check the App")
    #expect(
      notice.text == "There is nothing at https://id.contoso.example/userinfo (HTTP \(status))."
        + " Check the API address of the app.")
    #expect(notice.buttons.map(\.action) == [.edit(at: "api"), .tryAgain])
    #expect(page.takeLog().last?.hasPrefix("Couldn't get graph result: \(notice.text)") == true)
    await page.model.callGraph()?.value
    #expect(!page.model.state.notices.contains { $0.style == .warning })
  }

  @Test("Where a person typed the API's address, an error of the network leads to it")
  func ownAPI() async throws {
    let page = try foreignPage()
    await page.model.callGraph()?.value
    page.authority.next(.api) { _ throws(HTTPError) in
      throw HTTPError(.cannotFindHost, host: "id.contoso.example", message: "It did not work.")
    }
    await page.model.callGraph()?.value
    let notice = try #require(page.model.state.notices.first { $0.style == .warning })
    #expect(notice.buttons.map(\.action) == [.tryAgain, .edit(at: "api")])
    let advice = "Check your connection and the addresses in the app, then try again."
    #expect(notice.text == "It did not work. \(advice)")
    #expect(
      page.takeLog().last?.hasPrefix("Couldn't get graph result: It did not work.\n    \(advice)")
        == true)
  }
}
