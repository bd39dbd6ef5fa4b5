import AuthCore
import CurlHTTP
import EntranceKit
import TestSupport
import Testing

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
    #expect(page.toasts.last == "Sign out completed successfully")
  }

  @Test("Clear All Data ends a call of the API, and comes after it")
  func clearDuringCall() async throws {
    let page = try await SignOutTests().page()
    let (sent, isSent) = AsyncStream<Void>.makeStream()
    page.authority.next(.api) { [authority = page.authority] _ throws(HTTPError) in
      isSent.yield()
      // Ends when the request is canceled.
      for await _ in AsyncStream<Void>.makeStream().stream {}
      throw HTTPError(.cancelled, host: authority.host, message: "Canceled.")
    }
    let call = page.model.callGraph()
    for await _ in sent { break }
    let clearing = try #require(page.window.storage.clearAllData())
    await call?.value
    await clearing.value
    #expect(page.model.state.username == nil && page.store.records.isEmpty)
    #expect(page.log == ["All data was cleared."])
  }

  @Test("What is confirmed during a sign-in is not done, which is said")
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
}
