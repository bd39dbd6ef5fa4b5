import AuthCore
import Connections
import EntranceKit
import FoundationEssentials
import MicrosoftGraph
import TestSupport
import Testing

@MainActor @Suite("A connection that is edited while its page is open", .timeLimit(.minutes(5)))
struct ConnectionChangeTests {
  @Test("Account and log stay, also when the store cannot keep it")
  func scopes() async throws {
    let store = ScriptedStore()
    store.fail(.save)
    let page = try Page(store: store)
    await page.window.activate()?.value
    await page.model.callGraph()?.value
    let before = page.log

    try use(page, scopes: ["User.Read", "Mail.Read"])
    await page.window.status.finishWork()
    #expect(page.model.state.username == "adele@contoso.example")
    #expect(page.log == before + ["The app was changed."])

    await page.model.callGraph()?.value
    let request = try #require(page.authority.calls.last { $0.endpoint == .token })
    #expect(request.form["grant_type"] == "refresh_token")
    #expect(request.form["scope"]?.contains("Mail.Read") == true)
  }

  @Test("A notice names a shared device, as long as it is one")
  func sharedDevice() async throws {
    let page = try Page()
    await page.model.callGraph()?.value
    try use(page, isShared: true)
    #expect(page.model.state.notices.contains { $0.id == "shared-device" })
    #expect(!page.model.state.canAddAccounts)
    try use(page, isShared: false)
    #expect(!page.model.state.notices.contains { $0.id == "shared-device" })
    #expect(page.model.state.canAddAccounts)
    await page.window.status.finishWork()
    #expect(page.model.state.username == "adele@contoso.example")
  }

