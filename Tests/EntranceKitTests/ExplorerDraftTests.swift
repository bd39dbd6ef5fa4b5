import AuthCore
import Connections
import EntranceKit
import FoundationEssentials
import TestSupport
import Testing

@MainActor @Suite("Drafts of the Explorer page", .timeLimit(.minutes(5)))
struct ExplorerDraftTests {
  /// Keeps windows and their pages until the end of the test.
  private final class Opened {
    var windows: [(Page, ExplorerModel)] = []
  }

  private let files: TemporaryDirectory
  private let opened = Opened()
  private let typed = ExplorerRequest(
    .post, "/v1.0/me/sendMail", fields: "Prefer: a", body: "{\"a\": 1}")
  private let other = ExplorerRequest(.get, "/v1.0/me/messages")
  private let untouched = ExplorerRequest(.get, "/v1.0/me")

  init() throws {
    files = try TemporaryDirectory()
  }

  private func history() -> ExplorerHistory {
    ExplorerHistory(in: "\(files.path)/explorer", of: "Test")
  }

  /// The first start, at which somebody signs in.
  private func signedIn(_ history: ExplorerHistory) async throws -> (Page, ExplorerModel) {
    let page = try Page(history: history)
    await page.model.callGraph()?.value
    return open(page)
  }

  private func open(_ page: Page) -> (Page, ExplorerModel) {
    opened.windows.append((page, ExplorerModel(page.window)))
    return opened.windows[opened.windows.count - 1]
  }

  /// The next start with the accounts of `store`: whatever comes back is there at its end.
  private func start(
    _ store: ScriptedStore, typing request: ExplorerRequest? = nil
  ) async throws -> (Page, ExplorerModel) {
    let history = history()
    let (page, model) = open(try Page(store: store, history: history))
    if let request { model.request = request }
    await history.load()
    await page.window.activate()?.value
    return (page, model)
  }

  /// What the file has; it has another name while it is written.
  private var kept: String {
    files.names(in: "explorer").filter { $0.hasSuffix(".json") }
      .compactMap { try? files.read("explorer/\($0)") }
      .map { String(decoding: $0, as: UTF8.self) }.joined()
  }

  // MARK: The next start

  @Test("A draft comes back after the window was closed, without secret header fields")
  func close() async throws {
    let history = history()
    let (page, model) = try await signedIn(history)
    model.request = typed
    model.request.fields = """
      Authorization: Bearer hunter2
      Prefer: a
      Cookie: session=hunter2
      X-Api-Key: hunter2
      X-Query: client_secret=hunter2
      """
    page.window.close()
    await history.finishWriting()
    let name = try #require(files.names(in: "explorer").first)
    #expect(files.mode("explorer/\(name)") == 0o600)
    #expect(!kept.contains("hunter2"))
    let (_, next) = try await start(page.store)
    #expect(next.request == typed && next.state.saved == nil)
  }

  @Test(
    "A draft whose address is a command or has a token in it is not kept",
    arguments: [
      "curl -u adele:hunter2 https://graph.microsoft.com/v1.0/me",
      "/me -H 'Authorization: Bearer hunter2'",
    ])
  func command(address: String) async throws {
    let history = history()
    let (page, model) = try await signedIn(history)
    model.request = typed
    model.request.address = address
    page.window.close()
    await history.finishWriting()
    #expect(!kept.contains("hunter2"))
    let (_, next) = try await start(page.store)
    #expect(next.request == untouched)
  }

  @Test("A draft is stored a moment after it was typed, and when it is sent")
  func moments() async throws {
    let history = history()
    let (page, model) = try await signedIn(history)
    model.request = typed
    while !kept.contains("sendMail") { await Task.yield() }
    model.request = other
    await model.send()?.value
    await history.finishWriting()
    let (_, next) = try await start(page.store)
    #expect(next.request == other)
  }

  @Test("A draft does not replace what was typed before it was read")
  func busyPage() async throws {
    let history = history()
    let (page, model) = try await signedIn(history)
    model.request = typed
    model.close()
    await history.finishWriting()
    let (_, next) = try await start(page.store, typing: other)
    #expect(next.request == other)
  }

