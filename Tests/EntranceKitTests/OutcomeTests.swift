import CurlHTTP
import AuthCore
import EntranceKit
import TestSupport
import Testing

@Suite("The status line")
@MainActor
struct OutcomeTests {
  @Test("The status line has the outcome of the last work only")
  func outcomes() async throws {
    let page = try Page()
    await page.window.activate()?.value
    #expect(page.model.state.outcome == "Signed out")
    await page.model.callGraph()?.value
    #expect(
      page.model.state.outcome
        == "Signed in as adele@contoso.example. The result from Graph is in the log.")
    await page.model.callGraph()?.value
    #expect(page.model.state.outcome == "The result from Graph is in the log.")
    await page.model.signOut.signOut()?.value
    #expect(page.model.state.outcome == nil && page.toasts.last == "Signed out")
    #expect(page.states.allSatisfy { $0.outcome?.contains("eyJ") != true })
  }

  @Test("An error with a notice is in the log, and not in the status line")
  func failureWithNotice() async throws {
    let page = try Page()
    page.authority.next(.api, status: 503, "{}")
    await page.model.callGraph()?.value
    #expect(page.model.state.notices.map(\.title) == ["Service Not Available"])
    // What went well before is said.
    #expect(page.model.state.outcome == "Signed in as adele@contoso.example.")
    #expect(page.takeLog().contains { $0.hasPrefix("Couldn't get graph result: ") })

    page.clock.advance(by: 7200)
    page.authority.next(.token, times: 2, status: 400, #"{"error":"invalid_request"}"#)
    await page.model.callGraph()?.value
    #expect(page.model.state.notices.map(\.title) == ["The Request Was Refused"])
    #expect(page.model.state.outcome == nil)
    #expect(page.takeLog().contains { $0.hasPrefix("Could not acquire token silently: ") })
  }

  @Test("A sign-in that the user cancels is said in the status line alone, and is no problem")
  func canceled() async throws {
    let authority = ScriptedAuthority()
    let page = try Page(authority: authority, pages: authority.closedPages)
    await page.model.callGraph()?.value
    let text = "Sign-in canceled"
    #expect(page.model.state.outcome == text)
    #expect(page.toasts.isEmpty && page.model.state.notices.isEmpty)
    #expect(page.takeLog().contains { $0.hasPrefix(text) && $0.contains("Correlation ID: ") })
    let activity = ActivityModel(page.window.status.activity)
    #expect(activity.events.contains { $0.title == text })
    activity.filter.topic = .problems
    #expect(activity.events.isEmpty)
  }

  @Test("What the notice about the accounts' storage says is not in the status line, too")
  func storage() async throws {
    let locked = AuthenticationError(
      .storageUnavailable, "The store of this test is locked.", step: .storage)
    let pages = ScriptedPages { _ throws(AuthenticationError) in throw locked }
    let page = try Page(pages: pages)
    page.store.fail(.load)
    await page.model.callGraph()?.value
    #expect(page.model.state.notices.map(\.text) == ["The store of this test is locked."])
    #expect(page.model.state.notices.first?.buttons.map(\.action) == [.readAgain])
    #expect(page.model.state.outcome == nil && page.toasts.isEmpty)
    #expect(
      page.takeLog().contains {
        $0.hasPrefix("Could not acquire token: The store of this test is locked.")
      })
  }

  /// An Explorer whose account is signed in, and whether the person closes the page of a sign-in.
  private func explorer() async throws -> (Page, ExplorerModel, closes: LockedValue<Bool>) {
    let authority = ScriptedAuthority()
    let closes = LockedValue(false)
    let (open, closed) = (authority.pages, authority.closedPages)
    let pages = ScriptedPages { request throws(AuthenticationError) in
      try await (closes.withLock { $0 } ? closed : open).authenticate(request)
    }
    let page = try Page(authority: authority, pages: pages)
    await page.model.callGraph()?.value
    return (page, ExplorerModel(page.window), closes)
  }

  @Test("Why the Explorer has no token is said with its answer, or in a notice, and nowhere else")
  func explorerToken() async throws {
    let (page, model, closes) = try await explorer()
    closes.withLock { $0 = true }
    page.clock.advance(by: 7200)
    page.authority.next(.token, status: 400, #"{"error":"invalid_grant"}"#)
    page.states = []
    await model.send()?.value
    #expect(model.answer?.failure?.sentence == "Sign-in canceled")
    #expect(page.model.state.outcome == nil && page.model.state.notices.isEmpty)
    // A screen reader says the outcome when the work ends.
    #expect(page.states.allSatisfy { $0.work != nil || $0.outcome == nil })
    #expect(page.toasts.isEmpty)
    #expect(page.log.contains { $0.hasPrefix("Sign-in canceled") })
  }

  @Test("Why a permission was not granted is said on the page of the Explorer, and nowhere else")
  func explorerPermission() async throws {
    let (page, model, closes) = try await explorer()
    model.request.address = "/me/messages"
    page.authority.next(.api, status: 403, "{}")
    await model.send()?.value
    closes.withLock { $0 = true }
    var said: [String] = []
    let observer = model.messages.add { said.append($0) }
    await model.requestPermission()?.value
    #expect(said == ["Sign-in canceled"])
    #expect(page.model.state.outcome == nil && page.model.state.notices.isEmpty)
    #expect(page.toasts.isEmpty && model.answer?.status == 403)
    withExtendedLifetime(observer) {}
  }
}
