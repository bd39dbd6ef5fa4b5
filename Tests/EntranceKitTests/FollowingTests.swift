import CurlHTTP
@testable import EntranceKit
import TestSupport
import Testing

/// What a second window of an app shows after a change of the accounts in the first one.
@MainActor @Suite("A window that follows another one", .timeLimit(.minutes(5)))
struct FollowingTests {
  private func window(of page: Page) -> AccountModel {
    AccountModel(
      WindowModel(page.workspace, on: ScriptedDesktop(page.authority.pages)))
  }

  /// A window in which Adele has signed in, and another one in which she has called the API.
  private func windows(_ files: TemporaryDirectory? = nil) async throws -> (Page, AccountModel) {
    let page = try Page(files: files)
    let other = window(of: page)
    await page.model.callGraph()?.value
    await page.workspace.finishWork()
    await other.callGraph()?.value
    return (page, other)
  }

  @Test("A sign-out in one window empties the other one, with its tokens")
  func signOut() async throws {
    let (page, other) = try await windows()
    other.log.setShowsFullTokens(true)
    let (tokens, explorer) = (TokensModel(other.window), ExplorerModel(other.window))
    await tokens.finishReading()
    await explorer.send()?.value
    func isSecretShown() -> Bool { other.log.entries.contains { $0.text.contains("canary") } }
    #expect(!tokens.state.cards.isEmpty && explorer.answer != nil && isSecretShown())
    await page.model.signOut.signOut()?.value
    await page.workspace.finishWork()
    #expect(other.state.username == nil && other.state.rows.isEmpty)
    #expect(other.window.heading.accounts.isEmpty)
    #expect(tokens.state.account == nil && tokens.state.cards.isEmpty)
    #expect(explorer.answer == nil && !isSecretShown())
    #expect(other.log.entries.last?.text == "Account signed out. Updating UX")
  }

  @Test("A toast says that an account that is chosen has left in another window")
  func gone() async throws {
    let (page, other) = try await windows()
    let adele = try page.row(.adele).id
    var toasts: [String] = []
    let observer = other.window.status.toasts.add { toasts.append($0) }
    await page.model.signOut.signOut()?.value
    await page.workspace.finishWork()
    #expect(!other.window.accounts.select(adele))
    #expect(
      toasts.last == "This account is no longer signed in. To use it, sign in with it again.")
    withExtendedLifetime(observer) {}
  }

  /// Signs out, and returns how often the store was read and how often each window looked.
  private func readings(with otherWindows: Int) async throws -> (store: Int, windows: [Int]) {
    let page = try Page()
    await page.model.callGraph()?.value
    let windows = [page.model] + (0..<otherWindows).map { _ in window(of: page) }
    for model in windows { await model.window.activate()?.value }
    let counts = CountOfReadings(windows)
    let before = page.store.count(.load)
    await page.model.signOut.signOut()?.value
    await page.workspace.finishWork()
    return (page.store.count(.load) - before, counts.all)
  }

  @MainActor
  private final class CountOfReadings {
    private(set) var all: [Int]
    private var observers: [Observer] = []

    init(_ windows: [AccountModel]) {
      all = Array(repeating: 0, count: windows.count)
      for (index, model) in windows.enumerated() {
        observers.append(model.window.storage.changes.add { [weak self] in self?.all[index] += 1 })
      }
    }
  }

  @Test("The store is not read again for a window that follows, and no window reads twice")
  func once() async throws {
    let alone = try await readings(with: 0)
    let three = try await readings(with: 2)
    #expect(three.store == alone.store)
    #expect(alone.windows == [1] && three.windows == [1, 1, 1])
  }

  @Test("A window with work in progress follows when the work ends")
  func busy() async throws {
    let (page, other) = try await windows()
    let (gate, opening) = AsyncStream<Void>.makeStream()
    let started = other.window.status.start(.renewingTokens) { for await _ in gate {} }
    let work = try #require(started)
    await page.model.signOut.signOut()?.value
    #expect(page.model.state.username == nil)
    #expect(other.state.username == "adele@contoso.example" && other.state.work != nil)
    opening.finish()
    await work.value
    while other.state.username != nil { try await Task.sleep(for: .milliseconds(5)) }
  }

  @Test("A call in the other window is canceled when its account is signed out")
  func callOfAccountThatLeft() async throws {
    let (page, other) = try await windows()
    let sent = page.authority.hangNext(.api)
    let call = try #require(other.callGraph())
    for await _ in sent { break }
    let explorer = ExplorerModel(other.window)
    let isAlsoSent = page.authority.hangNext(.api)
    let request = explorer.send()
    for await _ in isAlsoSent { break }
    await page.model.signOut.signOut()?.value
    await call.value
    await request?.value
    #expect(
      other.log.entries.contains {
        $0.text.hasPrefix("Couldn't get graph result: The request was canceled.")
      })
    #expect(explorer.answer == nil && explorer.state.work == nil)
  }

  @Test("Another account is listed in both; each keeps its selection, the last is remembered")
  func added() async throws {
    let files = try TemporaryDirectory()
    let (page, other) = try await windows(files)
    page.authority.willSignIn(.ben)
    await page.window.accounts.add()?.value
    await page.workspace.finishWork()
    for model in [page.model, other] {
      #expect(Set(model.state.rows.map(\.title)) == [Person.adele.name, Person.ben.name])
    }
    #expect(other.state.username == Person.adele.username)
    await page.workspace.accountNotes.finishWriting()
    let next = try Page(store: page.store, files: files)
    await next.window.activate()?.value
    #expect(next.model.state.username == Person.ben.username)
  }

  @Test("After Clear All Data elsewhere, a window that follows keeps nothing in files")
  func cleared() async throws {
    let files = try TemporaryDirectory()
    let (page, other) = try await windows(files)
    await page.workspace.accountNotes.finishWriting()
    #expect(files.names(in: "selection").count == 1)
    let elsewhere = try Page()
    await elsewhere.window.storage.clearAllData(of: [page.workspace])?.value
    await page.workspace.finishWork()
    #expect(page.model.state.username == nil && other.state.username == nil)
    await page.workspace.accountNotes.finishWriting()
    #expect(files.names(in: "selection").isEmpty)
  }

  @Test("That an account needs a sign-in is shown in both windows, until it has signed in")
  func need() async throws {
    let authority = ScriptedAuthority()
    let closing = ClosingPages(authority)
    let page = try Page(authority: authority, pages: closing.pages)
    let other = window(of: page)
    await page.model.callGraph()?.value
    await page.workspace.finishWork()
    func needs() -> [Bool?] { [page.model, other].map { $0.state.rows.first?.needsSignIn } }
    #expect(needs() == [false, false])
    page.clock.advance(by: 7200)
    authority.next(.token, status: 400, #"{"error": "interaction_required"}"#)
    closing.areClosed.withLock { $0 = true }
    await page.model.callGraph()?.value
    await page.workspace.finishWork()
    #expect(needs() == [true, true])
    closing.areClosed.withLock { $0 = false }
    await page.window.accounts.signInAgain(try page.row(.adele).id)?.value
    await page.workspace.finishWork()
    #expect(needs() == [false, false])
  }
}
