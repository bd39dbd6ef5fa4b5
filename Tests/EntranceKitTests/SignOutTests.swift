import AuthCore
import Connections
import CurlHTTP
@testable import EntranceKit
import FoundationEssentials
import TestSupport
import Testing

/// *Sign Out*: what is asked, what is done, and what is said about each part.
@MainActor @Suite("Signing out of the page")
struct SignOutTests {
  nonisolated static let allChoices: [SignOutChoice] = [.thisApp, .signInPage, .everywhere]

  nonisolated static let busy = {
    var error = AuthenticationError(.serverUnavailable, "The service is busy.")
    error.retryAfter = .seconds(60)
    return error
  }()

  /// A page where Adele is signed in, and whose sign-in page remembers that.
  func page(
    _ preferences: Preferences? = nil, pages: ScriptedPages? = nil,
    authority: ScriptedAuthority = ScriptedAuthority(), isShared: Bool = false
  ) async throws -> Page {
    let page = try Page(
      authority: authority, pages: pages, isShared: isShared,
      preferences: preferences ?? keepingSession)
    await page.model.callGraph()?.value
    _ = page.takeLog()
    return page
  }

  /// Puts the account into the store for another app, too.
  func share(_ page: Page) throws {
    let record = try #require(page.store.records.first)
    let text = String(decoding: record.contents.exposed, as: UTF8.self)
    let other = text.replacing(
      TestApplication.clientID, with: "00001111-aaaa-2222-bbbb-3333cccc4444")
    page.store.records += [StoredRecord(id: "other", contents: Secret(Data(other.utf8)))]
  }

  private var keepingSession: Preferences {
    Preferences(MemorySettings(["keep-web-session": .flag(true)]))
  }

  // MARK: - The question

