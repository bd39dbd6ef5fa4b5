import AuthCore
import Connections
import EntranceKit
import MicrosoftGraph
import TestSupport
import Testing

@MainActor @Suite("The last answer of an app that its window has left", .timeLimit(.minutes(5)))
struct LeftAnswersTests {
  /// The next window of the app of `page`.
  private func nextWindow(of page: Page) -> WindowModel {
    WindowModel(page.workspace, on: ScriptedDesktop(page.authority.pages))
  }

  /// A page on which a request was sent, whose window then goes to another app.
  private func left(
    _ answers: LeftAnswers, isShared: Bool = false, preferences: Preferences? = nil
  ) async throws -> Page {
    let page = try Page(isShared: isShared, preferences: preferences)
    await page.model.callGraph()?.value
    let model = ExplorerModel(page.window)
    await model.send()?.value
    #expect(model.answer?.isSuccess == true)
    answers.leave(model)
    model.close()
    page.window.close()
    return page
  }

  @Test("It is there again once the accounts are known, and the next answer takes its place")
  func comingBack() async throws {
    let answers = LeftAnswers()
    let page = try await left(answers)
    page.authority.forget()
    let window = nextWindow(of: page)
    let model = ExplorerModel(window, after: answers)
    #expect(model.answer == nil)
    await window.activate()?.value
    await model.finish()
    #expect(model.answer?.statusText == "200 OK")
    #expect(model.answer?.request.address == "/v1.0/me")
    #expect(!page.authority.calls.contains { $0.url.hasSuffix("/v1.0/me") })
    let before = model.answer?.id
    model.request = ExplorerRequest(.get, "/v1.0/me/drive")
    #expect(model.state.answered == "GET /v1.0/me")
    await model.send()?.value
    #expect(model.answer?.id != before && model.state.answered == nil)
    window.close()
  }

  @Test("It stays with its app, also while that is left again before the accounts are known")
  func otherApp() async throws {
    let answers = LeftAnswers()
    let page = try await left(answers)
    let other = try Page()
    await other.model.callGraph()?.value
    let foreign = ExplorerModel(other.window, after: answers)
    await other.window.activate()?.value
    await foreign.finish()
    #expect(foreign.answer == nil)
    let short = nextWindow(of: page)
    let passing = ExplorerModel(short, after: answers)
    answers.leave(passing)
    passing.close()
    short.close()
    let window = nextWindow(of: page)
    let model = ExplorerModel(window, after: answers)
    await window.activate()?.value
    await model.finish()
    #expect(model.answer?.isSuccess == true)
    window.close()
  }

  @Test("It is gone once another window has changed the accounts")
  func changedAccounts() async throws {
    let answers = LeftAnswers()
    let page = try await left(answers)
    let other = AccountModel(nextWindow(of: page))
    await other.window.activate()?.value
    page.authority.willSignIn(.ben)
    await other.window.accounts.add()?.value
    let window = nextWindow(of: page)
    let model = ExplorerModel(window, after: answers)
    await window.activate()?.value
    await model.finish()
    #expect(model.state.account != nil && model.answer == nil)
    for window in [window, other.window] { window.close() }
  }

  @Test("A shared device keeps none, and what is larger than the bound is not kept")
  func notKept() async throws {
    for (answers, isShared) in [(LeftAnswers(), true), (LeftAnswers(mostBytes: 1), false)] {
      let page = try await left(answers, isShared: isShared)
      let window = nextWindow(of: page)
      let model = ExplorerModel(window, after: answers)
      await window.activate()?.value
      await model.finish()
      #expect(model.answer == nil)
      window.close()
    }
  }

  /// Edits the app of `page`.
  private func edit(_ page: Page, api: String, scopes: [String] = ["User.Read"]) throws {
    let connection = Connection(
      name: "Test", application: page.application.configuration, scopes: scopes, api: api)
    page.workspace.use(
      connection, page.application, try GraphClient(api: api, transport: page.authority))
  }

  private let otherAPI = "https://graph.microsoft.us/v1.0/me"

  @Test("It is not shown once its app has another API, which is said", arguments: [true, false])
  func editedMeanwhile(isOther: Bool) async throws {
    let answers = LeftAnswers()
    let page = try await left(answers)
    let api = isOther ? otherAPI : "https://graph.microsoft.com/v1.0/me/drive"
    try edit(page, api: api, scopes: ["Files.Read"])
    let window = nextWindow(of: page)
    let model = ExplorerModel(window, after: answers)
    var messages: [String] = []
    let observer = model.messages.add { messages.append($0) }
    await window.activate()?.value
    await model.finish()
    #expect((model.answer == nil) == isOther)
    #expect(messages.count == (isOther ? 1 : 0))
    #expect(messages.allSatisfy { $0.hasPrefix("The API of the app was changed") })
    withExtendedLifetime(observer) {}
    window.close()
  }

  @Test("An answer in sight is removed when its app gets another API, also while it is hidden")
  func editedInSight() async throws {
    let preferences = Preferences(MemorySettings())
    let page = try Page(preferences: preferences)
    await page.model.callGraph()?.value
    let model = ExplorerModel(page.window)
    var messages: [String] = []
    let observer = model.messages.add { messages.append($0) }
    for isHidden in [false, true] {
      try edit(page, api: "https://graph.microsoft.com/v1.0/me")
      await page.window.status.finishWork()
      model.request = ExplorerRequest(.get, "/v1.0/me")
      await model.send()?.value
      try edit(page, api: "https://graph.microsoft.com/v1.0/me/drive")
      await page.window.status.finishWork()
      #expect(model.answer?.isSuccess == true && messages.isEmpty)
      if isHidden { preferences.hidesPersonalDetails = true }
      try edit(page, api: otherAPI)
      await page.window.status.finishWork()
      await model.finish()
      #expect(model.answer == nil && !model.state.isRenewing && messages.count == 1)
      messages = []
    }
    withExtendedLifetime(observer) {}
  }

  @Test("It does not take the place of what a recording answers")
  func recording() async throws {
    let answers = LeftAnswers()
    let page = try await left(answers)
    let directory = try TemporaryDirectory()
    let path = "\(directory.path)/session.har"
    let other = try Page()
    await other.model.callGraph()?.value
    let recorder = ExplorerModel(other.window)
    await recorder.record(to: path)?.value
    await recorder.send()?.value
    await other.window.recording.stop()?.value
    let window = nextWindow(of: page)
    let model = ExplorerModel(window, after: answers)
    await model.openRecording(path).value
    await window.activate()?.value
    await model.finish()
    #expect(model.state.replay != nil && model.answer == nil)
    window.close()
  }

  @Test("Personal details that were hidden meanwhile are not in it")
  func hiding() async throws {
    let answers = LeftAnswers()
    let preferences = Preferences(MemorySettings())
    let page = try await left(answers, preferences: preferences)
    preferences.hidesPersonalDetails = true
    let window = nextWindow(of: page)
    let model = ExplorerModel(window, after: answers)
    await window.activate()?.value
    await model.finish()
    let answer = try #require(model.answer)
    #expect(answer.pretty?.whole.contains("Adele") == false)
    #expect(answer.pretty?.whole.contains("Account 1") == true)
    #expect(!answer.account.contains("adele"))
    window.close()
  }
}
