import AuthCore
import Connections
import CurlHTTP
import EntranceKit
import FoundationEssentials
import MicrosoftGraph
import TestSupport
import Testing

@MainActor @Suite("Ways to sign in", .timeLimit(.minutes(5)))
struct SignInWayTests {
  let authority = ScriptedAuthority()
  static let canceled = "Sign-in canceled"

  /// A desktop whose user answers in the browser.
  func desktop(_ way: SignInWay = .embedded) -> ScriptedDesktop {
    let authority = authority
    let desktop = ScriptedDesktop(authority.pages) { url in
      // The pages return to the listener, by a form.
      guard let page = try? await LoopbackClient.firstPage(at: url),
        let redirect = try? await authority.redirect(from: page)
      else { return }
      _ = await LoopbackClient.visit(redirect, byForm: true)
    }
    desktop.preferredWay = way
    return desktop
  }

  @Test(
    "The setting decides which way comes first",
    arguments: [
      (PreferredSignInWay.automatic, false, SignInWay.embedded), (.automatic, true, .browser),
      (.embedded, true, .embedded), (.browser, false, .browser), (.code, true, .code),
    ])
  func setting(_ preference: PreferredSignInWay, isUnreadable: Bool, way: SignInWay) {
    #expect(SignInWay(preference, isUnreadable: isUnreadable) == way)
  }

  @Test("The sign-in window")
  func window() async throws {
    let desktop = desktop()
    let page = try Page(authority: authority, desktop: desktop)
    await page.model.callGraph()?.value
    #expect(page.model.state.username == Person.adele.username)
    #expect(desktop.windows == 1)
    #expect(page.states.contains { $0.signIn == .embedded })
    #expect(page.model.state.signIn == nil)
  }

  @Test("A device that is refused in the browser is not sent there again")
  func refusedDevice() async throws {
    let desktop = desktop(.browser)
    let page = try Page(authority: authority, desktop: desktop)
    authority.next(
      .token, status: 400,
      #"{"error": "invalid_grant", "error_description": "AADSTS53000: Not compliant."}"#)
    await page.model.callGraph()?.value
    let notice = try #require(page.model.state.notices.first)
    #expect(notice.title == "This Device Is Not Accepted")
    #expect(!notice.text.contains("browser"))
    #expect(!notice.buttons.map(\.action).contains(.useBrowser))
  }

  @Test("The browser, by a listener")
  func browser() async throws {
    let desktop = desktop(.browser)
    let page = try Page(authority: authority, desktop: desktop)
    #expect(!page.model.state.offersWays, "the account is not known yet")
    await page.window.activate()?.value
    #expect(page.model.state.offersWays)
    await page.model.callGraph()?.value
    #expect(page.model.state.username == Person.adele.username)
    #expect(!page.model.state.offersWays)
    #expect(desktop.windows == 0)
    let hint = page.states.compactMap { state in
      if case .browser(_, let hint) = state.signIn { hint } else { nil }
    }.first
    #expect(hint?.contains("http://localhost to the app registration") == true)
    #expect(authority.authorization["redirect_uri"]?.hasPrefix("http://localhost:") == true)
  }

  @Test("The browser is said to warn about the demo's certificate")
  func demoBrowser() async throws {
    let demo = try #require(DemoConnection.parse(TestApplication.demoAnnouncement))
    let authority = ScriptedAuthority(host: "localhost:5555")
    let page = try Page(
      authority: authority, connection: demo, desktop: ScriptedDesktop(authority.pages))
    let work = page.model.signIn(by: .browser)
    let request = try await page.request()
    #expect(
      page.model.state.signIn
        == .browser(
          request,
          hint: "Your browser will warn about the demo’s certificate, which is made for this run"
            + " only; you can continue there nevertheless."))
    page.window.status.cancel()
    await work?.value
  }

  @Test("The browser, with the link that the desktop opens")
  func link() async throws {
    let desktop = ScriptedDesktop(authority.pages)
    desktop.opensRedirects = true
    let page = try Page(authority: authority, desktop: desktop)
    #expect(!page.window.tokens.resumeSignIn(with: "\(TestApplication.redirectURI)?code=c&state=s"))
    let work = page.model.signIn(by: .browser)
    let request = try await page.request()
    #expect(page.model.state.signIn == .browser(request, hint: nil))
    let redirect = try await authority.redirect(from: request.startURL)
    #expect(!page.window.tokens.resumeSignIn(with: redirect + "x"), "a forged response")
    #expect(page.window.tokens.resumeSignIn(with: redirect))
    await work?.value
    #expect(page.model.state.username == Person.adele.username)
    #expect(!page.window.tokens.resumeSignIn(with: redirect), "it is accepted once")
  }

