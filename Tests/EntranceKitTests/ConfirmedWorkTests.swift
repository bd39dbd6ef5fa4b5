import AuthCore
import CurlHTTP
import TestSupport
import Testing

@testable import EntranceKit

/// What a person confirms while the window works: it is done, or it is said why not.
@MainActor @Suite("What is confirmed while the window works", .timeLimit(.minutes(5)))
struct ConfirmedWorkTests {
  @Test("A sign-out that is confirmed ends a renewal, and comes after it")
  func duringRenewal() async throws {
    let page = try await SignOutTests().page()
    let tokens = TokensModel(page.window)
    let (sent, isSent) = AsyncStream<Void>.makeStream()
    let (gate, opening) = AsyncStream<Void>.makeStream()
    page.authority.next(.token) { [authority = page.authority] call in
      isSent.yield()
      for await _ in gate {}
      return authority.usualReply(to: call)
    }
    let renewal = tokens.renew()
    for await _ in sent { break }
    #expect(page.model.state.work == .renewingTokens && page.model.state.canSignOut)
    let signOut = try #require(page.model.signOut.signOut())
    opening.finish()
    await renewal?.value
    await signOut.value
    #expect(page.model.state.username == nil && page.store.records.isEmpty)
    #expect(page.toasts.last == "Signed out")
  }

  @Test("Clear All Data ends a call of the API, and comes after it")
  func clearDuringCall() async throws {
    let page = try await SignOutTests().page()
    let sent = page.authority.hangNext(.api)
    let call = page.model.callGraph()
    for await _ in sent { break }
    let clearing = try #require(page.window.storage.clearAllData())
    await call?.value
    await clearing.value
    #expect(page.model.state.username == nil && page.store.records.isEmpty)
    #expect(page.log == ["All data was cleared."])
  }

  @Test("Work that is confirmed during a sign-in is not done, and the user is told")
  func duringSignIn() async throws {
    let authority = ScriptedAuthority()
    let holds = LockedValue(false)
    let (shown, isShown) = AsyncStream<Void>.makeStream()
    let open = authority.pages
    let pages = ScriptedPages { request throws(AuthenticationError) in
      guard holds.withLock({ $0 }) else { return try await open.authenticate(request) }
      isShown.yield()
      for await _ in AsyncStream<Void>.makeStream().stream { break }
      throw AuthenticationError(.userCanceled, "The sign-in was canceled.")
    }
    let page = try await SignOutTests().page(pages: pages, authority: authority)
    holds.withLock { $0 = true }
    let signIn = page.window.accounts.add()
    for await _ in shown { break }
    #expect(!page.model.state.canStartConfirmed)
    #expect(page.model.signOut.signOut() == nil)
    #expect(page.model.signOut.signOutAll(.thisApp, []) == nil)
    #expect(page.window.storage.clearAllData() == nil)
    #expect(
      page.toasts == Array(repeating: "Finish or cancel the other sign-in first.", count: 3))
    #expect(page.window.status.obstacle == page.toasts.last)
    #expect(page.model.state.username != nil && page.store.records.count == 1)
    page.window.status.cancel()
    await signIn?.value
    #expect(page.window.status.obstacle == nil)
  }

  @Test("The process waits for what is confirmed, also after the window is closed")
  func waitsForConfirmedWork() async throws {
    let page = try await SignOutTests().page()
    let status = page.window.status
    let (gate, opening) = AsyncStream<Void>.makeStream()
    let started = status.startConfirmed(.signingOut) { for await _ in gate {} }
    let work = try #require(started)
    page.window.close()
    #expect(status.unfinished != nil && !work.isCancelled)
    opening.finish()
    await work.value
    #expect(status.unfinished == nil)
  }

  /// Confirms a sign-out with `signOut`, closes the window while the store works, and waits for the
  /// end.
  private func closeWindow(
    of page: Page, during signOut: @MainActor (SignOutModel) -> Task<Void, Never>?
  ) async throws {
    let (begun, isBegun) = AsyncStream<Void>.makeStream()
    let (gate, opening) = AsyncStream<Void>.makeStream()
    page.store.hold { _ in
      isBegun.yield()
      for await _ in gate {}
    }
    let work = try #require(signOut(page.model.signOut))
    for await _ in begun { break }
    page.window.close()
    opening.finish()
    await work.value
  }

  @Test("A window that is closed while accounts are signed out leaves none of them")
  func closedDuringSignOutOfAll() async throws {
    let page = try await SignOutTests().page()
    page.authority.willSignIn(.ben)
    await page.window.accounts.add()?.value
    #expect(page.store.records.count == 2)
    try await closeWindow(of: page) { $0.signOutAll(.thisApp, []) }
    #expect(page.store.records.isEmpty)
  }

  @Test("A window that is closed while the store is read for a sign-out does not stop it")
  func closedDuringReading() async throws {
    let page = try await SignOutTests().page()
    page.store.markChanged()
    try await closeWindow(of: page) { $0.signOut() }
    #expect(page.store.records.isEmpty)
  }

  @Test("A sign-out page goes with its window; only what comes after it is waited for")
  func closedDuringPage() async throws {
    let authority = ScriptedAuthority()
    let (open, until) = (authority.pages, ScriptedPages.untilCanceled())
    let isSignedIn = LockedValue(false)
    let pages = ScriptedPages { request throws(AuthenticationError) in
      let pages = isSignedIn.withLock { $0 } ? until.pages : open
      return try await pages.authenticate(request)
    }
    let page = try await SignOutTests().page(pages: pages, authority: authority)
    isSignedIn.withLock { $0 = true }
    let signOut = try #require(page.model.signOut.signOut(.signInPage))
    for await _ in until.shown { break }
    let status = page.window.status
    #expect(status.unfinished == nil)
    page.window.close()
    #expect(status.unfinished != nil)
    await signOut.value
    #expect(status.unfinished == nil && page.store.records.isEmpty)
  }
}
