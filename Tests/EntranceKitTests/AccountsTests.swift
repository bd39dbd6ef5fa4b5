import AuthCore
import CurlHTTP
import EntranceKit
import FoundationEssentials
import TestSupport
import Testing

@MainActor @Suite("Several accounts", .timeLimit(.minutes(5)))
struct AccountsTests {
  /// A page on which Adele and Ben have signed in, with Ben selected.
  func twoAccounts(
    files: TemporaryDirectory? = nil, pages: ScriptedPages? = nil, notes: AccountNotesFile? = nil
  ) async throws -> Page {
    let page = try Page(pages: pages, files: files, accountNotes: notes)
    await page.model.callGraph()?.value
    page.authority.willSignIn(.ben)
    page.clock.advance(by: 1)
    await page.window.accounts.add()?.value
    return page
  }

  @Test("An added account is selected, and each call is for the selected one")
  func addAndSwitch() async throws {
    let page = try await twoAccounts()
    #expect(page.authority.authorization["prompt"] == "select_account")
    #expect(page.model.state.username == "ben@contoso.example")
    #expect(page.model.state.rows.map(\.title) == ["Ben Walters", "Adele Vance"])
    #expect(page.model.state.rows.map(\.isSelected) == [true, false])
    #expect(
      page.model.state.rows.first?.details
        == "ben@contoso.example · Work or school account")
    #expect(page.authority.count(.api) == 1)
    _ = page.takeLog()

    page.window.accounts.select(try page.row(.adele).id)
    #expect(page.model.state.username == "adele@contoso.example")
    #expect(page.takeLog() == ["Switched to adele@contoso.example · contoso.example."])
    await page.model.callGraph()?.value
    #expect(page.lastAuthorization == "Bearer access-canary-1")
    let lines = page.takeLog()
    let name = "Account: adele@contoso.example · contoso.example\n"
    #expect(lines.count == 2)
    #expect(lines.first?.hasPrefix("\(name)Access token is ") == true)
    #expect(lines.last?.hasPrefix("\(name)Result from Graph: {") == true)

