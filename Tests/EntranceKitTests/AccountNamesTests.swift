import AuthCore
import EntranceKit
import FoundationEssentials
import TestSupport
import Testing

@MainActor @Suite("What an account is called")
struct AccountNamesTests {
  @Test("A name of any length is shown, up to the length of an address")
  func longName() async throws {
    let page = try Page()
    var person = Person.ben
    person.username = String(repeating: "b", count: 12_000) + "@contoso.example"
    person.name = String(repeating: "B", count: 12_000)
    page.authority.willSignIn(person)
    await page.model.callGraph()?.value
    let row = try #require(page.model.state.rows.first)
    // RFC 5321, section 4.5.3.1: 64 characters, "@" and 255 characters; and an ellipsis.
    #expect(row.username.count == 321 && row.displayName?.count == 321)
    #expect(page.model.state.username?.count == 321)
    #expect(page.window.heading.title.count < 400)
    #expect(row.title.count == 321 && page.model.state.accountText.count == 321)
  }

  @Test("The person's own name is above the user name, which the window's title keeps")
  func ownName() async throws {
    let page = try Page()
    await page.model.callGraph()?.value
    let row = try page.row(.adele)
    let details = "adele@contoso.example · Work or school account"
    #expect(row.title == "Adele Vance" && row.details == details)
    // A screen reader says the title before.
    #expect(row.spokenDetails == details)
    #expect(page.model.state.accountText == "Adele Vance" && page.model.state.subtitle == details)
    #expect(page.model.state.username == "adele@contoso.example")
    #expect(page.window.heading.title == "adele@contoso.example · Test")
    #expect(row.nameAndUsername == "adele@contoso.example")
    // Nobody was asked for it.
    #expect(page.authority.count(.api) == 1)
    let next = try Page(store: page.store)
    await next.window.activate()?.value
    #expect(next.model.state.accountText == "Adele Vance" && next.authority.calls.isEmpty)
  }

  @Test(
    "Without a name, or with one that says no more, the user name stands alone",
    arguments: ["", "  ", "adele@contoso.example"])
  func noName(name: String) async throws {
    let page = try Page()
    var person = Person.adele
    person.name = name
    page.authority.willSignIn(person)
    await page.model.callGraph()?.value
    let row = try page.row(.adele)
    #expect(row.title == "adele@contoso.example")
    #expect(row.details == "contoso.example · Work or school account")
    #expect(page.model.state.accountText == "adele@contoso.example")
    #expect(page.model.state.subtitle == row.details)
  }

  @Test("An account can have a name of the user's own, which the next run knows")
  func rename() async throws {
    let files = try TemporaryDirectory()
    let first = try await AccountsTests().twoAccounts(files: files)
    first.window.accounts.rename(try first.row(.ben).id, to: "  Ben at\twork ")
    #expect(try first.row(.ben).title == "Ben at work")
    #expect(
      try first.row(.ben).details
        == "ben@contoso.example · Work or school account")
    #expect(first.model.state.username == "ben@contoso.example")
    #expect(first.model.state.accountText == "Ben at work")
    #expect(first.model.state.subtitle == (try first.row(.ben).details))
    let both = "Ben at work (ben@contoso.example)"
    #expect(TokensModel(first.window).state.account == both)
    #expect(ExplorerModel(first.window).state.account == "\(both) · contoso.example")
    #expect(await first.model.signOut.makeQuestion()?.text.hasPrefix(both) == true)
    await first.window.activate()?.value
    let next = try Page(store: first.store, files: files)
    await next.window.activate()?.value
    #expect(try next.row(.ben).title == "Ben at work")
    next.window.accounts.rename(try next.row(.ben).id, to: " ")
    #expect(try next.row(.ben).title == "Ben Walters")

    // What was noted about an account goes with it.
    next.window.accounts.rename(try next.row(.ben).id, to: "Ben")
    await next.model.signOut.signOut(.thisApp, try next.row(.ben).id)?.value
    let name = try #require(files.names(in: "selection").first)
    #expect(!String(decoding: try files.read("selection/\(name)"), as: UTF8.self).contains("Ben"))
  }
}
