import AuthCore
@testable import EntranceKit
import FoundationEssentials
import TestSupport
import Testing

@MainActor @Suite("How long the Explorer keeps requests", .timeLimit(.minutes(5)))
struct ExplorerRetentionTests {
  private static let day = 24.0 * 60 * 60

  private let files: TemporaryDirectory
  private let preferences = Preferences(MemorySettings())
  private let history: ExplorerHistory
  private let page: Page
  private let model: ExplorerModel

  init() async throws {
    files = try TemporaryDirectory()
    history = ExplorerHistory(in: "\(files.path)/explorer", of: "Test")
    page = try Page(history: history, preferences: preferences)
    await page.model.callGraph()?.value
    model = ExplorerModel(page.window)
  }

  /// Has been sent now.
  private func add(_ address: String) throws {
    let account = try #require(page.model.state.rows.first?.id.account)
    history.add(
      SentRequests.Entry(
        method: .get, address: address, status: 200, date: page.clock.now, account: account))
  }

  private var addresses: [String] { history.entries.map(\.address) }

  /// What the file has; it has another name while it is written.
  private var kept: String {
    files.names(in: "explorer").filter { $0.hasSuffix(".json") }
      .compactMap { try? files.read("explorer/\($0)") }
      .map { String(decoding: $0, as: UTF8.self) }.joined()
  }

  @Test(
    "A shorter time removes older requests at once, also from the file",
    arguments: [
      (RequestRetention.day, 1.0), (.week, 7.0), (.month, 30.0),
    ])
  func shorter(time: RequestRetention, days: Double) async throws {
    try add("/me/older")
    page.clock.advance(by: Self.day * days - 60)
    try add("/me/newer")
    page.clock.advance(by: 60)
    #expect(addresses == ["/me/newer", "/me/older"])
    preferences.requestRetention = time
    while addresses != ["/me/newer"] { await Task.yield() }
    await history.finishWriting()
    #expect(kept.contains("newer") && !kept.contains("older"))
    #expect(model.list.history.map(\.title) == ["GET /me/newer"])
  }

  @Test("Older requests go when another one is kept, and when the window comes to the front")
  func later() async throws {
    preferences.requestRetention = .week
    try add("/me/first")
    page.clock.advance(by: 8 * Self.day)
    try add("/me/second")
    #expect(addresses == ["/me/second"])
    page.clock.advance(by: 8 * Self.day)
    await page.window.activate()?.value
    while !addresses.isEmpty { await Task.yield() }
    await history.finishWriting()
    #expect(!kept.contains("first") && !kept.contains("second"))
  }

  @Test("Older requests, and what was typed, do not come back at the next start")
  func nextStart() async throws {
    preferences.requestRetention = .day
    try add("/me/older")
    model.request = ExplorerRequest(.get, "/me/typed")
    page.window.close()
    while !kept.contains("typed") { await Task.yield() }
    let next = try Page(
      store: page.store, history: ExplorerHistory(in: "\(files.path)/explorer", of: "Test"),
      preferences: preferences)
    next.clock.advance(by: 2 * Self.day)
    let model = ExplorerModel(next.window)
    await next.window.activate()?.value
    while !kept.isEmpty { await Task.yield() }
    #expect(model.list.isHistoryEmpty && model.request == ExplorerRequest(.get, "/v1.0/me"))
  }

  @Test("What was typed comes back within its time")
  func typed() async throws {
    preferences.requestRetention = .day
    model.request = ExplorerRequest(.get, "/me/typed")
    page.window.close()
    while !kept.contains("typed") { await Task.yield() }
    let again = ExplorerHistory(in: "\(files.path)/explorer", of: "Test")
    let next = try Page(store: page.store, history: again, preferences: preferences)
    next.clock.advance(by: Self.day / 2)
    let model = ExplorerModel(next.window)
    await again.load()
    await next.window.activate()?.value
    #expect(model.request == ExplorerRequest(.get, "/me/typed"))
  }

  @Test("Nothing is kept when the person does not want that, neither sent nor typed")
  func nothing() async throws {
    try add("/me/before")
    #expect(model.list.keepsRequests)
    preferences.requestRetention = .nothing
    while !addresses.isEmpty { await Task.yield() }
    model.request = ExplorerRequest(.get, "/me/after")
    await model.send()?.value
    model.request = ExplorerRequest(.get, "/me/typed")
    model.close()
    await history.finishWriting()
    #expect(model.list.isHistoryEmpty && !model.list.keepsRequests && kept.isEmpty)
    // The page itself is as it was written.
    #expect(model.request.address == "/me/typed")
  }

  @Test("Undo brings no requests back that are too old by then")
  func undo() async throws {
    var undo: (@MainActor () -> Void)?
    let observer = model.undos.add { undo = $0.1 }
    try add("/me/older")
    page.clock.advance(by: 2 * Self.day)
    try add("/me/newer")
    model.clearHistory()
    preferences.requestRetention = .day
    let bringBack = try #require(undo)
    bringBack()
    #expect(addresses == ["/me/newer"])
    withExtendedLifetime(observer) {}
  }

  @Test("The times are said in words")
  func words() {
    #expect(
      RequestRetention.allCases.map(\.label)
        == ["Do not keep", "1 day", "7 days", "30 days", "Forever"])
  }
}