  @Test("Only choices that make a difference are offered")
  func choices() async throws {
    let page = try await page()
    var question = try #require(await page.model.signOut.makeQuestion())
    // A name may be long, and would break a heading.
    #expect(question.title == "Sign Out?" && question.text == "adele@contoso.example")
    #expect(
      question.options.map(\.title) == ["“Test” only", "“Test” and its sign-in page"])
    try share(page)
    question = try #require(await page.model.signOut.makeQuestion())
    #expect(question.options.map(\.choice) == Self.allChoices)
    #expect(question.selected == .thisApp)
    #expect(question.options[2].explanation.contains("Other devices"))
  }

  @Test("When sign-in pages keep no session, there is nothing to choose")
  func noSession() async throws {
    let preferences = Preferences(MemorySettings())
    let page = try await page(preferences)
    let question = try #require(await page.model.signOut.makeQuestion())
    #expect(question.options.isEmpty)
    #expect(question.text.contains("stay signed in"))
    preferences.keepsWebSession = true
    #expect(await page.model.signOut.makeQuestion()?.options.count == 2)
  }

  @Test("Without a sign-out page, its choice is not offered", arguments: [true, false])
  func noPage(hasPage: Bool) async throws {
    let authority = ScriptedAuthority(host: "id.contoso.example", kind: .oidc)
    if !hasPage { authority.edit(.configuration) { $0["end_session_endpoint"] = nil } }
    let url = "https://id.contoso.example/realms/one"
    let configuration = try TestApplication.configuration(
      authority: url, known: [url], kind: .oidc)
    let page = try Page(
      authority: authority,
      connection: Connection(
        name: "Test", application: configuration, scopes: ["email"],
        api: "https://graph.microsoft.com/v1.0/me"),
      preferences: keepingSession)
    await page.model.callGraph()?.value
    let question = try #require(await page.model.signOut.makeQuestion())
    #expect(question.options.map(\.choice).contains(.signInPage) == hasPage)
    #expect(question.text.hasSuffix("choose “Delete Now” in the preferences.") != hasPage)
  }

  @Test("The last choice is preselected, as long as it is offered")
  func lastChoice() async throws {
    let preferences = keepingSession
    let page = try await page(preferences)
    await page.model.signOut.signOut(.signInPage)?.value
    #expect(preferences.signOutChoice == .signInPage)
    await page.model.callGraph()?.value
    #expect(await page.model.signOut.makeQuestion()?.selected == .signInPage)
    preferences.signOutChoice = .everywhere
    #expect(await page.model.signOut.makeQuestion()?.selected == .thisApp)
  }

  @Test("A shared device offers no choice, and nobody means no question")
  func others() async throws {
    let shared = try await page(isShared: true)
    let question = try #require(await shared.model.signOut.makeQuestion())
    #expect(question.options.isEmpty)
    #expect(question.text.hasPrefix("All accounts are removed from this computer"))
    #expect(await (try Page()).model.signOut.makeQuestion() == nil)
  }

  @Test("The question names the other apps that have the account, those with the same client ID")
  func sameClient() async throws {
    let authority = ScriptedAuthority()
    let desktop = ScriptedDesktop(authority.pages)
    let page = try Page(
      authority: authority, desktop: desktop, preferences: Preferences(MemorySettings()))
    await page.model.callGraph()?.value
    var other = page.workspace.connection
    var elsewhere = other
    (other.name, elsewhere.name) = ("Mail", "Factory")
    elsewhere.application = try TestApplication.configuration(
      authority: "https://login.microsoftonline.us/common", known: [])
    desktop.connections = [page.workspace.connection, other, elsewhere]
    var question = try #require(await page.model.signOut.makeQuestion())
    #expect(
      question.text
        == "adele@contoso.example\nThe account is removed from “Test”, and from the apps with the same client ID: “Mail”. Other devices stay signed in."
    )
    page.workspace.preferences.keepsWebSession = true
    question = try #require(await page.model.signOut.makeQuestion())
    #expect(
      question.options.map(\.title) == ["These apps only", "These apps and their sign-in page"])
    #expect(
      question.text
        == "adele@contoso.example\nThe account is removed from “Test”, and from the apps with the same client ID: “Mail”."
    )
  }

  @Test("An account is signed out without being selected")
  func notSelected() async throws {
    let page = try await page()
    page.authority.willSignIn(.ben)
    await page.window.accounts.add()?.value
    let id = try page.row(.adele).id
    let question = try #require(await page.model.signOut.makeQuestion(id))
    #expect(question.text.hasPrefix("adele@contoso.example"))
    await page.model.signOut.signOut(.thisApp, id)?.value
    #expect(page.model.state.rows.map(\.id.account.homeAccountID) == [Person.ben.identifier])
    #expect(page.model.state.username == Person.ben.username)
    #expect(page.toasts.last == "Signed out adele@contoso.example.")
    #expect(await page.model.signOut.makeQuestion(id) == nil)
  }

  @Test("On a shared device, the log forgets the account that was signed out")
  func logOfSharedDevice() async throws {
    let page = try await page(isShared: true)
    await page.model.callGraph()?.value
    #expect(page.log.contains { $0.contains("Adele") })
    await page.model.signOut.signOut()?.value
    #expect(page.log == ["Sign out completed successfully"])
  }

  // MARK: - The choices

  @Test("Each choice does what it says", arguments: allChoices)
  func choice(_ choice: SignOutChoice) async throws {
    let page = try await page()
    try share(page)
    await page.model.signOut.signOut(choice)?.value
    #expect(page.takeLog() == ["Sign out completed successfully"])
    #expect(page.toasts == ["Signed out"])
    // The toast says it already.
    #expect(page.model.state.outcome == nil)
    #expect(page.model.state.username == nil)
    #expect(page.model.state.notices.isEmpty)
    #expect(page.authority.pagesShown.count == (choice == .thisApp ? 1 : 2))
    #expect(page.store.records.map(\.id) == (choice == .everywhere ? [] : ["other"]))
  }

  @Test("A closed sign-out page is reported, and Try Again repeats only that")
  func closedPage() async throws {
    let authority = ScriptedAuthority()
    let closes = LockedValue(false)
    let (open, closed) = (authority.pages, authority.closedPages)
    let pages = ScriptedPages { request throws(AuthenticationError) in
      try await (closes.withLock { $0 } ? closed : open).authenticate(request)
    }
    let page = try await page(pages: pages, authority: authority)
    closes.withLock { $0 = true }
    await page.model.signOut.signOut(.signInPage)?.value
    let notice = try #require(page.model.state.notices.first)
    #expect(
      notice.text == "You are signed out of “Test”, but not everything was removed."
        + " The sign-in page may still remember you.")
    #expect(notice.buttons.map(\.action) == [.signOutAgain, .dismissSignOut])
    #expect(notice.details.first?.hasPrefix("The sign-out page was closed before") == true)
    #expect(page.takeLog().first?.hasPrefix("Couldn't sign out account with error: ") == true)
    #expect(page.toasts.isEmpty)
    #expect(page.model.state.username == nil)
    #expect(page.store.records.isEmpty)

    // Closed again, then completed.
    let deletions = page.store.count(.delete)
    await page.model.signOut.tryAgain()?.value
    #expect(page.model.state.notices.map(\.id) == ["sign-out"])
    closes.withLock { $0 = false }
    await page.model.signOut.tryAgain()?.value
    #expect(page.model.state.notices.isEmpty)
    #expect(page.takeLog().last == "Sign out completed successfully")
    #expect(page.store.count(.delete) == deletions)
    // The page still knows whose session it ends.
    #expect(
      page.authority.authorization["logout_hint"] ?? page.authority.authorization["id_token_hint"]
        != nil)
    #expect(page.model.signOut.tryAgain() == nil)
  }

  @Test("The window of the sign-out page has no other way to sign in")
  func window() async throws {
    let authority = ScriptedAuthority()
    let desktop = ScriptedDesktop(authority.pages)
    let page = try Page(authority: authority, desktop: desktop, preferences: keepingSession)
    await page.model.callGraph()?.value
    #expect([desktop.windows, desktop.signOutWindows] == [1, 0])
    await page.model.signOut.signOut(.signInPage)?.value
    #expect([desktop.windows, desktop.signOutWindows] == [2, 1])
  }

  @Test(
    "A sign-out page that cannot be shown has one notice, without buttons for signing in",
    arguments: [
      AuthenticationError(.webAuthenticationFailed, "No page."),
      AuthenticationError(.networkUnavailable, "No network."), busy,
    ])
  func noPage(_ error: AuthenticationError) async throws {
    let authority = ScriptedAuthority()
    let fails = LockedValue(false)
    let open = authority.pages
    let pages = ScriptedPages { request throws(AuthenticationError) in
      if fails.withLock({ $0 }) { throw error }
      return try await open.authenticate(request)
    }
    let page = try await page(pages: pages, authority: authority)
    fails.withLock { $0 = true }
    await page.model.signOut.signOut(.signInPage)?.value
    #expect(page.model.state.notices.map(\.id) == ["sign-out"])
    #expect(page.model.state.notices.first?.details.first == "\(error.sentence)")
  }

  @Test("On a full disk the account is gone from this app, and Try Again removes the rest")
  func fullDisk() async throws {
    let page = try await page()
    page.store.fail(.delete)
    await page.model.signOut.signOut(.signInPage)?.value
    #expect(page.model.state.username == nil)
    #expect(page.authority.pagesShown.count == 2)
    let notice = try #require(page.model.state.notices.first { $0.id == "sign-out" })
    #expect(notice.text.contains("could not be removed from storage"))
    #expect(!notice.text.contains("sign-in page"))
    page.store.fail()
    await page.model.signOut.tryAgain()?.value
    #expect(page.model.state.notices.isEmpty)
    #expect(page.store.records.isEmpty)
    #expect(page.authority.pagesShown.count == 2)
  }

  @Test("The notice goes when it is dismissed, and when the account signs in again")
  func notice() async throws {
    let page = try await page()
    page.store.fail(.delete)
    await page.model.signOut.signOut()?.value
    page.model.signOut.dismiss()
    #expect(page.model.state.notices.map(\.id) == ["storage"])
    #expect(page.model.signOut.tryAgain() == nil)
    page.store.fail()
    await page.model.callGraph()?.value
    page.store.fail(.delete)
    await page.model.signOut.signOut()?.value
    page.store.fail()
    await page.model.callGraph()?.value
    #expect(page.model.state.username != nil)
    #expect(page.model.state.notices.isEmpty)
  }

  // MARK: - All data

  @Test("Clear All Data removes all accounts of all apps, and the log")
  func clearAll() async throws {
    let page = try await page()
    let cleared = LockedValue(0)
    await page.window.storage.clearAllData {
      cleared.withLock { $0 += 1 }
      return []
    }?.value
    #expect(cleared.withLock { $0 } == 1)
    #expect(page.model.state.username == nil)
    #expect(page.store.records.isEmpty)
    #expect(page.log == ["All data was cleared."])
    await page.model.callGraph()?.value
    page.store.fail(.delete)
    await page.window.storage.clearAllData()?.value
    #expect(page.log.first?.hasPrefix("Some data was not cleared: ") == true)
    #expect(page.toasts == ["All data cleared"])
    #expect(page.model.state.notices.contains { $0.text == "Some data could not be cleared." })
    page.store.fail()
    await page.window.storage.clearAllData()?.value
    #expect(page.model.state.notices.isEmpty)
  }

  // MARK: - All accounts

  @Test("All accounts are signed out, of other connections too, and only when the user says so")
  func all() async throws {
    let page = try await page()
    page.authority.willSignIn(.ben)
    await page.window.accounts.add()?.value
    let other = try await self.page()
    let applications = [other.application]
    let question = try #require(await page.model.signOut.makeQuestionForAll(applications))
    #expect(question.title == "Sign Out All Accounts?")
    #expect(
      question.options.map(\.title) == ["Entrance only", "Entrance and its sign-in page"])
    #expect(page.store.records.count == 2 && other.store.records.count == 1)
    await page.model.signOut.signOutAll(.thisApp, applications)?.value
    #expect(page.store.records.isEmpty && other.store.records.isEmpty)
    #expect(page.model.state.rows.isEmpty)
    #expect(page.toasts.last == "Signed out")
    #expect(await page.model.signOut.makeQuestionForAll(applications) == nil)
  }

  @Test(
    "What was requested for each account that is signed out is forgotten, with its photo",
    .timeLimit(.minutes(5)), arguments: [true, false])
  func forgetsAll(isShared: Bool) async throws {
    let files = try TemporaryDirectory()
    let history = ExplorerHistory()
    let first = try Page(files: files, history: history)
    for person in [Person.adele, .ben] {
      first.authority.willSignIn(person)
      first.authority.next(.photo) { _ in PhotoTests.reply(PhotoTests.png(96, 96)) }
      await first.window.accounts.add()?.value
      try await first.wait { $0.picture != nil }
      let explorer = ExplorerModel(first.window)
      await explorer.send()?.value
      explorer.close()
    }
    // A file has another name while it is written.
    func photos() -> [String] { files.names(in: "photos").filter { !$0.hasSuffix(".new") } }
    while photos().count < 2 { await Task.yield() }
    #expect(history.entries.count == 2)
    // Such an app does not know at once which accounts there are.
    let page = try Page(
      store: first.store, isShared: isShared, broker: ScriptedBroker(accessToken: "token"),
      files: files, history: history)
    await page.window.activate()?.value
    #expect(photos().count == 2)
    if isShared {
      await page.model.signOut.signOut()?.value
    } else {
      await page.model.signOut.signOutAll(.thisApp, [])?.value
    }
    while !history.entries.isEmpty { await Task.yield() }
    #expect(files.names(in: "photos").isEmpty)
  }

  @Test("Accounts of another connection alone are signed out, too")
  func othersOnly() async throws {
    let page = try Page(preferences: Preferences(MemorySettings()))
    let other = try await self.page()
    let question = try #require(
      await page.model.signOut.makeQuestionForAll([other.application]))
    #expect(question.options.isEmpty)
    #expect(question.text.hasPrefix("All accounts are removed from Entrance."))
    await page.model.signOut.signOutAll(.thisApp, [other.application])?.value
    #expect(other.store.records.isEmpty)
    #expect(page.model.state.outcome == nil && page.toasts.last == "Signed out")
  }

  @Test("What remains of all accounts is reported")
  func allFailing() async throws {
    let page = try Page(preferences: Preferences(MemorySettings()))
    let other = try await self.page()
    other.store.fail(.delete)
    await page.model.signOut.signOutAll(.thisApp, [other.application])?.value
    #expect(page.log.contains { $0.hasPrefix("Couldn't sign out account with error: ") })
    #expect(!page.toasts.contains("Signed out"))
    let notice = try #require(page.model.state.notices.first { $0.id == "sign-out" })
    #expect(notice.text == "Some accounts could not be signed out.")
    #expect(notice.canBeDismissed && !notice.details.isEmpty)
    #expect(page.model.state.outcome == nil)
    other.store.fail()
    await page.model.signOut.signOutAll(.thisApp, [other.application])?.value
    #expect(page.model.state.notices.isEmpty)
  }
}
