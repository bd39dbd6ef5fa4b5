import AuthCore
import CurlHTTP
import Connections
@testable import EntranceKit
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
  let clock = ManualClock()

  init() throws {
    directory = try TemporaryDirectory()
  }

  /// A page whose store looks for the key of encrypted files in the directory `credentials`.
  func page(
    _ storage: StorageKind? = nil, credentials: String = "/none"
  ) throws -> AccountModel {
    let configuration = try TestApplication.configuration()
    let store = ChosenStore(setting: storage, directory: directory.path, credentials: credentials)
    let connection = Connection(
      name: "Test", application: configuration, scopes: ["User.Read"],
      api: "https://graph.microsoft.com/v1.0/me", storage: storage)
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

  /// A page of encrypted files with the accounts of Adele and Ben, of which Ben's file is refused.
  func withRefusedFile() async throws -> (page: AccountModel, file: String) {
    try directory.write("entrance.store-key", String(repeating: "k", count: 32))
    let first = try page(.encryptedFile, credentials: directory.path)
    await first.callGraph()?.value
    let names = directory.names(in: "accounts")
    authority.willSignIn(.ben)
    clock.advance(by: 1)
    await first.window.accounts.add()?.value
    let file = try #require(directory.names(in: "accounts").first { !names.contains($0) })
    for row in first.state.rows {
      first.window.accounts.rename(row.id, to: "Name of \(row.username)")
    }
    await first.window.activate()?.value
    authority.willSignIn(.adele)
    chmod("\(directory.path)/accounts/\(file)", 0o644)
    return (try page(.encryptedFile, credentials: directory.path), file)
  }

  /// All that the files in a directory have, after everything was written.
  func kept(_ name: String, by page: AccountModel) async throws -> String {
    await page.window.workspace.accountNotes.finishWriting()
    await page.window.workspace.history.finishWriting()
    return try directory.names(in: name).map {
      String(decoding: try directory.read("\(name)/\($0)"), as: UTF8.self)
    }.joined()
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
  func offersPassphrase() async throws {
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
    states = []
    #expect(dialog.submit(Secret("correct horse"), repeated: Secret("correct hors")) == nil)
    #expect(states.last?.problem == "The passphrases do not match.")
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
    #expect(second.state.accountText == "Account Not Available")
    #expect(
      lines().last?.hasPrefix("Couldn't query current account with error: The accounts are in")
        == true)
    #expect(second.state.notices.map(\.buttons.first?.label) == ["_Enter Passphrase…"])
    let next = try #require(await second.window.storage.makePassphraseModel())
    #expect(!next.isNew)
    await next.submit(Secret("wrong"), repeated: Secret(""))?.value
    let state = EntranceIdentity.stateDirectory
    #expect(
      next.state.problem == "This passphrase is wrong. If you forgot it, run "
        + "'mv \"\(state)\" \"\(state).old\"' and sign in again.")
    #expect(!next.state.isBusy && !next.state.isDone)
    await next.submit(Secret("correct horse"), repeated: Secret(""))?.value
    await wait(for: second) { $0.username != nil && $0.notices.isEmpty }
    #expect(second.state.username == "adele@contoso.example")
    // The log follows the page.
    while lines().last?.hasPrefix("Found a signed in account adele@contoso.example.") != true {
      await Task.yield()
    }
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
    #expect(notice.text.contains("passphrase.json”: it is damaged"))
    #expect(notice.buttons.first?.action == .readAgain)
    // Once it is what it was, the passphrase is asked for.
    unlink("\(directory.path)/passphrase.json")
    await page.window.storage.unlock()?.value
    #expect(await page.window.storage.makePassphraseModel()?.isNew == true)
  }

  @Test("The user is warned once, before the pages open, that the account cannot be stored")
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
    #expect(notice.text.contains("accounts.json” was not used: "))
    #expect(notice.text.contains("chmod go-w"))
    await page.callGraph()?.value
    #expect(page.state.username == "adele@contoso.example")
    #expect(page.state.notices.contains { $0.text.contains("chmod go-w") })
  }

  @Test("What is noted about an account is kept while its file cannot be read")
  func refusedFile() async throws {
    let (page, file) = try await withRefusedFile()
    await page.window.activate()?.value
    #expect(page.state.rows.map(\.title) == ["Name of adele@contoso.example"])
    #expect(page.state.notices.contains { $0.text.contains("was refused: ") })
    // The store tells of it only once.
    clock.advance(by: 7200)
    await page.callGraph()?.value
    await page.window.activate()?.value
    chmod("\(directory.path)/accounts/\(file)", 0o600)
    let next = try self.page(.encryptedFile, credentials: directory.path)
    await next.window.activate()?.value
    #expect(
      Set(next.state.rows.map(\.title)) == [
        "Name of adele@contoso.example", "Name of ben@contoso.example",
      ])
  }

  @Test("While an account cannot be read, the selection follows a sign-in and a sign-out")
  func selectionWhileRefused() async throws {
    let (page, _) = try await withRefusedFile()
    await page.window.activate()?.value
    page.window.accounts.select(try #require(page.state.rows.first).id)
    authority.willSignIn(.megan)
    clock.advance(by: 1)
    await page.window.accounts.add()?.value
    #expect(page.state.username == Person.megan.username)
    let next = try self.page(.encryptedFile, credentials: directory.path)
    await next.window.activate()?.value
    #expect(next.state.username == Person.megan.username)
    await page.signOut.signOut()?.value
    let kept = try await kept("selection", by: page)
    #expect(!kept.contains(Person.megan.objectID))
    #expect(kept.contains("Name of ben@contoso.example"))
  }

  @Test("An account that cannot be read is asked about, and its file removed with its app")
  func removedApp() async throws {
    let (_, file) = try await withRefusedFile()
    let store = ChosenStore(
      setting: .encryptedFile, directory: directory.path, credentials: directory.path)
    let application = PublicClientApplication(
      configuration: try TestApplication.configuration(), store: store)
    let list = ConnectionList(
      files: ConnectionFiles(own: "\(directory.path)/apps.json"),
      check: { _ throws(AuthenticationError) in RegistrationCheck(isConfirmed: true) },
      application: { _ in application }, store: { _ in store })
    let editor = list.makeEditor()
    var form = editor.form
    form.draft.name = "Contoso"
    form.draft.clientID = "11111111-2222-3333-4444-555555555555"
    editor.save(form)
    for account in await application.accounts() { try await application.remove(account) }
    // The store tells of it only once.
    #expect(directory.names(in: "accounts").contains(file))
    #expect(await list.warning(beforeRemoving: "Contoso") != nil)
    #expect(await list.signOut(of: "Contoso"))
    #expect(!directory.names(in: "accounts").contains(file))
  }

  @Test("Files have nothing of an account that is only in memory, until there is a place for it")
  func onlyInMemory() async throws {
    let page = try page()
    await page.window.activate()?.value
    await page.callGraph()?.value
    page.window.accounts.rename(try #require(page.state.rows.first).id, to: "Work")
    let model = ExplorerModel(page.window)
    defer { model.close() }
    await model.send()?.value
    #expect(!model.list.history.isEmpty)
    #expect(try await kept("selection", by: page).isEmpty)
    #expect(try await !kept("history", by: page).contains(Person.adele.objectID))
    let dialog = try #require(await page.window.storage.makePassphraseModel())
    await dialog.submit(Secret("correct horse"), repeated: Secret("correct horse"))?.value
    await wait(for: page) { $0.notices.isEmpty }
    await page.window.status.finishWork()
    #expect(try await kept("selection", by: page).contains("Work"))
    #expect(try await kept("history", by: page).contains(Person.adele.objectID))
  }

  @Test("What is noted about accounts is kept while there is no place for them")
  func noPlace() async throws {
    let first = try page(.plainFile)
    await first.callGraph()?.value
    first.window.accounts.rename(try #require(first.state.rows.first).id, to: "Work")
    await first.window.activate()?.value
    let second = try page()
    await second.window.activate()?.value
    #expect(second.state.notices.first?.buttons.first?.action == .enterPassphrase)
    authority.willSignIn(.ben)
    await second.callGraph()?.value
    await second.window.activate()?.value
    #expect(second.state.username == "ben@contoso.example")
    let kept = try await kept("selection", by: second)
    #expect(kept.contains("Work") && !kept.contains(Person.ben.objectID))
    let next = try page(.plainFile)
    await next.window.activate()?.value
    #expect(next.state.rows.map(\.title) == ["Work"])
  }

  @Test("The selection and what is noted are kept when somebody signs in while the store is locked")
  func signInWhileLocked() async throws {
    let files = try TemporaryDirectory()
    let first = try Page(files: files)
    await first.model.callGraph()?.value
    first.window.accounts.rename(try first.row(.adele).id, to: "Work")
    await first.window.activate()?.value
    let page = try Page(store: first.store, files: files)
    page.store.fail(.load, .save)
    page.authority.willSignIn(.ben)
    await page.model.callGraph()?.value
    await page.window.activate()?.value
    #expect(page.model.state.username == "ben@contoso.example")
    page.store.fail()
    let next = try Page(store: first.store, files: files)
    await next.window.activate()?.value
    #expect(next.model.state.username == "adele@contoso.example")
    #expect(try next.row(.adele).title == "Work")
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
    #expect(next.state.loadState == .known && next.state.username == nil)
  }

  @Test("Move to Keyring returns why the accounts were not moved, or what prevents it")
  func notMoved() async throws {
    let page = try page(.plainFile)
    let list = ConnectionList(files: ConnectionFiles(own: "\(directory.path)/apps.json")) {
      _ throws(AuthenticationError) in RegistrationCheck(isConfirmed: true)
    }
    #expect(
      await page.window.storage.moveToKeyring(list)
        == "The accounts were not moved into the keyring: there is no keyring.")
    // The preferences say it.
    #expect(page.state.outcome == nil && page.state.notices.isEmpty)
    let sent = authority.hangNext(.token)
    let signIn = page.window.accounts.add()
    for await _ in sent { break }
    #expect(
      await page.window.storage.moveToKeyring(list) == "Finish or cancel the other sign-in first.")
    page.window.status.cancel()
    await signIn?.value
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
    #expect(new.explanation.contains("If you forget it, you have to sign in again."))
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
