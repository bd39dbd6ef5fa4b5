import AuthCore
import Connections
import CurlHTTP
import EntranceKit
import FoundationEssentials
import HTTPTypes
import MicrosoftGraph
import TestSupport
import Testing

@MainActor @Suite("The account page")
struct AccountModelTests {
  static let shortened = "…[15 characters hidden]"

  // MARK: - The tutorial

  @Test("Sign in, call Graph, call it again, sign out: the tutorial's messages")
  func tutorial() async throws {
    let page = try Page()
    #expect(page.model.state.username == nil)
    #expect(!page.model.state.canSignOut)

    await page.window.activate()?.value
    #expect(page.takeLog() == ["Account signed out. Updating UX"])

    await page.model.callGraph()?.value
    #expect(
      page.takeLog() == [
        "Access token is \(Self.shortened)",
        "Result from Graph: {\n  \"displayName\": \"Adele Vance\",\n  \"id\": 1\n}",
      ])
    #expect(page.model.state.username == "adele@contoso.example")
    #expect(page.model.state.displayName == "Adele Vance")
    #expect(page.model.state.subtitle.hasPrefix("adele@contoso.example · Work "))
    #expect(page.model.state.canSignOut)
    #expect(page.authority.authorization["prompt"] == "select_account")
    #expect(page.authority.authorization["scope"] == "User.Read openid profile offline_access")

    await page.model.callGraph()?.value
    #expect(page.takeLog().first == "Access token is \(Self.shortened)")
    #expect(page.authority.pagesShown.count == 1)
    #expect(page.authority.count(.api) == 2)