    page.window.accounts.select(try page.row(.ben).id)
    await page.model.callGraph()?.value
    #expect(page.lastAuthorization == "Bearer access-canary-2")
    // Coming to the foreground does not change the selection.
    page.window.accounts.select(try page.row(.adele).id)
    await page.window.activate()?.value
    #expect(page.model.state.username == "adele@contoso.example")
  }

  @Test("An account of another service is not offered, even with the same client ID")
  func otherService() async throws {
    let store = ScriptedStore()
    let there = try Page(host: "login.contoso.example", store: store)
    await there.model.callGraph()?.value
    #expect(there.model.state.rows.map(\.username) == ["adele@contoso.example"])

    let here = try Page(store: store)
    await here.window.activate()?.value
    #expect(here.model.state.rows.isEmpty && here.model.state.username == nil)
    // It is still there for the app of its own service.
    await there.window.activate()?.value
    #expect(there.model.state.username == "adele@contoso.example")
  }

  @Test("With one account, no line of the log names it")
  func oneAccount() async throws {
    let page = try Page()
    await page.model.callGraph()?.value
    #expect(page.model.state.rows.count == 1)
    #expect(page.log.last?.hasPrefix("Result from Graph: {") == true)
    #expect(!page.log.joined().contains("Account:"))
  }

  @Test("The selected account is remembered, and nothing else")
  func restart() async throws {
    let files = try TemporaryDirectory()
    let first = try await twoAccounts(files: files)
    first.window.accounts.select(try first.row(.adele).id)
    await first.window.activate()?.value
    let name = try #require(files.names(in: "selection").first)
    #expect(files.mode("selection") == 0o700)
    #expect(files.mode("selection/\(name)") == 0o600)
    let text = String(decoding: try files.read("selection/\(name)"), as: UTF8.self)
    func members(_ person: Person) -> String {
      #""account":"\#(person.identifier)","cloud":"login.microsoftonline.com""#
    }
    // The days are those on which they were last used.
    let days = text.replacing(/"day":\d+/, with: #""day":0"#)
    let notes = [Person.adele, .ben].map { #"{\#(members($0)),"day":0}"# }
    #expect(
      [notes, notes.reversed()].map {
        #"{\#(members(.adele)),"accounts":[\#($0.joined(separator: ","))]}"#
      }.contains(days))

    let page = try Page(store: first.store, files: files)
    await page.window.activate()?.value
    #expect(page.model.state.username == "adele@contoso.example")
    // Without the file, it is the last account to sign in.
    let other = try Page(store: first.store)
    await other.window.activate()?.value
    #expect(other.model.state.username == "ben@contoso.example")

    await page.model.signOut.signOut(.thisApp, try page.row(.adele).id)?.value
    await page.model.signOut.signOut(.thisApp, try page.row(.ben).id)?.value
    #expect(files.names(in: "selection").isEmpty)
  }

  @Test(
    "A damaged file changes nothing", arguments: ["", "{", "[]", #"{"account": 1, "cloud": "x"}"#])
  func damagedFile(text: String) async throws {
    let files = try TemporaryDirectory()
    let first = try await twoAccounts(files: files)
    let name = try #require(files.names(in: "selection").first)
    try files.write("selection/\(name)", text)
    let page = try Page(store: first.store, files: files)
    await page.window.activate()?.value
    #expect(page.model.state.username == "ben@contoso.example")
  }

  @Test("Two windows keep each other's names of accounts")
  func twoWindows() async throws {
    let files = try TemporaryDirectory()
    let notes = AccountNotesFile(in: "\(files.path)/selection", of: "Test")
    let first = try await twoAccounts(files: files, notes: notes)
    let second = try Page(store: first.store, files: files, accountNotes: notes)
    await second.window.activate()?.value
    first.window.accounts.rename(try first.row(.ben).id, to: "Ben at work")
    #expect(try second.row(.ben).title == "Ben at work", "at once, without the focus")
    second.window.accounts.rename(try second.row(.adele).id, to: "Adele at home")
    second.window.accounts.select(try second.row(.adele).id)
    for page in [first, second, first] { await page.window.activate()?.value }

    let next = try Page(store: first.store, files: files)
    await next.window.activate()?.value
    #expect(try next.row(.ben).title == "Ben at work")
    #expect(try next.row(.adele).title == "Adele at home")
  }

  @Test("The list shows when an account was last used")
  func lastUse() async throws {
    let files = try TemporaryDirectory()
    let page = try await twoAccounts(files: files)
    #expect(try page.row(.ben).lastUse == "Last used today")
    for (days, words) in [(1.0, "Last used yesterday"), (3, "Last used 3 days ago")] {
      let next = try Page(store: page.store, files: files)
      next.clock.advance(by: days * 86_400)
      await next.window.activate()?.value
      #expect(try next.row(.ben).lastUse == words)
      #expect(try next.row(.adele).lastUse == words)
    }
    let next = try Page(store: page.store, files: files)
    next.authority.willSignIn(.ben)
    next.clock.advance(by: 86_400)
    await next.model.callGraph()?.value
    #expect(try next.row(.ben).lastUse == "Last used today")
    #expect(try next.row(.adele).lastUse == "Last used yesterday")
  }

  @Test("An account that is signed out leaves the list, the store and the log; another is selected")
  func signedOut() async throws {
    let page = try await twoAccounts()
    page.model.log.setShowsFullTokens(true)
    let pages = page.authority.pagesShown.count
    await page.model.signOut.signOut(.thisApp, try page.row(.ben).id)?.value
    #expect(page.model.state.rows.map(\.username) == ["adele@contoso.example"])
    #expect(page.model.state.username == "adele@contoso.example")
    #expect(
      page.log.last
        == "Signed out ben@contoso.example. Switched to adele@contoso.example.")
    #expect(page.toasts.last == page.log.last)
    #expect(!page.log.joined().contains("access-canary-2"))
    #expect(page.store.records.count == 1)
    #expect(page.authority.pagesShown.count == pages)
    await page.model.signOut.signOut()?.value
    #expect(page.model.state.rows.isEmpty)
    #expect(page.model.state.accountText == "Signed out")
  }

  @Test("Signing out selects the other account")
  func signOut() async throws {
    let page = try await twoAccounts()
    await page.model.signOut.signOut()?.value
    #expect(page.model.state.username == "adele@contoso.example")
    #expect(page.log.last?.contains("Switched to adele@contoso.example") == true)
  }

  @Test("A toast names the work that prevents a switch or another account")
  func obstacle() async throws {
    let page = try await twoAccounts()
    let adele = try page.row(.adele).id
    let (gate, opening) = AsyncStream<Void>.makeStream()
    page.authority.next(.token) { [authority = page.authority] call in
      for await _ in gate {}
      return authority.usualReply(to: call)
    }
    let renewal = TokensModel(page.window).renew()
    #expect(!page.window.accounts.select(adele) && page.window.accounts.add() == nil)
    let obstacle = "Another operation is in progress. Wait until it ends, or cancel it."
    #expect(page.toasts == [obstacle, obstacle])
    #expect(page.window.accounts.select(try page.row(.ben).id))
    opening.finish()
    await renewal?.value
    #expect(page.window.accounts.select(adele) && page.toasts.last == "Tokens renewed")
  }

  // MARK: - Sign-in required

  @Test("An account whose refresh token was rejected needs a sign-in, and is marked")
  func needsSignIn() async throws {
    let authority = ScriptedAuthority()
    let closing = ClosingPages(authority)
    let page = try Page(authority: authority, pages: closing.pages)
    await page.model.callGraph()?.value
    page.clock.advance(by: 7200)
    page.authority.next(
      .token, status: 400, #"{"error": "invalid_grant", "suberror": "bad_token"}"#)
    closing.areClosed.withLock { $0 = true }
    await page.model.callGraph()?.value
    #expect(try page.row(.adele).needsSignIn)
    #expect(
      page.model.state.subtitle
        == "Sign-in required · adele@contoso.example · Work or school account")
    // The next run finds no tokens.
    let next = try Page(store: page.store)
    next.clock.advance(by: 7200)
    await next.window.activate()?.value
    #expect(try next.row(.adele).needsSignIn)

    closing.areClosed.withLock { $0 = false }
    #expect(next.model.state.offersWays)
    await page.window.accounts.signInAgain(try page.row(.adele).id)?.value
    #expect(page.authority.authorization["login_hint"] == "adele@contoso.example")
    #expect(try !page.row(.adele).needsSignIn)
    #expect(
      page.model.state.subtitle
        == "adele@contoso.example · Work or school account")
  }

  @Test("After a sign-in that was needed and canceled, the page offers to sign in again")
  func signInAgain() async throws {
    let authority = ScriptedAuthority()
    let closing = ClosingPages(authority)
    let page = try Page(authority: authority, pages: closing.pages)
    await page.model.callGraph()?.value
    #expect(!page.model.state.offersWays && !AccountAction.signIn.isPossible(page.model.state))
    page.clock.advance(by: 7200)
    page.authority.next(.token, status: 400, #"{"error": "interaction_required"}"#)
    closing.areClosed.withLock { $0 = true }
    await page.model.callGraph()?.value
    #expect(page.model.state.needsSignIn && page.model.state.offersWays)
    #expect(AccountAction.signIn.isPossible(page.model.state))

    closing.areClosed.withLock { $0 = false }
    // The service is asked again, which it is not at once.
    page.clock.advance(by: 7200)
    page.authority.next(.token, status: 400, #"{"error": "interaction_required"}"#)
    page.authority.forget()
    AccountAction.signIn.perform(page.model, "")
    try await page.wait { $0.work == nil && !$0.needsSignIn }
    #expect(page.authority.authorization["login_hint"] == "adele@contoso.example")
    #expect(page.authority.count(.api) == 0)
    #expect(!page.model.state.offersWays)
  }

  // MARK: - Another's token

  @Test("The token of another account than the selected one is not used")
  func otherSignsIn() async throws {
    let page = try Page()
    await page.model.callGraph()?.value
    page.clock.advance(by: 7200)
    page.authority.next(.token, status: 400, #"{"error": "invalid_grant"}"#)
    page.authority.willSignIn(.ben)
    _ = page.takeLog()
    await page.model.callGraph()?.value
    #expect(page.authority.count(.api) == 1)
    #expect(page.model.state.username == "adele@contoso.example")
    #expect(
      page.log == [
        "The token was not used: it belongs to ben@contoso.example · contoso.example, not to"
          + " adele@contoso.example · contoso.example.\n"
          + "    To use that account, choose “Switch Account or App”."
      ])
    #expect(page.model.state.rows.count == 2)
  }

  @Test("A renewal that returns another account's token is not used")
  func otherRenewed() async throws {
    let authority = ScriptedAuthority()
    let closing = ClosingPages(authority)
    let page = try Page(authority: authority, pages: closing.pages)
    await page.model.callGraph()?.value
    closing.areClosed.withLock { $0 = true }
    page.clock.advance(by: 7200)
    page.authority.willSignIn(.ben)
    _ = page.takeLog()
    await page.model.callGraph()?.value
    #expect(page.authority.count(.api) == 1)
    #expect(page.log.first?.contains("tokens for another account. Nothing was saved.") == true)
    #expect(page.model.state.rows.map(\.username) == ["adele@contoso.example"])
  }

  @Test("A renewal that returns another tenant's token is not used")
  func otherTenant() async throws {
    let page = try Page()
    await page.model.callGraph()?.value
    page.clock.advance(by: 7200)
    page.authority.willSignIn(.adele.asGuest(in: Person.fabrikam, objectID: "guest"))
    page.authority.edit(.configuration) {
      $0["issuer"] = .string("https://login.microsoftonline.com/{tenantid}/v2.0")
    }
    await page.model.callGraph()?.value
    #expect(page.authority.count(.api) == 1)
  }

  // MARK: - Shared devices

  @Test("A shared device has one account, which the next run knows if another program removed it")
  func sharedDevice() async throws {
    let files = try TemporaryDirectory()
    let first = try Page(isShared: true, files: files)
    await first.model.callGraph()?.value
    #expect(!first.model.state.canAddAccounts)
    #expect(first.window.accounts.add() == nil)
    #expect(
      first.toasts == ["This computer is shared. Sign out before another account signs in."])
    #expect(files.names(in: "selection").count == 1)

    // entrancectl signs Adele out.
    first.store.records = []
    var page = try Page(store: first.store, isShared: true, files: files)
    await page.window.activate()?.value
    #expect(
      page.takeLog() == [
        "The account with username adele@contoso.example has been signed out.",
        "Account signed out. Updating UX",
      ])
    #expect(files.names(in: "selection").isEmpty)

    // The program that signed the account out remembers nothing.
    await page.model.callGraph()?.value
    await page.model.signOut.signOut()?.value
    #expect(files.names(in: "selection").isEmpty)
    page = try Page(store: first.store, isShared: true, files: files)
    await page.window.activate()?.value
    #expect(page.takeLog() == ["Account signed out. Updating UX"])
  }

  // MARK: - The identity broker

  @Test("The identity broker's accounts are listed, and can be selected")
  func broker() async throws {
    let page = try Page(broker: ScriptedBroker(accessToken: "broker-token"))
    await page.window.activate()?.value
    try await page.wait { $0.rows.count == 1 }
    #expect(page.model.state.accountText == "Signed out")
    page.window.accounts.select(try page.row(.adele).id)
    await page.model.callGraph()?.value
    #expect(page.authority.pagesShown.isEmpty)
    #expect(page.lastAuthorization == "Bearer broker-token")
    #expect(page.model.state.rows.count == 1)
  }

  @Test("A silent token of another tenant than the selected one is not used")
  func brokerOfAnotherTenant() async throws {
    let broker = ScriptedBroker(accessToken: "broker-token")
    let page = try Page(broker: broker)
    await page.window.activate()?.value
    try await page.wait { $0.rows.count == 1 }
    page.window.accounts.select(try page.row(.adele).id)
    await page.model.callGraph()?.value
    #expect(page.authority.count(.api) == 1)
    _ = page.takeLog()

    broker.tenantID.withLock { $0 = Person.fabrikam }
    page.clock.advance(by: 40_000_000)
    await page.model.callGraph()?.value
    #expect(page.authority.count(.api) == 1, "the API does not get the token")
    #expect(page.log.contains { $0.hasPrefix("The token was not used: it belongs to ") })
    #expect(page.authority.pagesShown.isEmpty)
  }
}
