import AuthCore
import Connections
import CurlHTTP
@testable import EntranceKit
import MicrosoftGraph
import TestSupport
import Testing

/// A keyring that nobody is asked to unlock.
private final class LockableKeyring: KeyringStore {
  private let store = ScriptedStore()
  private let locked = LockedValue(true)

  func setLocked(_ isLocked: Bool) { locked.withLock { $0 = isLocked } }

  func presence() -> KeyringPresence { locked.withLock { $0 } ? .locked : .unlocked }

  private func check() throws(AuthenticationError) {
    guard locked.withLock({ $0 }) else { return }
    var error = AuthenticationError(
      .storageUnavailable, "The keyring of this test is locked.", step: .storage)
    error.reasonForMemory =
      AuthenticationError(.storageUnavailable, "the keyring is locked").sentence
    throw error
  }

  func load() async throws(AuthenticationError) -> [StoredRecord] {
    try check()
    return try await store.load()
  }

  func save(_ record: StoredRecord) async throws(AuthenticationError) {
    try check()
    try await store.save(record)
  }

  func delete(id: String) async throws(AuthenticationError) {
    try check()
    try await store.delete(id: id)
  }
}

/// The account page while the accounts are in a keyring that is locked.
@MainActor @Suite("A locked keyring on the page")
struct LockedKeyringTests {
  private let keyring = LockableKeyring()
  private let authority = ScriptedAuthority()
  private let clock = ManualClock()
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func page() throws -> AccountModel {
    let configuration = try TestApplication.configuration()
    let store = ChosenStore(
      setting: .secretService, keyring: keyring, directory: directory.path, credentials: "/none")
    let connection = Connection(
      name: "Test", application: configuration, scopes: ["User.Read"],
      api: "https://graph.microsoft.com/v1.0/me", storage: .secretService)
    let clock = clock
    let workspace = Workspace(
      application: PublicClientApplication(
        configuration: configuration, store: store,
        runtime: Runtime(now: { clock.now }, sleep: { _ in }, transport: authority)),
      graph: try GraphClient(api: connection.api, transport: authority), connection: connection,
      store: store,
      accountNotes: AccountNotesFile(in: "\(directory.path)/selection", of: "Test"),
      history: ExplorerHistory(in: "\(directory.path)/history", of: "Test"),
      now: { clock.now })
    return AccountModel(WindowModel(workspace, on: ScriptedDesktop(authority.pages)))
  }

  @Test("The accounts come back with Unlock, which says when it could not unlock the keyring")
  func unlock() async throws {
    keyring.setLocked(false)
    let first = try self.page()
    await first.callGraph()?.value
    keyring.setLocked(true)

    let page = try page()
    var toasts: [String] = []
    let observer = page.window.status.toasts.add { toasts.append($0) }
    defer { withExtendedLifetime(observer) {} }
    await page.window.activate()?.value
    #expect(page.state.subtitle == "The keyring is locked")
    #expect(page.state.offersWays)
    #expect(AccountAction.signIn.isPossible(page.state))
    let notice = try #require(page.state.notices.first)
    #expect(notice.text == "The keyring is locked. Unlock it to see your accounts.")
    #expect(notice.buttons == [.init(label: "_Unlock", action: .readAgain)])
    for count in 1...2 {
      await page.window.storage.unlock()?.value
      let text = try #require(page.state.notices.first?.text)
      #expect(text.hasPrefix("The keyring could not be unlocked. Unlock it in the program"))
      #expect(toasts == Array(repeating: "The keyring could not be unlocked", count: count))
    }
    keyring.setLocked(false)
    await page.window.storage.unlock()?.value
    #expect(page.state.username == Person.adele.username)
    #expect(page.state.notices.isEmpty && toasts.count == 2)
  }

  @Test("Only who signs in meanwhile is told that the account is not kept")
  func signIn() async throws {
    let page = try page()
    await page.window.activate()?.value
    await page.window.accounts.signIn()?.value
    #expect(page.state.username == Person.adele.username)
    #expect(
      page.state.notices.map(\.text) == [
        "Accounts are remembered only until Entrance ends, because the keyring is locked."
      ])
  }
}