    await page.model.signOut.signOut()?.value
    #expect(page.takeLog() == ["Sign out completed successfully"])
    #expect(page.model.state.username == nil)
    #expect(!page.model.state.canSignOut)
    #expect(page.store.records.isEmpty)
  }

  /// Control characters that start a new line, color a terminal, delete text or reverse its
  /// direction.
  static let hostile = "\r\n2026-11-21 FORGED\u{1B}[31m\u{0}\u{9B}2K\u{2028}\u{202E}moc"
  static let shown =
    #"\u{d}\u{a}2026-11-21 FORGED\u{1b}[31m\u{0}\u{9b}2K\u{2028}\u{202e}moc"#

  @Test("Names and Graph errors cannot fake another line or label")
  func forgery() async throws {
    let page = try Page()
    var person = Person.adele
    person.username = "adele@contoso.example" + Self.hostile
    person.name = "Adele" + Self.hostile
    page.authority.willSignIn(person)
    let message = JSON.string("M" + Self.hostile).compactText
    page.authority.next(.api, status: 400, #"{"error": {"code": "C", "message": \#(message)}}"#)
    await page.model.callGraph()?.value
    #expect(page.model.state.username == "adele@contoso.example" + Self.shown)
    #expect(page.model.state.displayName == "Adele" + Self.shown)
    #expect(page.model.state.accountText == "Adele" + Self.shown)
    #expect(page.model.state.subtitle.contains(Self.shown))
    let lines = page.takeLog().flatMap { $0.split(separator: "\n") }
    #expect(lines.contains { $0 == "    Server: M" + Self.shown })
    #expect(!lines.contains { $0.hasPrefix("2026") })
    await page.model.signOut.signOut()?.value
    page.authority.willSignIn(person)
    await page.model.callGraph()?.value
    for text in page.takeLog() {
      let isPlain = text.unicodeScalars.allSatisfy {
        $0 == "\n" || ![.control, .format, .lineSeparator].contains($0.properties.generalCategory)
      }
      #expect(isPlain)
    }
  }

  @Test("The next start finds the account")
  func nextStart() async throws {
    let store = ScriptedStore()
    try await Page(store: store).model.callGraph()?.value
    let page = try Page(store: store)
    await page.window.activate()?.value
    #expect(
      page.takeLog() == [
        "Found a signed in account adele@contoso.example. Updating data for that account..."
      ])
    #expect(page.model.state.username == "adele@contoso.example")
    // Coming to the foreground again logs nothing new.
    await page.window.activate()?.value
    #expect(page.takeLog().isEmpty)
  }

  @Test("A notice is shown while the keyring waits for the user", .timeLimit(.minutes(5)))
  func waiting() async throws {
    let page = try Page()
    let (gate, opening) = AsyncStream<Void>.makeStream()
    page.store.hold { _ in for await _ in gate {} }
    let load = page.window.activate()
    while page.model.state.notices.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
    #expect(
      page.model.state.notices.map(\.text) == [
        "Waiting for your accounts. The keyring may be asking for its password."
      ])
    opening.finish()
    await load?.value
    #expect(page.model.state.notices.isEmpty)
    #expect(page.takeLog() == ["Account signed out. Updating UX"])
  }

  @Test("A personal account has no organization")
  func personal() async throws {
    let page = try Page()
    page.authority.willSignIn(.megan)
    await page.model.callGraph()?.value
    #expect(page.model.state.subtitle == "megan@outlook.example · Personal account")
  }

  @Test("When a refresh requires interaction, the pages open for that account")
  func interactionRequired() async throws {
    let page = try Page()
    await page.model.callGraph()?.value
    page.clock.advance(by: 3600)
    page.authority.next(
      .token, status: 400,
      "{\"error\":\"interaction_required\",\"claims\":\"{\\\"id_token\\\":{\\\"acr\\\":null}}\"}")
    _ = page.takeLog()
    await page.model.callGraph()?.value
    #expect(page.takeLog().first == "Access token is \(Self.shortened)")
    #expect(page.authority.pagesShown.count == 2)
    #expect(page.authority.authorization["login_hint"] == "adele@contoso.example")
    #expect(page.authority.authorization["prompt"] == nil)
    #expect(page.authority.authorization["claims"] == "{\"id_token\":{\"acr\":null}}")
  }

  @Test("Device info uses the tutorial's messages")
  func device() async throws {
    let page = try Page()
    await page.model.getDeviceInformation()?.value
    let lines = try #require(page.takeLog().first).split(separator: "\n")
    #expect(lines.first == "Received device info. Device is in the private mode.")
    #expect(page.authority.calls.isEmpty)
  }

  // MARK: - Errors

  @Test("A canceled sign-in changes nothing")
  func givenUp() async throws {
    let authority = ScriptedAuthority()
    let page = try Page(authority: authority, pages: authority.closedPages)
    await page.model.callGraph()?.value
    let line = try #require(page.takeLog().first)
    #expect(line.hasPrefix("Sign-in canceled\n"))
    #expect(line.contains("Correlation ID: "))
    #expect(page.model.state.username == nil)
    #expect(page.authority.count(.api) == 0)
    #expect(page.model.state.canStart)
  }

  @Test("A failed renewal is logged, and opens no pages")
  func silentFailure() async throws {
    let page = try Page()
    await page.model.callGraph()?.value
    page.clock.advance(by: 3600)
    page.authority.next(.token, times: 2, status: 503, "")
    _ = page.takeLog()
    await page.model.callGraph()?.value
    let log = page.takeLog()
    #expect(log.count == 1)
    #expect(log.first?.hasPrefix("Could not acquire token silently: Microsoft’s sign-in") == true)
    #expect(log.first?.contains("\n    HTTP status: 503") == true)
    #expect(page.authority.pagesShown.count == 1)
    #expect(page.model.state.username == "adele@contoso.example")
  }

  @Test("A Graph error is logged with its sentence and details")
  func graphError() async throws {
    let page = try Page()
    page.authority.next(
      .api, times: 2, status: 401, "{\"error\":{\"code\":\"InvalidAuthenticationToken\"}}")
    await page.model.callGraph()?.value
    let line = try #require(page.takeLog().last)
    #expect(line.hasPrefix("Couldn't get graph result: Microsoft Graph did not accept the token"))
    #expect(line.contains("\n    Error: InvalidAuthenticationToken"))
  }

  @Test("A token that Graph rejects is renewed, once, without pages")
  func revokedToken() async throws {
    let page = try Page()
    page.authority.next(.api, status: 401, "{\"error\":{\"code\":\"InvalidAuthenticationToken\"}}")
    await page.model.callGraph()?.value
    let log = page.takeLog()
    #expect(log.count == 3)
    #expect(log.dropFirst().first == "Refreshed Access token is \(Self.shortened)")
    #expect(log.last?.hasPrefix("Result from Graph: ") == true)
    #expect(page.authority.count(.api) == 2)
    #expect(page.authority.pagesShown.count == 1)
  }

  @Test("A claims challenge is answered with a new token, or else on the pages")
  func claimsChallenge() async throws {
    let page = try Page()
    await page.model.callGraph()?.value
    _ = page.takeLog()
    // {"access_token":{"acrs":{"essential":true,"value":"c1"}}}, base64 without its padding
    let claims = "eyJhY2Nlc3NfdG9rZW4iOnsiYWNycyI6eyJlc3NlbnRpYWwiOnRydWUsInZhbHVlIjoiYzEifX19"
    page.authority.next(.api) { _ in
      var reply = HTTPReply(response: HTTPResponse(status: .unauthorized))
      reply.response.headerFields[.wwwAuthenticate] =
        "Bearer realm=\"\", error=\"insufficient_claims\", claims=\"\(claims)\""
      return reply
    }
    page.authority.next(.token, status: 400, "{\"error\":\"interaction_required\"}")
    await page.model.callGraph()?.value
    let asked = "{\"access_token\":{\"acrs\":{\"essential\":true,\"value\":\"c1\"}}}"
    #expect(page.authority.authorization["claims"] == asked)
    #expect(page.authority.authorization["login_hint"] == "adele@contoso.example")
    #expect(page.takeLog().last?.hasPrefix("Result from Graph: ") == true)
    #expect(page.authority.pagesShown.count == 2)
  }

  @Test(
    "A Graph response that is not JSON is logged", arguments: ["", "{\"a\":1,\"a\":2}"])
  func graphNoJSON(body: String) async throws {
    let page = try Page()
    page.authority.next(.api, status: 200, body)
    await page.model.callGraph()?.value
    #expect(page.takeLog().last == "Couldn't deserialize result JSON")
  }

  @Test("A sign-out that fails in the store is logged, and the page shows the account")
  func signOutFails() async throws {
    let page = try Page()
    await page.model.callGraph()?.value
    _ = page.takeLog()
    page.store.fail(.delete)
    await page.model.signOut.signOut()?.value
    let line = try #require(page.takeLog().first)
    #expect(
      line.hasPrefix(
        "Couldn't sign out account with error: The store of this test is locked.\n"))
    #expect(page.model.state.username == nil)
    #expect(page.model.state.notices.map(\.id) == ["storage", "sign-out"])
  }

  @Test("Redirects from outside are ignored, and logged once")
  func unsolicited() throws {
    let page = try Page()
    for _ in 0..<100 { page.window.handleUnsolicited() }
    #expect(page.takeLog() == ["Ignored a sign-in response from outside this window"])
    #expect(page.authority.calls.isEmpty)
  }

  // MARK: - Tokens in the log

  @Test("Tokens are shortened until the user shows them, and again afterwards")
  func fullTokens() async throws {
    let page = try Page()
    await page.model.callGraph()?.value
    #expect(page.log.first == "Access token is \(Self.shortened)")
    page.model.log.setShowsFullTokens(true)
    #expect(page.log.first == "Access token is access-canary-1")
    #expect(page.log.count == 2)
    await page.model.callGraph()?.value
    #expect(page.log[2] == "Access token is access-canary-1")
    page.model.log.setShowsFullTokens(false)
    #expect(!page.log.joined().contains("canary"))
    #expect(page.log.count == 4)
  }

  @Test("Signing out removes all tokens from the log, shown or not", arguments: [true, false])
  func signedOutTokens(isShown: Bool) async throws {
    let page = try Page()
    page.model.log.setShowsFullTokens(isShown)
    await page.model.callGraph()?.value
    #expect(page.log[0].contains("access-canary-1") == isShown)
    await page.model.signOut.signOut()?.value
    page.model.log.setShowsFullTokens(!isShown)
    #expect(page.log[0] == "Access token is \(Self.shortened)")
  }

  @Test("Of a JWT the start of the header is shown, of other tokens nothing")
  func shortenedTokens() async throws {
    let page = try Page()
    let jwt = ScriptedAuthority.jwt(["alg": .string("RS256")], ["sub": .string("canary")])
    page.authority.edit(.tokens) { $0["access_token"] = .string(jwt) }
    await page.model.callGraph()?.value
    #expect(
      page.log.first == "Access token is \(jwt.prefix(8))…[\(jwt.count) characters hidden]")
    page.authority.edit(.tokens) { $0["access_token"] = .string("eyOpaqueToken") }
    page.clock.advance(by: 3600)
    await page.model.callGraph()?.value
    #expect(page.log[2] == "Refreshed Access token is …[13 characters hidden]")
  }

  @Test("A cleared log stays empty")
  func clear() async throws {
    let page = try Page()
    await page.model.callGraph()?.value
    page.model.log.clear()
    #expect(page.log.isEmpty)
    page.model.log.setShowsFullTokens(true)
    #expect(page.log.isEmpty)
  }

  // MARK: - One thing at a time

  @Test("While work is in progress nothing else starts; it can be canceled")
  func oneAtATime() async throws {
    let (pages, shown) = ScriptedPages.untilCanceled()
    let page = try Page(pages: pages)
    let work = page.model.callGraph()
    for await _ in shown { break }
    #expect(page.model.state.work == .signingIn)
    #expect(!page.model.state.canStart && !page.model.state.canSignOut)
    #expect(page.model.callGraph() == nil)
    #expect(page.model.getDeviceInformation() == nil)
    #expect(page.window.activate() == nil)
    page.window.status.cancel()
    await work?.value
    #expect(page.model.state.work == nil)
    #expect(page.takeLog().first?.hasPrefix("Sign-in canceled") == true)
    // Afterwards, everything works as before.
    await page.model.getDeviceInformation()?.value
    #expect(page.takeLog().count == 1)
  }

  @Test("A click while the accounts are being read is not lost")
  func clickDuringLoad() async throws {
    let store = ScriptedStore()
    let (loading, isLoading) = AsyncStream<Void>.makeStream()
    let (release, isReleased) = AsyncStream<Void>.makeStream()
    store.hold { operation in
      guard operation == .load else { return }
      isLoading.yield()
      for await _ in release { break }
    }
    let page = try Page(store: store)
    let load = page.window.activate()
    for await _ in loading { break }
    #expect(page.model.state.canStart)
    let work = try #require(page.model.callGraph())
    isReleased.finish()
    await load?.value
    await work.value
    #expect(page.model.state.username == "adele@contoso.example")
    #expect(page.model.state.work == nil)
  }

  @Test("Without an account, signing out is not possible")
  func signOutNobody() throws {
    #expect(try Page().model.signOut.signOut() == nil)
  }

  @Test("Observers get a state once, and only if it has changed")
  func states() async throws {
    let page = try Page()
    await page.model.callGraph()?.value
    #expect(zip(page.states, page.states.dropFirst()).allSatisfy { $0 != $1 })
    #expect(page.states.first?.work == .callingGraph)
    #expect(page.states.last?.work == nil)
  }

  // MARK: - Notices

  @Test("The demo has a notice, and another local service has none")
  func demo() throws {
    let demo = try #require(DemoConnection.parse(TestApplication.demoAnnouncement))
    let page = try Page(connection: demo)
    #expect(page.model.state.notices.map(\.id) == ["demo"])
    #expect(
      page.model.state.notices.first?.text
        == "This is a demo. The accounts are made up, and no data leaves this computer.")
    #expect(try Page(host: "localhost:5555").model.state.notices.isEmpty)
  }

  @Test("A store failure has a notice until it is over")
  func storage() async throws {
    let page = try Page()
    page.store.fail(.load)
    await page.window.activate()?.value
    #expect(page.model.state.notices.map(\.style) == [.warning])
    #expect(page.model.state.notices.first?.text == "The store of this test is locked.")
    await page.model.callGraph()?.value
    #expect(page.model.state.username == "adele@contoso.example")
    #expect(page.model.state.notices.count == 1)
    page.store.fail()
    await page.window.activate()?.value
    #expect(page.model.state.notices.isEmpty)
    #expect(page.store.records.count == 1)
  }
}
