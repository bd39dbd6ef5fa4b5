import AuthCore
import EntranceKit
import FoundationEssentials
import TestSupport
import Testing

@MainActor @Suite("The Tokens page")
struct TokensTests {
  /// A page on which somebody signed in.
  private func signedIn(showsFor: Duration = .seconds(30)) async throws -> (Page, TokensModel) {
    let page = try Page()
    let model = TokensModel(page.window, showsFor: showsFor)
    await page.model.callGraph()?.value
    await model.finishReading()
    return (page, model)
  }

  private func facts(_ card: TokenCard) -> [String] {
    card.facts.map { "\($0.title): \($0.text) (\($0.verdict))" }
  }

  @Test("Without an account there is nothing, and signing in fills the page")
  func signIn() async throws {
    let page = try Page()
    let model = TokensModel(page.window)
    await page.window.activate()?.value
    #expect(model.state.isKnown && model.state.account == nil && model.state.cards.isEmpty)
    #expect(model.state.canStart)
    await model.signIn()?.value
    await model.finishReading()
    #expect(model.state.account == "adele@contoso.example")
    #expect(model.state.cards.map(\.id) == [.access(0), .id])
    #expect(model.state.hasRefreshToken)
  }

  @Test("Accounts that cannot be read are not shown as missing")
  func unavailable() async throws {
    let page = try Page()
    let model = TokensModel(page.window)
    #expect(model.state.loadState == .loading && !model.state.isKnown)
    page.store.fail(.load)
    await page.window.activate()?.value
    #expect(model.state.loadState == .unavailable && model.state.account == nil)
    page.store.fail()
    await page.window.storage.unlock()?.value
    #expect(model.state.loadState == .known)
  }

  @Test("An ID token says whose it is, who checked it and what is in it")
  func idToken() async throws {
    let (_, model) = try await signedIn()
    let card = try #require(model.state.cards.last)
    #expect(card.title == "ID Token")
    #expect(
      facts(card) == [
        "Account: Belongs to adele@contoso.example, issued to this app by the account’s tenant"
          + " (good)",
        "Signature: Verified with the sign-in service’s keys (good)",
      ])
    #expect(card.reading.token?["preferred_username"]?.text == "adele@contoso.example")
    #expect(card.expiryText(at: model.now)?.hasPrefix("in ") == true)
  }

  @Test("An opaque access token is called so, with the permissions that were granted")
  func opaque() async throws {
    let (_, model) = try await signedIn()
    let card = try #require(model.state.cards.first)
    #expect(card.title == "Access Token" && card.subtitle == "For graph.microsoft.com")
    #expect(card.reading.content == .opaque)
    #expect(card.permissions.first?.name == "User.Read")
    #expect(card.permissions.first?.words.map { "\($0)" } == "Read the user’s profile")
    #expect(!card.preview.contains("canary"))
  }

  @Test("Looking at the page sends nothing")
  func silence() async throws {
    let (page, model) = try await signedIn()
    let count = page.authority.calls.count
    model.update()
    model.reveal(.access(0))
    _ = model.secret(of: .id)
    let another = TokensModel(page.window)
    await another.finishReading()
    #expect(another.state.cards == model.state.cards)
    #expect(page.authority.calls.count == count)
  }

  @Test("A token is shown for a while, and until the page is left or the tokens change")
  func reveal() async throws {
    let (page, model) = try await signedIn(showsFor: .milliseconds(20))
    model.reveal(.access(7))
    #expect(model.state.revealed == nil)
    model.reveal(.access(0))
    #expect(model.state.revealed == .access(0))
    while model.state.revealed != nil { try await Task.sleep(for: .milliseconds(5)) }
    let (_, slow) = try await signedIn()
    slow.reveal(.id)
    slow.hide()
    #expect(slow.state.revealed == nil)
    await page.model.signOut.signOut()?.value
    #expect(model.state.cards.isEmpty && model.secret(of: .access(0)) == nil)
  }

  @Test("Renewing replaces the tokens, also while the cached ones are valid")
  func renew() async throws {
    let (page, model) = try await signedIn()
    let old = try #require(model.secret(of: .access(0)))
    let renewal = model.renew()
    #expect(model.state.isRenewing && !model.state.canStart)
    await renewal?.value
    #expect(!model.state.isRenewing)
    await model.finishReading()
    let new = try #require(model.secret(of: .access(0)))
    #expect(new != old)
    #expect(page.model.state.notices.isEmpty)
    #expect(page.toasts == ["Tokens renewed"])
  }

  @Test("A request of the Explorer is sent with the tokens of a renewal in progress")
  func renewAndSend() async throws {
    let (page, model) = try await signedIn()
    let explorer = ExplorerModel(page.window)
    let renewal = model.renew()
    #expect(model.state.isRenewing && explorer.state.canSend)
    await explorer.send()?.value
    #expect(renewal != nil && !model.state.isRenewing && explorer.answer?.isSuccess == true)
    #expect(page.toasts == ["Tokens renewed"])
    #expect(page.lastAuthorization == "Bearer access-canary-2")
  }

  @Test("A request of the Explorer waits for no sign-out")
  func signOutAndSend() async throws {
    let (page, model) = try await signedIn()
    let explorer = ExplorerModel(page.window)
    let signOut = page.model.signOut.signOut()
    #expect(!model.state.canStart && !explorer.state.canSend)
    await signOut?.value
    #expect(explorer.answer == nil && explorer.state.account == nil)
  }

  @Test("A renewal that fails says why, and the old tokens stay")
  func failure() async throws {
    let (page, model) = try await signedIn()
    let old = model.secret(of: .access(0))
    page.authority.next(.token, times: 2, status: 400, #"{"error": "invalid_request"}"#)
    await model.renew()?.value
    let notice = try #require(page.model.state.notices.first)
    #expect(notice.buttons.map(\.action) == [.tryAgain])
    #expect(model.secret(of: .access(0)) == old)
    // What is tried again is the renewal, and not a call of the API.
    let calls = page.authority.count(.api)
    AccountAction.tryAgain.perform(page.model, "")
    await page.window.status.finishWork()
    await model.finishReading()
    #expect(model.secret(of: .access(0)) != old && page.authority.count(.api) == calls)
    #expect(page.toasts == ["Tokens renewed"] && page.model.state.notices.isEmpty)
  }

  @Test("Times count down by the clock, and an expired token says so")
  func times() async throws {
    let (page, model) = try await signedIn()
    let card = try #require(model.state.cards.first)
    let end = try #require(card.expiresOn)
    page.clock.advance(by: end.timeIntervalSince(model.now) - 90)
    #expect(card.expiryText(at: model.now) == "in 1 minute")
    page.clock.advance(by: 90 + 7200)
    #expect(card.expiryText(at: model.now) == "Expired 2 hours ago")
    #expect(card.hasExpired(at: model.now))
  }
}