  @Test("A connection that is removed or broken by hand has a notice until it is repaired")
  func gone() throws {
    let page = try Page()
    let connection = page.workspace.connection
    var other = connection
    (other.name, other.scopes) = ("Other", ["Mail.Read"])
    let notice = { page.model.state.notices.first { $0.id == "connection" } }
    for found in [[], [other]] {
      #expect(page.window.find(connection, in: { found }) == nil)
      #expect(notice()?.text.contains("“Test” was removed") == true)
      #expect(notice()?.buttons.map { "\($0.action)" } == ["main.connections"])
    }
    let broken = page.window.find(connection) { () throws(ConnectionFileError) in
      try ConnectionFile.parse(#"{"version": 1, "apps": [{"name": "Test",}]}"#.utf8)
    }
    #expect(broken == nil)
    #expect(notice()?.text.contains("line 1") == true)
    #expect(notice()?.buttons.map { "\($0.action)" } == ["main.open-connection-file"])
    // A field can be corrected in its form.
    _ = page.window.find(connection) { () throws(ConnectionFileError) in
      try ConnectionFile.parse(#"{"version": 1, "apps": [{"name": "Test", "clientID": "x"}]}"#.utf8)
    }
    #expect(
      notice()?.buttons.map { "\($0.action)" } == [
        "main.correct-connection", "main.open-connection-file",
      ])

    #expect(page.window.find(connection, in: { [connection] }) == connection)
    #expect(notice() == nil)
  }

  @Test("A change that cannot be used has a notice with a button for its field")
  func unused() throws {
    let page = try Page()
    let error = AuthenticationError(.invalidConfiguration, "The CA file is empty.")
    page.window.warn(unused: error.sentence, in: "caFile")
    let notice = try #require(page.model.state.notices.first { $0.id == "connection" })
    #expect(notice.text.hasPrefix("The CA file is empty. "))
    #expect(notice.buttons.map(\.action) == [.edit(at: "caFile")])
  }

  @Test("A renamed connection is found by its other fields")
  func renamed() throws {
    let page = try Page()
    let connection = page.workspace.connection
    var (renamed, other) = (connection, connection)
    renamed.name = "Renamed"
    (other.name, other.scopes) = ("Other", ["Mail.Read"])
    #expect(page.window.find(connection, in: { [other, renamed] }) == renamed)
    #expect(page.model.state.notices.isEmpty)
    // While the window works, the new name is not followed yet.
    #expect(page.window.find(connection, in: { [other, renamed] }) == renamed)
    // A copy does not replace it while it is there.
    #expect(page.window.find(connection, in: { [renamed, connection] }) == connection)
  }

  @Test("An identical copy that was there before is another app, not this one with a new name")
  func copyOfRemoved() throws {
    let desktop = ScriptedDesktop(ScriptedAuthority().pages)
    let connection = Connection(
      name: "Contoso", application: try TestApplication.configuration(), scopes: ["User.Read"],
      api: "https://graph.microsoft.com/v1.0/me")
    var (copy, renamed) = (connection, connection)
    (copy.name, renamed.name) = ("Contoso 2", "Fabrikam")
    desktop.connections = [connection, copy]
    let page = try Page(connection: connection, desktop: desktop)
    #expect(page.window.find(connection, in: { [copy] }) == nil)
    #expect(page.model.state.notices.contains { $0.text.contains("“Contoso” was removed") })
    #expect(page.window.find(connection, in: { [connection] }) == connection)
    // A copy that was added meanwhile is known, too.
    #expect(page.window.find(connection, in: { [connection, copy] }) == connection)
    #expect(page.window.find(connection, in: { [copy] }) == nil)
    #expect(page.window.find(connection, in: { [copy, renamed] }) == renamed)
  }

  @Test("An administrator's file that cannot be used has a notice, which can be dismissed")
  func systemFaults() throws {
    let page = try Page()
    let directory = try TemporaryDirectory()
    let path = "\(directory.path)/apps.json"
    let files = ConnectionFiles(own: "\(directory.path)/own.json", system: [path])
    page.window.warn(about: files)
    #expect(page.model.state.notices.isEmpty)
    try Data(#"{"version": 1, "apps": [{"name": "Test",}]}"#.utf8).write(to: URL(filePath: path))
    page.window.warn(about: files)
    let notice = try #require(page.model.state.notices.first)
    #expect(
      notice.text
        == "Apps that your administrator has set up are missing: \(path) cannot be read.")
    #expect(notice.details.first?.contains("line 1") == true && notice.canBeDismissed)
  }

  @Test("A removed connection can be left once nobody is signed in")
  func abandoned() async throws {
    let page = try Page()
    let connection = page.workspace.connection
    #expect(page.window.find(connection, in: { [] }) == nil)
    #expect(!page.window.isAbandoned, "accounts are not known yet")
    await page.window.activate()?.value
    #expect(page.window.isAbandoned)
    await page.model.callGraph()?.value
    #expect(!page.window.isAbandoned)
    await page.model.signOut.signOut()?.value
    #expect(page.window.isAbandoned)
    #expect(page.window.find(connection, in: { [connection] }) != nil)
    #expect(!page.window.isAbandoned)
  }

  @Test("Another app's configuration does not get the accounts")
  func otherApp() async throws {
    let application = PublicClientApplication(
      configuration: try TestApplication.configuration(), store: ScriptedStore())
    var other = application.configuration
    other.clientID = "99999999-2222-3333-4444-555555555555"
    #expect(
      PublicClientApplication(
        configuration: other, takingOver: application, broker: nil, runtime: Runtime()) == nil)
  }

  /// Edits the connection of `page`.
  private func use(_ page: Page, scopes: [String] = ["User.Read"], isShared: Bool = false) throws {
    var configuration = page.application.configuration
    configuration.isSharedDevice = isShared
    let connection = Connection(
      name: "Test", application: configuration, scopes: scopes,
      api: "https://graph.microsoft.com/v1.0/me")
    let clock = page.clock
    let application = try #require(
      PublicClientApplication(
        configuration: configuration, takingOver: page.application, broker: nil,
        runtime: Runtime(now: { clock.now }, sleep: { _ in }, transport: page.authority)))
    page.application = application
    page.workspace.use(
      connection, application,
      try GraphClient(api: connection.api, transport: page.authority))
  }
}