  @Test("An emptied draft does not come back")
  func untouchedPage() async throws {
    let history = history()
    let (page, model) = try await signedIn(history)
    model.request = typed
    model.close()
    await history.finishWriting()
    let (_, next) = try await start(page.store)
    next.request = untouched
    next.close()
    while !kept.isEmpty { await Task.yield() }
    let (_, last) = try await start(page.store)
    #expect(last.request == untouched)
  }

  @Test("Of two windows, the last one that was typed in has the draft", arguments: [false, true])
  func windows(isSecondUsed: Bool) async throws {
    let history = history()
    let (page, model) = try await signedIn(history)
    model.request = typed
    let window = WindowModel(page.workspace, on: ScriptedDesktop(page.authority.pages))
    let second = ExplorerModel(window)
    await window.activate()?.value
    // It is in sight already.
    #expect(second.request == untouched)
    if isSecondUsed { second.request = other }
    page.window.close()
    await window.activate()?.value
    // It does not change under the hands of who sees it.
    #expect(second.request == (isSecondUsed ? other : untouched))
    window.close()
    withExtendedLifetime(second) {}
    await history.finishWriting()
    let (_, next) = try await start(page.store)
    #expect(next.request == (isSecondUsed ? other : typed))
  }

  @Test("A request from another app is a draft of this one only after an edit")
  func otherApp() async throws {
    let (_, first) = try await signedIn(ExplorerHistory())
    first.request = typed
    let history = history()
    let (page, model) = try await signedIn(history)
    model.request = other
    model.close()
    await history.finishWriting()
    let carried = ExplorerModel(page.window, continuing: first.draft)
    #expect(carried.request == typed)
    carried.close()
    await history.finishWriting()
    #expect(kept.contains("messages") && !kept.contains("sendMail"))
    let edited = ExplorerModel(page.window, continuing: first.draft)
    edited.request.body = "{}"
    edited.close()
    await history.finishWriting()
    #expect(kept.contains("sendMail") && !kept.contains("messages"))
  }

  @Test("A request of a file is no draft: the file has it")
  func file() async throws {
    let history = history()
    let (page, model) = try await signedIn(history)
    model.request = typed
    await model.save(as: "\(files.path)/tasks.http")?.value
    page.window.close()
    await history.finishWriting()
    #expect(kept.isEmpty)
  }

  @Test("A request of a file comes back to its app, and not to another one or to the demo")
  func fileOfAnotherApp() async throws {
    let announced = try #require(DemoConnection.parse(TestApplication.demoAnnouncement))
    let demo = try Page(connection: announced)
    let (page, model) = try await signedIn(history())
    for (written, isDemo) in [(model, false), (ExplorerModel(demo.window), true)] {
      written.request = typed
      await written.save(as: "\(files.path)/\(isDemo).http")?.value
      written.request = other
      #expect(written.hasUnsavedEdits)
      let draft = try #require(written.draft)
      let stayed = ExplorerModel(page.window, continuing: draft)
      #expect((stayed.state.saved != nil) == !isDemo)
      #expect(stayed.request == (isDemo ? untouched : other))
      let left = ExplorerModel(demo.window, continuing: draft)
      #expect(left.draft == nil && left.state.saved == nil)
    }
  }

  // MARK: Where nothing is kept

  @Test("A draft is removed with its account, also before it was stored")
  func signOut() async throws {
    let history = history()
    let (page, model) = try await signedIn(history)
    model.request = typed
    await model.send()?.value
    await history.finishWriting()
    #expect(kept.contains("sendMail"))
    model.request = other
    await page.model.signOut.signOut()?.value
    page.window.close()
    while !kept.isEmpty { await Task.yield() }
    let (_, next) = try await start(page.store)
    #expect(next.request == untouched)
  }

  @Test("A draft does not go to another account when its own is gone")
  func otherAccount() async throws {
    let history = history()
    let (page, model) = try await signedIn(history)
    model.request = typed
    page.window.close()
    await history.finishWriting()
    let (_, next) = try await start(ScriptedStore())
    #expect(next.request == untouched)
    while !kept.isEmpty { await Task.yield() }
  }