  @Test("The user pastes the address of the last page")
  func pasted() async throws {
    let page = try Page(authority: authority, desktop: ScriptedDesktop(authority.pages))
    let work = page.model.signIn(by: .browser)
    let request = try await page.request()
    let redirect = try await authority.redirect(from: request.link)
    #expect(!page.window.tokens.resumeSignIn(with: "http://localhost/?code=c&state=s"))
    #expect(page.window.tokens.resumeSignIn(with: redirect))
    await work?.value
    #expect(page.model.state.username == Person.adele.username)
  }

  @Test("The link for another browser has the response in the last page's address")
  func linkForAnotherBrowser() throws {
    let request = WebAuthenticationRequest(
      startURL: "https://login.example/authorize?response_mode=form_post&state=s",
      redirectURI: try RedirectURI("http://localhost:1234"))
    #expect(request.link == "https://login.example/authorize?response_mode=query&state=s")
  }

  @Test("A code")
  func code() async throws {
    let page = try Page(authority: authority, desktop: desktop(.code))
    await page.model.callGraph()?.value
    #expect(page.model.state.username == Person.adele.username)
    #expect(authority.pagesShown.isEmpty)
    #expect(page.shownCode?.userCode == "BPPVYQZMA")
    #expect(page.states.contains { $0.signIn == .code(nil) })
  }

  @Test("While the service cannot be reached, the code is shown with that")
  func outage() async throws {
    let page = try Page(authority: authority, desktop: desktop(.code))
    authority.next(.token, times: 2) { [host = authority.host] _ throws(HTTPError) in
      throw HTTPError(.cannotConnect, host: host, message: "There is no connection.")
    }
    authority.next(.token, status: 400, "{\"error\": \"authorization_pending\"}")
    await page.model.callGraph()?.value
    let code = try #require(page.shownCode)
    var steps: [SignInStep] = []
    for step in page.states.compactMap(\.signIn) where step != steps.last { steps.append(step) }
    #expect(steps == [.code(nil), .code(code), .unreachable(code), .code(code)])
    #expect(page.model.state.username == Person.adele.username)
  }

  @Test("The time that a code has left")
  func timeLeft() async throws {
    let page = try Page(authority: authority, desktop: desktop(.code))
    await page.model.callGraph()?.value
    let code = try #require(page.shownCode)
    #expect(code.timeLeft(at: code.expiresOn - 4005) == "1:06:45")
    #expect(code.timeLeft(at: code.expiresOn - 900) == "15:00")
    #expect(code.timeLeft(at: code.expiresOn - 64.5) == "1:05")
    #expect(code.timeLeft(at: code.expiresOn) == "0:00")
    #expect(code.timeLeft(at: .distantFuture) == "0:00")
    #expect(code.secondsLeft(at: code.expiresOn - 0.1) == 1)
  }

  @Test(
    "An expired or declined code is replaced when the user asks for it",
    // RFC 8628, section 3.5, and Microsoft's own name.
    arguments: [
      ("expired_token", SignInStep.expiredCode), ("access_denied", SignInStep.declinedCode),
      ("authorization_declined", SignInStep.declinedCode),
    ])
  func replaced(answer: String, step: SignInStep) async throws {
    let page = try Page(authority: authority, desktop: desktop(.code))
    authority.next(.token, status: 400, "{\"error\": \"\(answer)\"}")
    let work = page.model.callGraph()
    try await page.wait { $0.signIn == step }
    page.model.signIn(by: .code)
    await work?.value
    #expect(page.model.state.username == Person.adele.username)
    #expect(authority.count(.deviceCode) == 2)
  }

  @Test("An expired code can be given up")
  func expiredAndCanceled() async throws {
    let page = try Page(authority: authority, desktop: desktop(.code))
    authority.next(.token, status: 400, "{\"error\": \"expired_token\"}")
    let work = page.model.callGraph()
    try await page.wait { $0.signIn == .expiredCode }
    page.window.status.cancel()
    await work?.value
    #expect(page.takeLog().first?.hasPrefix(Self.canceled) == true)
    #expect(page.toasts.isEmpty && page.model.state.outcome?.hasPrefix(Self.canceled) == true)
  }

