import AuthCore
import Connections
@testable import EntranceKit
import Foundation
import TestSupport
import Testing

@Suite("Where a window is")
@MainActor
struct WindowHeadingTests {
  private static func row(
    _ name: String, of user: String = "1", tenant: String? = nil, isSelected: Bool = false
  ) -> AccountRow {
    let account = AccountKey(homeAccountID: "\(user).tenant", environment: "login.example")
    var row = AccountRow(
      id: AccountRow.ID(account: account, tenantID: tenant), username: name, kind: .work,
      needsSignIn: false, isSelected: isSelected)
    row.organization = tenant == nil ? "contoso.example" : "Fabrikam"
    return row
  }

  @Test("The title of the window has account, tenant and connection")
  func title() throws {
    let page = try Page()
    #expect(page.window.heading.title == "Test")
    var heading = page.window.heading
    heading.accounts = [Self.row("adele@contoso.example", isSelected: true)]
    #expect(heading.title == "adele@contoso.example · Test")
    heading.accounts = [
      Self.row("adele@contoso.example"),
      Self.row("adele@contoso.example", tenant: "fabrikam", isSelected: true),
    ]
    #expect(heading.title == "adele@contoso.example · Fabrikam · Test")
  }

  @Test("The heading follows a sign-in")
  func signIn() async throws {
    let page = try Page()
    var titles: [String] = []
    let observer = page.window.headings.add { titles.append($0.title) }
    await page.model.callGraph()?.value
    withExtendedLifetime(observer) {}
    #expect(titles.last == "\(Person.adele.username) · Test")
    #expect(page.window.heading.canSwitch)
  }

  @Test(
    "Accounts and connections are found by all words that were typed, without case and accents",
    arguments: [
      ("", ["adele@contoso.example", "bjørn@contoso.example"]), ("  ", nil),
      ("ADELE", ["adele@contoso.example"]), ("contoso adele", ["adele@contoso.example"]),
      ("fabrikam", []), ("bjørn", ["bjørn@contoso.example"]),
    ] as [(String, [String]?)])
  func search(_ text: String, _ found: [String]?) throws {
    var heading = try Page().window.heading
    heading.accounts = [
      Self.row("adele@contoso.example"), Self.row("bjørn@contoso.example", of: "2"),
    ]
    #expect(heading.accounts(matching: text).map(\.title) == found ?? heading.accounts.map(\.title))
  }
}
