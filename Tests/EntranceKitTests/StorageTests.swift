import AuthCore
import CurlHTTP
import Connections
import EntranceKit
import FoundationEssentials
import Glibc
import MicrosoftGraph
import TestSupport
import Testing

/// The account page and the passphrase dialog, with a real store and no keyring.
@MainActor @Suite("Storage notices on the page")
struct StorageTests {
  let directory: TemporaryDirectory
  let authority = ScriptedAuthority()
  // The time at which the authority issues tokens.
  let clock = SetClock()

  init() throws {
    directory = try TemporaryDirectory()
  }

  func page(_ storage: StorageKind? = nil) throws -> AccountModel {
    let configuration = try TestApplication.configuration()
    let store = ChosenStore(setting: storage, directory: directory.path, credentials: "/none")
    let connection = Connection(
      name: "Test", application: configuration, scopes: ["User.Read"],
      api: "https://graph.microsoft.com/v1.0/me", storage: storage)
    let clock = clock
    let workspace = Workspace(
      application: PublicClientApplication(
        configuration: configuration, store: store,
        runtime: Runtime(now: { clock.now }, sleep: { _ in }, transport: authority)),
      graph: try GraphClient(api: connection.api, transport: authority), connection: connection,
      store: store, now: { clock.now })
    return AccountModel(WindowModel(workspace, on: ScriptedDesktop(authority.pages)))
  }

  func log(of page: AccountModel) -> () -> [String] {
    var lines: [String] = []
    let observer = page.log.changes.add {
      if case .added(let entry) = $0 { lines.append(entry.text) }
    }
    return { withExtendedLifetime(observer) { lines } }
  }

  /// Waits until the page's state satisfies `condition`.
  func wait(for page: AccountModel, until condition: (AccountState) -> Bool) async {
    while !condition(page.state) { await Task.yield() }
  }

