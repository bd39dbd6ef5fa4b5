import AuthCore
import CurlHTTP
import EntranceKit
import FoundationEssentials
import HTTPTypes
import MicrosoftGraph
import TestSupport
import Testing

/// Adele's account is the window's; Ben's is chosen for the Explorer page.
@MainActor @Suite("Another account for the Explorer's requests", .timeLimit(.minutes(5)))
struct ExplorerSenderTests {
  private let page: Page
  private let model: ExplorerModel
  private let adele: AccountRow.ID
  private let ben: AccountRow.ID
  private let preferences = Preferences(MemorySettings())

  private static let adeleText = "adele@contoso.example · contoso.example"
  private static let benText = "ben@contoso.example · contoso.example"
  private static let adeleToken = "Bearer access-canary-1"
  private static let benToken = "Bearer access-canary-2"

  init() async throws {
    page = try Page(preferences: preferences)
    await page.model.callGraph()?.value
    adele = try page.row(.adele).id
    page.authority.willSignIn(.ben)
    await page.window.accounts.add()?.value
    ben = try page.row(.ben).id
    page.window.accounts.select(adele)
    page.authority.forget()
    model = ExplorerModel(page.window)
  }

  private var sent: [ScriptedAuthority.Call] {
    page.authority.calls.filter { $0.endpoint == .api }
  }

  @Test("The accounts are offered, the window's first, and another one is for the page alone")
  func choose() async throws {
    #expect(model.state.senders.map(\.text) == [Self.adeleText, Self.benText])
    #expect(model.state.senders.map(\.isChosen) == [true, false])
    #expect(model.state.account == Self.adeleText && model.state.accountNote == nil)
    model.setSender(ben)
    #expect(model.state.senders.map(\.text) == [Self.adeleText, Self.benText])
    #expect(model.state.senders.map(\.isChosen) == [false, true])
    #expect(model.state.account == Self.benText)
    #expect(model.state.accountNote == "The account of this window is \(Self.adeleText).")
    await model.send()?.value
    #expect(page.lastAuthorization == Self.benToken)
    #expect(model.answer?.isSuccess == true && model.answer?.account == Self.benText)
    // The window, and its other pages, stay with Adele.
    #expect(page.model.state.username == "adele@contoso.example")
    await page.model.callGraph()?.value
    #expect(page.lastAuthorization == Self.adeleToken)
    // Until it is chosen back.
    await model.send()?.value
    #expect(page.lastAuthorization == Self.benToken)
    model.setSender(adele)
    #expect(model.state.account == Self.adeleText && model.state.accountNote == nil)
    await model.send()?.value
    #expect(page.lastAuthorization == Self.adeleToken)
  }

  @Test("With one account, there is no choice")
  func alone() async throws {
    await page.model.signOut.signOut(.thisApp, ben)?.value
    #expect(model.state.senders.isEmpty && model.state.account == Self.adeleText)
    model.setSender(ben)
    #expect(model.state.account == Self.adeleText)
  }

  @Test("The choice ends with a switch of the window, and does not come back with the account")
  func windowSwitches() async throws {
    model.setSender(ben)
    page.window.accounts.select(ben)
    #expect(model.state.account == Self.benText && model.state.accountNote == nil)
    #expect(model.state.senders.map(\.text) == [Self.benText, Self.adeleText])
    page.window.accounts.select(adele)
    #expect(model.state.account == Self.adeleText && model.state.accountNote == nil)
  }

  @Test("A request goes on for its account when another one is chosen, or the window switches")
  func switchWhileSending() async throws {
    model.setSender(ben)
    page.authority.next(.api) { [model, adele] _ in
      await model.setSender(adele)
      return .make(401, "{}")
    }
    await model.send()?.value
    #expect(sent.first?.request.headerFields[.authorization] == Self.benToken)
    // It is repeated with a new token of Ben.
    #expect(sent.count == 2 && model.answer?.account == Self.benText)
    #expect(sent.last?.request.headerFields[.authorization] != Self.adeleToken)
    #expect(model.state.account == Self.adeleText)
  }

  @Test("When the chosen account is signed out, its request is canceled, and the page says so")
  func signedOut() async throws {
    var messages: [String] = []
    let observer = model.messages.add { messages.append($0) }
    defer { withExtendedLifetime(observer) {} }
    model.setSender(ben)
    let isSent = page.authority.hangNext(.api)
    let request = model.send()
    for await _ in isSent { break }
    await page.model.signOut.signOut(.thisApp, ben)?.value
    await request?.value
    #expect(model.answer == nil && model.state.work == nil)
    #expect(model.state.account == Self.adeleText && model.state.accountNote == nil)
    #expect(messages == ["Requests are sent as \(Self.adeleText) again."])
    #expect(model.list.history.isEmpty)
    await model.send()?.value
    #expect(page.lastAuthorization == Self.adeleToken)
  }

