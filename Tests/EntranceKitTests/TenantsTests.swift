import AuthCore
import Connections
import EntranceKit
import FoundationEssentials
import TestSupport
import Testing

@MainActor @Suite("The tenants of an account", .timeLimit(.minutes(5)))
struct TenantsTests {
  /// A page on which Adele has signed in to her own tenant, and is a guest in Fabrikam.
  func guestPage(files: TemporaryDirectory? = nil) async throws -> Page {
    let page = try Page(files: files)
    await page.model.callGraph()?.value
    try await signInAsGuest(page)
    return page
  }

  /// Signs Adele in to another organization, where she is a guest.
  ///
  /// - Parameter username: her user name there, if it is another one.
  func signInAsGuest(_ page: Page, username: String? = nil) async throws {
    page.authority.edit(.configuration) {
      $0["issuer"] = .string("https://login.microsoftonline.com/\(Person.fabrikam)/v2.0")
    }
    var guest = Person.adele.asGuest(in: Person.fabrikam, objectID: "guest")
    guest.username = username ?? guest.username
    page.authority.willSignIn(guest)
    let organization = try #require(
      page.window.accounts.makeOrganizationModel(try page.row(.adele).id))
    organization.submit(" Fabrikam.example\n")
    #expect(organization.state.isDone)
    try await page.wait { $0.work == nil }
  }

  @Test("An account signs in to another organization, and switches between both")
  func guest() async throws {
    let files = try TemporaryDirectory()
    let page = try await guestPage(files: files)
    #expect(page.authority.pagesShown.last?.startURL.contains("login_hint=adele") == true)
    #expect(page.model.state.username == "adele@contoso.example")
    #expect(
      page.model.state.subtitle == "adele@contoso.example · fabrikam.example · Guest account")
    #expect(page.model.state.rows.map(\.title) == ["Adele Vance", "fabrikam.example"])
    #expect(
      page.model.state.rows.map(\.details) == [
        "adele@contoso.example · Work or school account", "Guest account",
      ])
    #expect(page.model.state.rows.map(\.isTenant) == [false, true])
    #expect(page.model.state.rows.map(\.isSelected) == [false, true])
    await page.model.callGraph()?.value
    #expect(page.lastAuthorization == "Bearer access-canary-2")
    #expect(
      page.log.last?.hasPrefix(
        "Account: adele@contoso.example · fabrikam.example\nResult from Graph: {") == true)

    page.window.accounts.select(try page.row(.adele).id)
    #expect(
      page.model.state.subtitle
        == "adele@contoso.example · Work or school account")
    await page.model.callGraph()?.value
    #expect(page.lastAuthorization == "Bearer access-canary-1")

    // The next run selects the tenant again, and renews its token there.
    page.window.accounts.select(try page.row(.adele, tenantID: Person.fabrikam).id)
    await page.window.activate()?.value
    let next = try Page(store: page.store, authority: page.authority, files: files)
    await next.window.activate()?.value
    #expect(
      next.model.state.subtitle == "adele@contoso.example · fabrikam.example · Guest account")
    next.clock.advance(by: 7200)
    await next.model.callGraph()?.value
    #expect(next.lastAuthorization == "Bearer access-canary-3")
    let token = next.authority.calls.last { $0.endpoint == .token }
    #expect(token?.url.contains(Person.fabrikam) == true || token != nil)
  }

  @Test("While details are hidden, an account has its number before its guest account has one")
  func numbers() async throws {
    let page = try Page()
    await page.model.callGraph()?.value
    try await signInAsGuest(page, username: "adele_contoso.example#EXT#@fabrikam.example")
    let preferences = Preferences(MemorySettings())
    let next = try Page(store: page.store, authority: page.authority, preferences: preferences)
    await next.window.activate()?.value
    preferences.hidesPersonalDetails = true
    #expect(next.model.state.rows.map(\.username) == ["Account 1", "Account 1"])
  }

  @Test("A token of another tenant than the selected one is not used")
  func otherTenant() async throws {
    let page = try await guestPage()
    page.clock.advance(by: 7200)
    page.authority.willSignIn(.adele)
    let count = page.authority.count(.api)
    await page.model.callGraph()?.value
    #expect(page.authority.count(.api) == count)
  }

  @Test(
    "What is not an organization is not accepted",
    arguments: ["", " ", "common", "contoso", "a/b.example", "../x.y", ".example", "x@y.z", "é.de"])
  func noOrganization(name: String) async throws {
    let page = try Page()
    await page.model.callGraph()?.value
    let organization = try #require(
      page.window.accounts.makeOrganizationModel(try page.row(.adele).id))
    var problems: [String?] = []
    let observer = organization.changes.add { problems.append($0.problem) }
    defer { withExtendedLifetime(observer) {} }
    for _ in 1...2 {
      problems = []
      organization.submit(name)
      #expect(!organization.state.isDone)
      #expect(problems.last??.contains("contoso.com") == true)
    }
    #expect(page.model.state.work == nil)
  }

  @Test("While other work prevents it, an organization is not called wrong: the work is named")
  func busy() async throws {
    let page = try Page()
    await page.model.callGraph()?.value
    let organization = try #require(
      page.window.accounts.makeOrganizationModel(try page.row(.adele).id))
    let (gate, opening) = AsyncStream<Void>.makeStream()
    page.authority.next(.api) { [authority = page.authority] call in
      for await _ in gate {}
      return authority.usualReply(to: call)
    }
    let call = page.model.callGraph()
    organization.submit("fabrikam.example")
    #expect(!organization.state.isDone)
    #expect(
      organization.state.problem
        == "Another operation is in progress. Wait until it ends, or cancel it.")
    opening.finish()
    await call?.value
    organization.submit("fabrikam.example")
    #expect(organization.state.isDone && organization.state.problem == nil)
    await page.window.status.finishWork()
  }

  @Test("A connection for one tenant has no other organizations")
  func oneTenant() async throws {
    let page = try Page(tenant: Person.contoso)
    await page.model.callGraph()?.value
    #expect(page.model.state.rows.count == 1)
    #expect(page.window.accounts.makeOrganizationModel(try page.row(.adele).id) == nil)
  }

  @Test("Each kind of account has its page")
  func pages() async throws {
    let page = try Page()
    await page.model.callGraph()?.value
    #expect(try page.row(.adele).kind == .work)
    #expect(try page.row(.adele).accountPage == "https://myaccount.microsoft.com")
    #expect(try page.row(.adele).appsPage == "https://myapps.microsoft.com")
    page.authority.willSignIn(.megan)
    await page.window.accounts.add()?.value
    #expect(try page.row(.megan).kind == .personal)
    #expect(try page.row(.megan).accountPage == "https://account.microsoft.com")
    #expect(try page.row(.megan).appsPage == nil)
    #expect(try page.row(.megan).details == "megan@outlook.example · Personal account")
    #expect(
      try page.row(.adele).spokenDetails
        == "adele@contoso.example · Work or school account")
    #expect(try page.row(.megan).spokenDetails == "megan@outlook.example · Personal account")
  }

  // MARK: - Connections

  @Test(
    "A connection shows its tenant and cloud, unless they are the usual ones",
    arguments: [
      ("https://login.microsoftonline.com/common", "N"),
      ("https://login.microsoftonline.com/organizations", "N"),
      ("https://login.microsoftonline.com/consumers", "N · Personal accounts"),
      ("https://login.microsoftonline.com/contoso.com", "N · contoso.com"),
      ("https://login.microsoftonline.us/contoso.us", "N · contoso.us · US Government"),
      ("https://login.microsoftonline.us/common", "N · US Government"),
      ("https://login.chinacloudapi.cn/common", "N · China (21Vianet)"),
      ("https://contoso.ciamlogin.com", "N · contoso.ciamlogin.com"),
      ("https://contoso.b2clogin.com/contoso.example/b2c_1_signin", "N · contoso.example"),
      ("https://sts.contoso.example/adfs", "N · sts.contoso.example"),
    ])
  func place(authority: String, words: String) throws {
    let connection = Connection(
      name: "N", application: try TestApplication.configuration(authority: authority), scopes: [],
      api: "https://graph.microsoft.com/v1.0/me")
    #expect(connection.summary == words)
  }
}
