import EntranceKit
import HTTPTypes
import TestSupport
import Testing

@MainActor @Suite("The notices of the Explorer's requests")
struct ExplorerNoticeTests {
  /// A page on which somebody has signed in.
  private func signedIn() async throws -> (Page, ExplorerModel) {
    let page = try Page()
    await page.model.callGraph()?.value
    page.authority.forget()
    return (page, ExplorerModel(page.window))
  }

  private func sent(_ page: Page) -> [ScriptedAuthority.Call] {
    page.authority.calls.filter { $0.endpoint == .api }
  }

  @Test("Without a token nothing is sent, and the notice says why")
  func noToken() async throws {
    let (page, model) = try await signedIn()
    page.clock.advance(by: 7200)
    page.authority.next(.token, times: 2, status: 400, #"{"error":"invalid_grant"}"#)
    await model.send()?.value
    #expect(sent(page).isEmpty)
    #expect(model.answer?.status == nil)
    #expect(model.answer?.failure?.sentence == "There is no token for this account.")
    #expect(page.model.state.notices.first?.title == "Sign In Again")
  }

  @Test("The next request takes away the notice of the one that had no token, with its Try Again")
  func nextRequest() async throws {
    let (page, model) = try await signedIn()
    page.clock.advance(by: 7200)
    page.authority.next(.token, times: 2, status: 400, #"{"error":"invalid_request"}"#)
    model.request = ExplorerRequest(.post, "me/sendMail", body: "{}")
    await model.send()?.value
    #expect(page.model.state.notices.first?.buttons.first?.action == .tryAgain)
    model.request = ExplorerRequest(.get, "me")
    await model.send()?.value
    #expect(model.answer?.isSuccess == true)
    #expect(!page.model.state.notices.contains { $0.id == "failure" })
    AccountAction.tryAgain.perform(page.model, "")
    await model.finish()
    #expect(!sent(page).contains { $0.request.method == .post })
  }

  @Test("Try Again sends the request that had no token, though another one is on the page")
  func tryAgain() async throws {
    let (page, model) = try await signedIn()
    page.clock.advance(by: 7200)
    page.authority.next(.token, times: 2, status: 400, #"{"error":"invalid_request"}"#)
    await model.send()?.value
    #expect(page.model.state.notices.first?.buttons.first?.action == .tryAgain)
    model.request.address = "users"
    AccountAction.tryAgain.perform(page.model, "")
    await model.finish()
    #expect(sent(page).count == 1 && model.answer?.isSuccess == true)
    #expect(model.answer?.request.address == "/v1.0/me")
    #expect(!page.model.state.notices.contains { $0.id == "failure" })
  }
}