  @Test("Without a keyring the page offers a passphrase; with it, accounts are stored")
  func story() async throws {
    let first = try page()
    await first.callGraph()?.value
    let notice = try #require(first.state.notices.first)
    #expect(notice.buttons.first?.action == .enterPassphrase)
    #expect(first.state.notices.count == 1)
    #expect(notice.style == .warning)
    #expect(notice.text.contains("There is no keyring"))
    #expect(notice.buttons.first?.label == "_Set Passphrase…")

    let dialog = try #require(await first.window.storage.makePassphraseModel())
    #expect(dialog.isNew)
    var states: [PassphraseModel.State] = []
    let observer = dialog.changes.add { states.append($0) }
    defer { withExtendedLifetime(observer) {} }
    #expect(dialog.submit(Secret("correct horse"), repeated: Secret("correct hors")) == nil)
    #expect(dialog.state.problem == "The passphrases do not match.")
    await dialog.submit(Secret("short"), repeated: Secret("short"))?.value
    #expect(dialog.state.problem == "Use at least eight characters.")
    states = []
    await dialog.submit(Secret("correct horse"), repeated: Secret("correct horse"))?.value
    #expect(states.map(\.isBusy) == [true, false])
    #expect(states.map(\.isDone) == [false, true])
    #expect(dialog.submit(Secret("correct horse"), repeated: Secret("correct horse")) == nil)
    await wait(for: first) { $0.notices.isEmpty }
    #expect(await first.window.storage.makePassphraseModel() == nil)

    let second = try page()
    let lines = log(of: second)
    await second.window.activate()?.value
    #expect(second.state.accountText == "Account not available")
    #expect(
      lines().last?.hasPrefix("Couldn't query current account with error: The accounts are in")
        == true)
    #expect(second.state.notices.map(\.buttons.first?.label) == ["_Enter Passphrase…"])
    let next = try #require(await second.window.storage.makePassphraseModel())
    #expect(!next.isNew)
    await next.submit(Secret("wrong"), repeated: Secret(""))?.value
    #expect(next.state.problem == "This passphrase is wrong.")
    #expect(!next.state.isBusy && !next.state.isDone)
    await next.submit(Secret("correct horse"), repeated: Secret(""))?.value
    await wait(for: second) { $0.username != nil && $0.notices.isEmpty }
    #expect(second.state.username == "adele@contoso.example")
    #expect(lines().last?.hasPrefix("Found a signed in account adele@contoso.example.") == true)
  }

  @Test("With the setting for encrypted files, no missing keyring is mentioned")
  func chosen() async throws {
    let page = try page(.encryptedFile)
    await page.window.activate()?.value
    let notice = try #require(page.state.notices.first)
    #expect(!notice.text.contains("keyring"))
    #expect(notice.buttons.first?.label == "_Set Passphrase…")
  }

  @Test("A damaged passphrase file is shown at once, and no passphrase is asked for")
  func damaged() async throws {
    try directory.write("passphrase.json", "{")
    let page = try page()
    await page.window.activate()?.value
    #expect(await page.window.storage.makePassphraseModel() == nil)
    let notice = try #require(page.state.notices.first)
    #expect(notice.text.contains("passphrase.json': it is damaged"))
    #expect(notice.buttons.first?.action == .readAgain)
    // Once it is what it was, the passphrase is asked for.
    unlink("\(directory.path)/passphrase.json")
    await page.window.storage.unlock()?.value
    #expect(await page.window.storage.makePassphraseModel()?.isNew == true)
  }

  @Test("What cannot be kept is said before the pages open, once; then the person may sign in")
  func unwritable() async throws {
    try directory.write("accounts.json", "{}")
    let page = try page(.plainFile)
    await page.window.activate()?.value
    #expect(page.state.notices.isEmpty)
    chmod(directory.path, 0o777)
    await page.callGraph()?.value
    #expect(authority.calls.isEmpty)
    #expect(page.state.username == nil)
    let notice = try #require(page.state.notices.first)
    #expect(notice.text.contains("accounts.json' was not used: "))
    #expect(notice.text.contains("chmod go-w"))
    await page.callGraph()?.value
    #expect(page.state.username == "adele@contoso.example")
    #expect(page.state.notices.contains { $0.text.contains("chmod go-w") })
  }

  @Test("Clear All Data clears what is kept, also where accounts are only in memory")
  func clearKept() async throws {
    let kept = try self.page(.plainFile)
    await kept.callGraph()?.value
    let page = try page(.memory)
    await page.callGraph()?.value
    let store = ChosenStore(setting: .plainFile, directory: directory.path, credentials: "/none")
    await page.window.storage.clearAllData(kept: store)?.value
    #expect(page.state.username == nil && !page.window.storage.hasRemainingData)
    let next = try self.page(.plainFile)
    await next.window.activate()?.value
    #expect(next.state.standing == .known && next.state.username == nil)
  }

  @Test("The dialog has different texts for a new and an existing passphrase")
  func words() {
    let store = ChosenStore(directory: directory.path)
    let (new, known) = (
      PassphraseModel(store: store, isNew: true) {}, PassphraseModel(store: store, isNew: false) {}
    )
    #expect(new.title == "Set a Passphrase" && known.title == "Enter the Passphrase")
    #expect(new.rule == "Use at least eight characters." && known.rule == nil)
    #expect(new.button == "_Set" && known.button == "_Unlock")
    #expect(new.explanation.contains("cannot be recovered"))
    #expect(known.explanation != new.explanation)
  }

  @Test(
    "Device info shows where accounts are stored, after its first line",
    arguments: [
      (StorageKind?.none, "Accounts are remembered until this window is closed"),
      (.plainFile, "Accounts are kept in a file that is not encrypted"),
      (.memory, "Accounts are remembered until this window is closed"),
    ])
  func deviceInformation(storage: StorageKind?, line: String) async throws {
    let page = try page(storage)
    let lines = log(of: page)
    await page.getDeviceInformation()?.value
    let information = try #require(lines().first).split(separator: "\n")
    #expect(information.first == "Received device info. Device is in the private mode.")
    #expect(information.last?.drop { $0 == " " } == line[...])
  }
}