  @Test("An answer, and what the history has of it, go with the account that it was for")
  func answerGoes() async throws {
    model.setSender(ben)
    await model.send()?.value
    model.setSender(adele)
    #expect(model.answer != nil && model.list.history.count == 1)
    await page.model.signOut.signOut(.thisApp, ben)?.value
    #expect(model.answer == nil && model.list.history.isEmpty)
  }

  @Test("The pages that follow are for the account of the answer")
  func pages() async throws {
    model.setSender(ben)
    page.authority.next(
      .api, status: 200,
      #"{"value":[],"@odata.nextLink":"https://graph.microsoft.com/v1.0/me?$skiptoken=2"}"#)
    await model.send()?.value
    model.setSender(adele)
    await model.sendForNextPage()?.value
    #expect(sent.last?.url.hasSuffix("$skiptoken=2") == true)
    #expect(page.lastAuthorization == Self.benToken)
  }

  @Test("DELETE names the account, and asks again for another one")
  func delete() async throws {
    var asked: [(ExplorerQuestion, @MainActor () -> Void)] = []
    let observer = model.questions.add { asked.append($0) }
    defer { withExtendedLifetime(observer) {} }
    model.request = ExplorerRequest(.delete, "/me/messages/1")
    model.setSender(ben)
    model.send()
    #expect(asked.last?.0.text.hasPrefix("As \(Self.benText):") == true)
    model.setSender(adele)
    try #require(asked.first).1()
    await model.finish()
    #expect(sent.isEmpty && asked.count == 2)
    #expect(asked.last?.0.text.hasPrefix("As \(Self.adeleText):") == true)
    model.setSender(ben)
    try #require(asked.last).1()
    #expect(asked.count == 3)
    page.authority.next(.api, status: 204, "")
    try #require(asked.last).1()
    await model.finish()
    #expect(sent.map(\.request.method) == [.delete])
    #expect(page.lastAuthorization == Self.benToken)
  }

  @Test("What is missing is what the token of the chosen account lacks")
  func permissions() async throws {
    model.request.address = "/me/messages"
    model.setSender(ben)
    while model.state.permissions == nil { await Task.yield() }
    #expect(model.state.permissions?.warning == "Not granted yet: Mail.ReadBasic")
    // Ben's next token has it.
    page.authority.edit(.tokens) { $0["scope"] = .string("User.Read Mail.ReadBasic") }
    page.clock.advance(by: 7200)
    await model.send()?.value
    while model.state.permissions.map({ $0.missing.isEmpty }) != true { await Task.yield() }
    #expect(model.state.permissions?.warning == nil)
    model.setSender(adele)
    while model.state.permissions == nil { await Task.yield() }
    #expect(model.state.permissions?.warning == "Not granted yet: Mail.ReadBasic")
  }

  @Test("After a start, what was granted is known of the stored token, not of the app")
  func needsAfterStart() async throws {
    let page = try Page()
    page.authority.edit(.tokens) { $0["scope"] = .string("User.Read Mail.ReadBasic") }
    await page.model.callGraph()?.value
    let next = try Page(store: page.store)
    await next.window.activate()?.value
    let model = ExplorerModel(next.window)
    model.request.address = "/me/messages"
    while model.state.permissions == nil { await Task.yield() }
    #expect(model.state.permissions?.least == ["Mail.ReadBasic"])
    #expect(model.state.permissions?.warning == nil)
    model.request.address = "/me/events"
    while model.state.permissions?.least != ["Calendars.ReadBasic"] { await Task.yield() }
    #expect(model.state.permissions?.warning == "Not granted yet: Calendars.ReadBasic")
  }

  @Test(
    "A refused request is explained, and the permission is asked for where its account is the window's"
  )
  func forbidden() async throws {
    var messages: [String] = []
    let observer = model.messages.add { messages.append($0) }
    defer { withExtendedLifetime(observer) {} }
    model.request.address = "/me/messages"
    model.setSender(ben)
    page.authority.next(.api, status: 403, "{}")
    await model.send()?.value
    #expect(model.answer?.explanation?.missing.isEmpty == false)
    #expect(model.requestPermission() == nil)
    #expect(messages == ["Switch to \(Self.benText) to request the permission."])
    #expect(page.authority.pagesShown.isEmpty && model.state.answerAccount == nil)
    // Whose the answer is stays known while the window's account comes and goes.
    model.setSender(adele)
    #expect(model.state.answerAccount == Self.benText)
    page.window.accounts.select(ben)
    #expect(model.state.answerAccount == nil)
    await model.requestPermission()?.value
    #expect(page.authority.authorization["scope"]?.contains("Mail.ReadBasic") == true)
    #expect(model.answer?.isSuccess == true && model.answer?.account == Self.benText)
  }

  @Test("An account that has to sign in is not asked to, and the answer says what to do")
  func needsSignIn() async throws {
    model.setSender(ben)
    page.clock.advance(by: 7200)
    page.authority.next(.token, status: 400, #"{"error":"invalid_grant"}"#)
    await model.send()?.value
    #expect(sent.isEmpty && page.authority.pagesShown.isEmpty)
    let sentence = model.answer?.failure?.sentence
    #expect(
      sentence?.contains(
        "\(Self.benText) has to sign in first: switch to this account, and send a request.") == true
    )
    // While personal details are hidden, it does not name the account.
    for hides in [true, false] {
      preferences.hidesPersonalDetails = hides
      await model.finish()
      let shown = try #require(model.answer?.failure?.sentence)
      #expect(shown.contains("has to sign in first") && shown.contains("ben@") != hides)
    }
    #expect(model.answer?.failure?.sentence == sentence)
  }

  @Test("What is missing of a list names nobody while personal details are hidden")
  func missingPages() async throws {
    model.setSender(ben)
    let link = "https://graph.microsoft.com/v1.0/users?$skiptoken=a"
    page.authority.next(
      .api, status: 200, #"{"value":[{"n":1}],"@odata.nextLink":"\#(link)"}"#)
    await model.send()?.value
    page.clock.advance(by: 7200)
    page.authority.next(.token, status: 400, #"{"error":"invalid_grant"}"#)
    await model.sendForAllPages()?.value
    let hint = model.answer?.hints.first
    #expect(hint?.contains("\(Self.benText) has to sign in first") == true)
    for hides in [true, false] {
      preferences.hidesPersonalDetails = hides
      await model.finish()
      let shown = try #require(model.answer?.hints.first)
      #expect(shown.contains("has to sign in first") && shown.contains("ben@") != hides)
    }
  }

  @Test("A command of entrancectl names the account")
  func copies() throws {
    model.setSender(ben)
    let command = try #require(model.snippet(.entrancectl))
    #expect(command.contains("--account 'ben@contoso.example'"))
    model.setSender(adele)
    #expect(model.snippet(.entrancectl)?.contains("--account 'adele@contoso.example'") == true)
    #expect(model.snippet(.curl)?.contains("@contoso.example") == false)
  }

  @Test("Hidden personal details show nobody, and accounts are told apart")
  func hidden() async throws {
    preferences.hidesPersonalDetails = true
    model.setSender(ben)
    let texts = model.state.senders.map(\.text)
    #expect(texts.count == 2 && Set(texts).count == 2)
    page.clock.advance(by: 7200)
    page.authority.next(.token, status: 400, #"{"error":"invalid_grant"}"#)
    await model.send()?.value
    let failure = try #require(model.answer?.failure)
    let shown =
      texts + [model.state.account, model.state.accountNote, failure.sentence].compactMap(\.self)
    #expect(shown.count == 5)
    for text in shown { #expect(!text.contains("@") && !text.contains("contoso"), "\(text)") }
  }

  @Test("Another organization of the same account is chosen, too")
  func organization() async throws {
    let page = try await TenantsTests().guestPage()
    let model = ExplorerModel(page.window)
    #expect(model.state.senders.map(\.text).first?.hasSuffix(" · fabrikam.example") == true)
    #expect(model.state.senders.map(\.isChosen) == [true, false])
    model.setSender(try page.row(.adele).id)
    #expect(model.state.account == Self.adeleText && model.state.accountNote != nil)
    await model.send()?.value
    #expect(page.lastAuthorization == "Bearer access-canary-1")
    #expect(model.snippet(.entrancectl) != nil && model.snippetProblem(.entrancectl) == nil)
    model.setSender(try page.row(.adele, tenantID: Person.fabrikam).id)
    await model.send()?.value
    #expect(page.lastAuthorization == "Bearer access-canary-2")
    // A command would be sent to her own organization.
    #expect(model.snippet(.entrancectl) == nil && model.snippet(.curl) != nil)
    #expect(model.snippetProblem(.entrancectl)?.contains("own organization only") == true)
  }
}