  @Test("When a declined code is given up, the log has the words of the service")
  func declinedAndCanceled() async throws {
    let page = try Page(authority: authority, desktop: desktop(.code))
    authority.next(
      .token, status: 400,
      #"{"error": "authorization_declined", "error_description": "A rule of Contoso."}"#)
    let work = page.model.callGraph()
    try await page.wait { $0.signIn == .declinedCode }
    page.window.status.cancel()
    await work?.value
    #expect(page.model.state.signIn == nil && page.model.state.work == nil)
    #expect(
      page.log.contains {
        $0.contains("Could not acquire token: The sign-in on the other device was declined.")
          && $0.contains("A rule of Contoso.")
      })
  }

  @Test("The user changes the way in the sign-in window, and again in the dialog")
  func handOver() async throws {
    let desktop = ScriptedDesktop(authority.closedPages)
    desktop.useWindow = { $0(.browser) }
    let page = try Page(authority: authority, desktop: desktop)
    let work = page.model.callGraph()
    _ = try await page.request()
    page.model.signIn(by: .code)
    await work?.value
    #expect(page.model.state.username == Person.adele.username)
    #expect(!page.log.contains { $0.contains("Could not acquire token") })
    #expect(page.toasts.isEmpty)
  }

  @Test("A cancellation ends any way", arguments: [SignInWay.browser, .code])
  func canceled(_ way: SignInWay) async throws {
    let page = try Page(authority: authority, desktop: ScriptedDesktop(authority.pages))
    authority.next(.token) { _ in
      try? await Task.sleep(for: .seconds(60))
      return .make(400, "{\"error\": \"authorization_pending\"}")
    }
    let work = page.model.signIn(by: way)
    try await page.wait { state in
      switch state.signIn {
      case .browser, .code(.some): true
      default: false
      }
    }
    page.window.status.cancel()
    await work?.value
    let log = page.takeLog()
    #expect(log.first?.hasPrefix(Self.canceled) == true, "\(log)")
    #expect(page.toasts.isEmpty && page.model.state.outcome?.hasPrefix(Self.canceled) == true)
    #expect(page.model.state.work == nil)
    #expect(page.model.state.signIn == nil)
    #expect(page.model.state.notices.isEmpty)
  }

  @Test("When the pages cannot be shown, a notice offers the other ways")
  func otherWays() async throws {
    let broken = ScriptedPages { _ throws(AuthenticationError) in
      throw AuthenticationError(.webAuthenticationFailed, "There are no pages.")
    }
    let page = try Page(authority: authority, desktop: ScriptedDesktop(broken))
    await page.model.callGraph()?.value
    let notice = try #require(page.model.state.notices.first)
    #expect(notice.text == "There are no pages.")
    #expect(notice.buttons.map(\.action) == [.tryAgain, .useBrowser, .useCode])
    #expect(!page.takeLog().contains { $0.contains("entrancectl") })
    await page.model.signIn(by: .code)?.value
    #expect(page.model.state.username == Person.adele.username)
    #expect(page.model.state.notices.isEmpty)
    #expect(authority.count(.api) == 0, "it only signs in, like Sign In")
  }

  @Test("When the service has no codes, a notice offers the other ways, and not the same again")
  func noCodes() async throws {
    authority.edit(.configuration) { $0["device_authorization_endpoint"] = nil }
    let page = try Page(authority: authority, desktop: desktop())
    await page.model.signIn(by: .code)?.value
    let notice = try #require(page.model.state.notices.first)
    #expect(notice.title == "Codes Are Not Supported")
    #expect(notice.text.contains("does not support sign-in with a device code"))
    #expect(notice.buttons.map(\.action) == [.useWindow, .useBrowser])
    await page.model.signIn(by: .embedded)?.value
    #expect(page.model.state.username == Person.adele.username)
    #expect(page.model.state.notices.isEmpty)
  }

  @Test("The computer's identity broker is shown, and canceled, like the other ways")
  func broker() async throws {
    let page = try Page(
      authority: authority, broker: OpenWindowBroker(), desktop: ScriptedDesktop(authority.pages))
    let work = page.model.callGraph()
    try await page.wait { $0.signIn == .broker }
    page.window.status.cancel()
    await work?.value
    #expect(page.takeLog().first?.hasPrefix(Self.canceled) == true)
    #expect(page.model.state.outcome?.hasPrefix(Self.canceled) == true)
    #expect(page.toasts.isEmpty)
    #expect(authority.pagesShown.isEmpty)
  }
}
