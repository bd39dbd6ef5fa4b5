import EntranceKit
import FoundationEssentials
import TestSupport
import Testing

@MainActor @Suite("The comparison of two answers")
struct ExplorerComparisonTests {
  private func answered(
    _ body: String, preferences: Preferences? = nil
  ) async throws -> (Page, ExplorerModel, ExplorerComparison) {
    let page = try Page(preferences: preferences)
    await page.model.callGraph()?.value
    let model = ExplorerModel(page.window)
    let comparison = ExplorerComparison(model)
    try await send(body, page, model)
    return (page, model, comparison)
  }

  private func send(_ body: String, _ page: Page, _ model: ExplorerModel) async throws {
    page.authority.next(.api, status: 200, body)
    await model.send()?.value
  }

  @Test("The next answer is compared with the one that is kept, and the one after it, too")
  func compare() async throws {
    let (page, model, comparison) = try await answered(#"{"a":1,"b":[{"id":"x","n":1}],"c":"d"}"#)
    #expect(comparison.state == ExplorerComparison.State())
    comparison.keep()
    #expect(
      comparison.state.kept
        == "GET /v1.0/me · 200 OK · adele@contoso.example · contoso.example")
    #expect(comparison.state.text == "Send the next request to see what differs.")
    try await send(#"{"c":"d","b":[{"id":"x","n":2},{"id":"y"}],"e":null}"#, page, model)
    #expect(comparison.state.isSearching)
    await comparison.finish()
    #expect(comparison.state.text == "Differences: 4" && !comparison.state.isSearching)
    let rows = comparison.state.rows.map { [$0.kind, $0.path] + $0.lines }
    #expect(
      rows == [
        ["Changed", "$.b[?@.id == 'x'].n", "Before: 1", "Now: 2"],
        ["Added", "$.b[?@.id == 'y']", #"Now: {"id":"y"}"#], ["Added", "$.e", "Now: null"],
        ["Removed", "$.a", "Before: 1"],
      ])
    try await send(#"{"c":"d","b":[{"n":1,"id":"x"}],"a":1}"#, page, model)
    await comparison.finish()
    #expect(comparison.state.text == "There is no difference." && comparison.state.rows.isEmpty)
    comparison.stop()
    #expect(comparison.state == ExplorerComparison.State())
  }

  @Test("Only JSON can be compared; another answer is reported")
  func notJSON() async throws {
    let (page, model, comparison) = try await answered("{}")
    comparison.keep()
    page.authority.next(.api, status: 200, type: "text/plain", "text")
    await model.send()?.value
    await comparison.finish()
    #expect(comparison.state.text == "This response is not JSON, so it cannot be compared.")
    comparison.stop()
    comparison.keep()
    #expect(comparison.state.kept == nil)
  }

  @Test("A long value is shortened")
  func longValue() async throws {
    let (page, model, comparison) = try await answered(#"{"a":"x"}"#)
    comparison.keep()
    try await send(#"{"a":"\#(String(repeating: "é", count: 1000))"}"#, page, model)
    await comparison.finish()
    let after = try #require(comparison.state.rows.first?.after)
    #expect(after.count == 301 && after.hasSuffix("…"))
  }

  @Test("Signing out, and hiding personal details, forget the answer that is kept")
  func forget() async throws {
    let preferences = Preferences(MemorySettings())
    let (page, model, comparison) = try await answered(#"{"a":1}"#, preferences: preferences)
    comparison.keep()
    preferences.hidesPersonalDetails = true
    #expect(comparison.state.kept == nil)
    try await send(#"{"mail":"grace@fabrikam.example"}"#, page, model)
    comparison.keep()
    #expect(comparison.state.kept?.contains("adele") == false)
    try await send(#"{"mail":"bram@fabrikam.example","x":"bram@fabrikam.example"}"#, page, model)
    await comparison.finish()
    #expect(comparison.state.rows.count == 1)
    #expect(comparison.state.rows.first?.after?.contains("@") == false)
    preferences.hidesPersonalDetails = false
    try await send("{}", page, model)
    comparison.keep()
    #expect(comparison.state.kept != nil)
    let answer = try #require(model.answer)
    #expect(answer.isSuccess)
    await page.model.signOut.signOut()?.value
    #expect(comparison.state.kept == nil)
  }

  // MARK: The same request otherwise

  private func urls(_ page: Page) -> [String] {
    page.authority.calls.filter { $0.endpoint == .api }.map(\.url)
  }

  @Test("The same request to the other version, and back")
  func otherVersion() async throws {
    let (page, model, comparison) = try await answered(#"{"a":1}"#)
    #expect(comparison.canChangeVersion)
    let sent = model.list.history.count
    page.authority.next(.api, status: 200, #"{"a":2}"#)
    await comparison.compareWithOtherVersion()?.value
    await comparison.finish()
    #expect(urls(page).last == "https://graph.microsoft.com/beta/me")
    #expect(comparison.state.text == "Differences: 1 · /beta/me")
    #expect(comparison.state.kept?.hasPrefix("GET /v1.0/me · 200 OK") == true)
    // What is on the page stays, and what was sent already is not noted again.
    #expect(model.request.address == "/v1.0/me" && model.list.history.count == sent)
    await comparison.compareWithOtherVersion()?.value
    #expect(urls(page).last == "https://graph.microsoft.com/v1.0/me")
  }

  @Test("Without another answer, what is compared stays, and nothing is said or shown again")
  func noAnswer() async throws {
    let (page, model, comparison) = try await answered(#"{"a":1}"#)
    comparison.keep()
    try await send(#"{"a":2}"#, page, model)
    await comparison.finish()
    #expect(comparison.state.rows.count == 1 && model.isAnswerNew)
    var (states, requests) = ([ExplorerComparison.State](), 0)
    let observers = [
      comparison.changes.add { states.append($0) }, comparison.requests.add { requests += 1 },
    ]
    let isSent = page.authority.hangNext(.api)
    let task = comparison.compareWithOtherVersion()
    for await _ in isSent { break }
    model.cancel()
    await task?.value
    await comparison.finish()
    #expect(states.isEmpty && !model.isAnswerNew)
    // Nobody has asked for the differences of this one.
    try await send(#"{"a":3}"#, page, model)
    await comparison.finish()
    #expect(comparison.state.rows.first?.before == "1" && requests == 0 && model.isAnswerNew)
    page.authority.next(.api, status: 200, #"{"a":4}"#)
    await comparison.compareWithOtherVersion()?.value
    await comparison.finish()
    #expect(comparison.state.rows.first?.before == "3" && requests == 1 && model.isAnswerNew)
    withExtendedLifetime(observers) {}
  }

  @Test("Only what reads, and was answered in JSON, is sent again")
  func refused() async throws {
    let (page, model, comparison) = try await answered("{}")
    #expect(comparison.canSendAgain && comparison.others.isEmpty)
    model.request = ExplorerRequest(.post, "/me", body: "{}")
    try await send("{}", page, model)
    #expect(!comparison.canSendAgain && comparison.compareWithOtherVersion() == nil)
    model.request = ExplorerRequest(.get, "/me")
    page.authority.next(.api, status: 200, type: "text/plain", "text")
    await model.send()?.value
    #expect(!comparison.canSendAgain)
    // Another API has one version.
    let other = try Page(api: "https://api.contoso.example/tasks")
    await other.model.callGraph()?.value
    let second = ExplorerModel(other.window)
    let secondComparison = ExplorerComparison(second)
    try await send("{}", other, second)
    #expect(secondComparison.canSendAgain && !secondComparison.canChangeVersion)
  }

  @Test("The same request for another account, which stays unselected")
  func otherAccount() async throws {
    let page = try await AccountsTests().twoAccounts()
    let model = ExplorerModel(page.window)
    let comparison = ExplorerComparison(model)
    try await send(#"{"mail":"ben"}"#, page, model)
    let adele = try #require(comparison.others.first)
    #expect(comparison.others.map(\.wholeTitle) == ["adele@contoso.example"])
    #expect(model.state.answerAccount == nil)
    page.authority.next(.api, status: 200, #"{"mail":"adele"}"#)
    await comparison.compare(with: adele)?.value
    await comparison.finish()
    #expect(page.lastAuthorization == "Bearer access-canary-1")
    #expect(comparison.state.rows.map(\.path) == ["$.mail"])
    #expect(
      comparison.state.text == "Differences: 1 · adele@contoso.example · contoso.example")
    #expect(page.model.state.username == "ben@contoso.example")
    #expect(comparison.others.map(\.wholeTitle) == ["ben@contoso.example"])
    // The request row says another account than that of the answer, so the answer says its own.
    #expect(model.state.account == "ben@contoso.example · contoso.example")
    #expect(model.state.answerAccount == "adele@contoso.example · contoso.example")
    // Another page of the answer is for the account of the answer.
    try await send(#"{"value":[]}"#, page, model)
    #expect(page.lastAuthorization == "Bearer access-canary-2")
    #expect(model.state.answerAccount == nil)
    page.authority.next(
      .api, status: 200,
      #"{"value":[],"@odata.nextLink":"https://graph.microsoft.com/v1.0/me?$skiptoken=2"}"#)
    await comparison.compare(with: adele)?.value
    await model.sendForNextPage()?.value
    #expect(urls(page).last?.hasSuffix("$skiptoken=2") == true)
    #expect(page.lastAuthorization == "Bearer access-canary-1")
    // An account that has to sign in is not asked to.
    page.authority.next(.token, status: 400, #"{"error":"invalid_grant"}"#)
    page.clock.advance(by: 7200)
    try await send("{}", page, model)
    page.authority.next(.token, status: 400, #"{"error":"invalid_grant"}"#)
    let pages = page.authority.pagesShown.count
    let (shown, kept) = (model.answer?.id, comparison.state.kept)
    var messages: [String] = []
    let observer = model.messages.add { messages.append($0) }
    await comparison.compare(with: adele)?.value
    #expect(messages.count == 1 && messages[0].contains("adele@contoso.example"))
    #expect(messages[0].contains("has to sign in first"))
    #expect(page.authority.pagesShown.count == pages)
    // The answer stays, and what it is compared with.
    #expect(model.answer?.id == shown && model.answer?.isSuccess == true)
    #expect(comparison.state.kept == kept && comparison.canSendAgain)
    withExtendedLifetime(observer) {}
  }

  @Test("For an account that is not there any more, nothing is sent, which is said")
  func gone() async throws {
    let page = try Page()
    await page.model.callGraph()?.value
    let before = page.store.records
    try await TenantsTests().signInAsGuest(page)
    let guest = try page.row(.adele, tenantID: Person.fabrikam)
    let model = ExplorerModel(page.window)
    let comparison = ExplorerComparison(model)
    var messages: [String] = []
    let observer = model.messages.add { messages.append($0) }
    try await send(
      #"{"value":[],"@odata.nextLink":"https://graph.microsoft.com/v1.0/me?$skiptoken=2"}"#,
      page, model)
    // Another program has forgotten the organization, and the window's account is the one at home.
    page.store.records = before
    page.store.markChanged()
    await page.window.activate()?.value
    #expect(page.model.state.rows.count == 1 && model.answer != nil)
    let sent = urls(page).count
    #expect(comparison.compareWithOtherVersion() == nil && comparison.compare(with: guest) == nil)
    #expect(model.sendForNextPage() == nil && model.sendForAllPages() == nil)
    #expect(urls(page).count == sent && messages.count == 4)
    #expect(messages.allSatisfy { $0.contains("no longer signed in") })
    withExtendedLifetime(observer) {}
  }

  @Test("The same request in another tenant of the account")
  func otherTenant() async throws {
    let page = try await TenantsTests().guestPage()
    let model = ExplorerModel(page.window)
    let comparison = ExplorerComparison(model)
    try await send("{}", page, model)
    #expect(page.lastAuthorization == "Bearer access-canary-2")
    await comparison.compare(with: try #require(comparison.others.first))?.value
    #expect(page.lastAuthorization == "Bearer access-canary-1")
  }
}