  @Test("Clear All Data removes a draft; Clear History does not")
  func clear() async throws {
    let history = history()
    let (page, model) = try await signedIn(history)
    model.request = typed
    await model.send()?.value
    model.clearHistory()
    await history.finishWriting()
    #expect(kept.contains("sendMail") && !kept.contains("requests"))
    await page.window.storage.clearAllData()?.value
    page.window.close()
    await history.finishWriting()
    #expect(kept.isEmpty)
  }

  @Test("A draft is in no file while accounts are only in memory")
  func onlyInMemory() async throws {
    let storage = try StorageTests()
    let page = try storage.page()
    await page.window.activate()?.value
    await page.callGraph()?.value
    let model = ExplorerModel(page.window)
    model.request = typed
    model.close()
    #expect(try await storage.kept("history", by: page).isEmpty)
  }

  @Test("A draft that is too long is not stored")
  func limit() async throws {
    let history = history()
    let (page, model) = try await signedIn(history)
    model.request.body = String(repeating: "x", count: 300_000)
    page.window.close()
    await history.finishWriting()
    #expect(kept.isEmpty)
  }

  @Test(
    "A damaged file is ignored",
    arguments: [
      "", "[]", #"{"draft":1}"#, #"{"draft":{"method":"GET","address":"/me"}}"#,
      #"{"draft":{"method":"TRACE","address":"/me","account":"a","cloud":"b"}}"#,
    ])
  func damaged(text: String) async throws {
    let (page, _) = try await signedIn(ExplorerHistory())
    try FileManager.default.createDirectory(
      atPath: "\(files.path)/explorer", withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700])
    try files.write("explorer/\(HashedFileName.of("Test")).json", text)
    let (_, next) = try await start(page.store)
    #expect(next.request == untouched && next.state.canSend)
  }

  // MARK: Undo

  /// What was told with an *Undo* during `work`.
  private func undos(
    of model: ExplorerModel, _ work: @MainActor () async throws -> Void
  ) async rethrows -> [(text: String, undo: @MainActor () -> Void)] {
    var undos: [(text: String, undo: @MainActor () -> Void)] = []
    let observer = model.undos.add { undos.append((text: $0.0, undo: $0.1)) }
    try await work()
    withExtendedLifetime(observer) {}
    return undos
  }

  @Test("Undo restores a draft that a sample, an import or a request of a file has replaced")
  func replaced() async throws {
    let (_, model) = try await signedIn(ExplorerHistory())
    try files.write("a.http", "GET https://graph.microsoft.com/v1.0/me/drive\n")
    model.files.open("\(files.path)/a.http")
    await model.files.finishReading()
    let sample = try #require(model.list.samples.first { $0.title == "My manager" })
    let row = try #require(model.files.rows.last)
    let ways: [@MainActor () async -> Void] = [
      { model.choose(sample.request) },
      { await model.paste("curl https://graph.microsoft.com/v1.0/users")?.value },
      { model.choose(row) },
    ]
    model.request = typed
    for way in ways {
      let undos = await undos(of: model, way)
      #expect(model.request != typed && undos.map { $0.text } == ["Request replaced"])
      // It is typed still: the next way would lose it otherwise.
      undos.first?.undo()
      #expect(model.request == typed && model.state.saved == nil)
    }
  }

  @Test("There is no undo where nothing was typed")
  func nothingTyped() async throws {
    let (_, model) = try await signedIn(ExplorerHistory())
    let undos = await undos(of: model) {
      model.choose(other)
      model.choose(typed)
      model.request.body += " "
      model.request = typed
      model.choose(other)
      model.request = ExplorerRequest(.post, " ")
      model.choose(typed)
      // It is the same.
      model.request = other
      model.choose(other)
    }
    #expect(undos.isEmpty)
  }

  @Test("Undo loses nothing that was typed since")
  func twice() async throws {
    let (_, model) = try await signedIn(ExplorerHistory())
    model.request = typed
    let first = await undos(of: model) { model.choose(other) }
    model.request.address += "?$top=1"
    let second = await undos(of: model) { first.first?.undo() }
    #expect(model.request == typed && second.count == 1)
    second.first?.undo()
    #expect(model.request.address == "/v1.0/me/messages?$top=1")
  }
}
