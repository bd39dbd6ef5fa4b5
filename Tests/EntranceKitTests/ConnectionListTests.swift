import AuthCore
import Connections
import EntranceKit
import FoundationEssentials
import TestSupport
import Testing

@Suite("The list of connections")
@MainActor
struct ConnectionListTests {
  let directory: TemporaryDirectory
  let path: String
  private let renames = Renames()

  @MainActor
  private final class Renames {
    var names: [[String]] = []
  }

  init() throws {
    directory = try TemporaryDirectory()
    path = "\(directory.path)/apps.json"
  }

  /// A list whose sign-in service answers as `check` says.
  func list(
    check: @escaping @Sendable (Connection) async throws(AuthenticationError) -> RegistrationCheck =
      {
        _ throws(AuthenticationError) in
        throw AuthenticationError(.networkUnavailable, "nobody is asked")
      }
  ) -> ConnectionList {
    ConnectionList(
      files: ConnectionFiles(own: path), check: check, onRename: { renames.names.append([$0, $1]) })
  }

  /// The form of `editor`, filled in for a client.
  func filled(_ editor: ConnectionEditor, name: String) -> ConnectionForm {
    var form = editor.form
    form.draft.name = name
    form.draft.clientID = "11111111-2222-3333-4444-555555555555"
    return form
  }

  func add(_ name: String, to list: ConnectionList) {
    let editor = list.makeEditor()
    editor.save(filled(editor, name: name))
    #expect(editor.state.isDone)
  }

  @Test("Begin without a file, add a connection, and find it in the file")
  func addFirst() throws {
    let list = list()
    #expect(list.state.connections.isEmpty)
    #expect(list.state.problem == nil)
    var told: [[String]] = []
    let observer = list.changes.add { told.append($0.connections.map(\.name)) }
    add("Contoso", to: list)
    #expect(told == [["Contoso"]])
    #expect(try ConnectionFile.load(path).map(\.name) == ["Contoso"])
    _ = observer
  }

  @Test("Report a new name, and no other change, whether the connection is open or not")
  func rename() throws {
    let list = list()
    add("Contoso", to: list)
    #expect(renames.names.isEmpty)
    // What is kept has its new name before a window follows the list.
    var namesBefore: [Int] = []
    let observer = list.changes.add { state in
      if state.connections.map(\.name) == ["Fabrikam"] { namesBefore.append(renames.names.count) }
    }
    for name in ["Contoso", "Fabrikam"] {
      let editor = try #require(list.makeEditor(of: "Contoso"))
      var form = editor.form
      form.draft.name = name
      form.draft.scopes = ["Mail.Read"]
      editor.save(form)
      #expect(editor.state.savedName == name)
    }
    #expect(renames.names == [["Contoso", "Fabrikam"]])
    #expect(namesBefore == [1])
    _ = observer
  }

  @Test("Say that a connection is gone, and write nothing")
  func gone() throws {
    let list = list()
    add("Contoso", to: list)
    let editor = try #require(list.makeEditor(of: "Contoso"))
    _ = list.remove("Contoso")
    editor.save(filled(editor, name: "Fabrikam"))
    #expect(editor.state.problem?.text == "There is no app called “Contoso”.")
    #expect(!editor.state.isDone && renames.names.isEmpty)
    #expect(try ConnectionFile.load(path).isEmpty)
  }

  @Test("Say which field does not fit, and write nothing")
  func badField() throws {
    let list = list()
    let editor = list.makeEditor()
    var form = filled(editor, name: "Contoso")
    form.draft.clientID = "no ID"
    editor.save(form)
    #expect(editor.state.problem?.field == "clientID")
    #expect(editor.state.problem?.text.hasPrefix("A client ID looks like") == true)
    #expect(!editor.state.isDone)
    #expect(!FileManager.default.fileExists(atPath: path))
    // Another field does not make it right.
    editor.edited(["authority", "authorityKind"])
    #expect(editor.state.problem?.field == "clientID")
    editor.edited(["clientID"])
    #expect(editor.state.problem == nil)
    editor.save(form)
    editor.edited()
    #expect(editor.state.problem == nil)
  }

  @Test("Say that the kind of service can be chosen, where the address fits another one")
  func anotherKind() {
    let advice = "If it is another kind of service, choose it under “Kind of Service”."
    let editor = list().makeEditor()
    var form = filled(editor, name: "Contoso")
    form.accounts = .other
    for (address, isAdvised) in [("https://id.contoso.example/", true), ("http://id.test", false)] {
      form.address = address
      editor.save(form)
      #expect(editor.state.problem?.field == "authority")
      #expect(editor.state.problem?.text.hasSuffix(" \(advice)") == isAdvised)
    }
  }

  @Test("Say that an organization must be named, after what is wrong above it")
  func noDirectory() throws {
    let list = list()
    let editor = list.makeEditor()
    var form = filled(editor, name: "Contoso")
    form.accounts = .oneOrganization
    form.directory = " "
    form.draft.clientID = "no ID"
    editor.save(form)
    #expect(editor.state.problem?.field == "clientID")
    form.draft.clientID = "11111111-2222-3333-4444-555555555555"
    editor.save(form)
    #expect(editor.state.problem?.field == "authority")
    #expect(
      editor.state.problem?.text
        == "Enter the directory (tenant) ID or a domain of the organization.")
    form.directory = "https://login.contoso.example/adfs"
    editor.save(form)
    #expect(editor.state.problem?.field == "authority")
    #expect(
      editor.state.problem?.text
        == "This is the address of a service. Choose “Other service” to enter it.")
    form.directory = ""
    form.accounts = .customers
    #expect(editor.check(form) == nil)
    #expect(
      editor.state.problem?.text == "Enter the name of the external tenant, or its domain.")
    form.directory = "fabrikam"
    editor.save(form)
    #expect(editor.state.isDone)
  }

  @Test("Say what a tenant is when what was typed is none, and name no address")
  func badTenant() {
    let editor = list().makeEditor()
    var form = filled(editor, name: "Contoso")
    form.accounts = .oneOrganization
    for tenant in ["contoso,com", "con toso", "…"] {
      form.directory = tenant
      editor.save(form)
      #expect(editor.state.problem?.field == "authority")
      #expect(
        editor.state.problem?.text == "A tenant is a domain such as contoso.com, or an ID such as "
          + "11111111-2222-3333-4444-555555555555.")
    }
    // The host of a service is no tenant.
    form.directory = "login.microsoftonline.us"
    editor.save(form)
    #expect(editor.state.problem?.text.contains("must have a tenant") == true)
    (form.accounts, form.directory) = (.customers, "contoso,x")
    editor.save(form)
    #expect(
      editor.state.problem?.text == "Enter the name of the external tenant, or its domain.")
  }

  @Test("Change, copy, remove and bring back a connection")
  func change() throws {
    let list = list()
    add("Contoso", to: list)
    add("Fabrikam", to: list)
    let editor = try #require(list.makeEditor(of: "Contoso"))
    #expect(!editor.isNew)
    editor.save(filled(editor, name: "Contoso Ltd"))
    #expect(list.state.connections.map(\.name) == ["Contoso Ltd", "Fabrikam"])

    let copy = try #require(list.makeEditor(copying: "Fabrikam"))
    #expect(copy.form.draft.name == "Fabrikam 2")
    copy.save(copy.form)
    #expect(list.state.connections.map(\.name) == ["Contoso Ltd", "Fabrikam", "Fabrikam 2"])

    let removed = try #require(list.remove("Contoso Ltd"))
    #expect(list.state.connections.map(\.name) == ["Fabrikam", "Fabrikam 2"])
    list.restore(removed)
    #expect(list.state.connections.map(\.name) == ["Contoso Ltd", "Fabrikam", "Fabrikam 2"])
  }

  @Test("An error in the file is shown with its line, and the file is unchanged")
  func faulty() throws {
    let list = list()
    add("Contoso", to: list)
    let text = "{ \"version\": 1,\n  oops }"
    try Data(text.utf8).write(to: URL(filePath: path))
    list.reload()
    #expect(list.state.problem?.contains("line 2") == true)
    #expect(list.state.connections.map(\.name) == ["Contoso"])
    #expect(list.remove("Contoso") == nil)
    let editor = list.makeEditor()
    editor.save(filled(editor, name: "Other"))
    #expect(editor.state.problem?.text.hasPrefix("Line 2: ") == true)
    #expect(try Data(contentsOf: URL(filePath: path)) == Data(text.utf8))
  }

  /// Writes a file with two apps; `members` are those of the second one besides its name.
  private func write(_ members: String, named name: String = "Two") throws {
    let text = """
      // By hand.
      {"version": 1, "apps": [
        {"name": "One", "clientID": "11111111-2222-3333-4444-555555555555"},
        {"name": "\(name)", \(members)} // The second.
      ]}

      """
    try Data(text.utf8).write(to: URL(filePath: path))
  }

  private func written() throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  @Test(
    "A fault in a field is corrected in the form, which says where it is",
    arguments: [
      (#""clientID": "no ID""#, "clientID", #""clientID": "22222222-2222-3333-4444-555555555555""#),
      (#""scopes": "Mail.Read""#, "scopes", #""clientID": "22222222-2222-3333-4444-555555555555""#),
    ])
  func faultyField(members: String, field: String, corrected: String) throws {
    let list = list()
    #expect(list.makeEditorOfFault() == nil)
    try write(members)
    list.reload()
    #expect(list.state.canCorrect)
    let editor = try #require(list.makeEditorOfFault())
    #expect(editor.state.problem?.field == field && !editor.isNew && !editor.isLocked)
    var form = editor.form
    #expect(form.draft.name == "Two")
    form.draft.clientID = "no ID either"
    editor.save(form)
    #expect(editor.state.problem?.field == "clientID" && !editor.state.isDone)
    #expect(try written().contains(members))
    form.draft.clientID = "22222222-2222-3333-4444-555555555555"
    editor.save(form)
    #expect(editor.state.savedName == "Two")
    #expect(list.state.problem == nil && !list.state.canCorrect)
    #expect(list.state.connections.map(\.name) == ["One", "Two"])
    let text = try written()
    #expect(text.hasPrefix("// By hand.\n") && text.contains("// The second."))
    #expect(text.contains(corrected) && !text.contains("Mail.Read"))
    #expect(renames.names.isEmpty)
  }

  @Test("A fault that a form does not show is corrected in the file")
  func faultyElsewhere() throws {
    let list = list()
    for members in [#""clientid": "no ID""#, #""clientID": "no ID",,"#] {
      try write(members)
      list.reload()
      #expect(list.state.problem != nil && !list.state.canCorrect)
      #expect(list.makeEditorOfFault() == nil)
    }
  }

  @Test("Two apps with one name get two, and what another program writes meanwhile is kept")
  func faultyName() throws {
    let list = list()
    try write(#""clientID": "22222222-2222-3333-4444-555555555555""#, named: "One")
    let editor = try #require(list.makeEditorOfFault())
    #expect(editor.state.problem?.field == "name")
    editor.save(editor.form)
    #expect(editor.state.problem?.field == "name" && !editor.state.isDone)
    let late = try #require(list.makeEditorOfFault())
    try write(#""clientID": "no ID""#)
    late.save(filled(late, name: "Three"))
    #expect(late.state.problem?.text == "Another program has changed the file.")
    #expect(try written().contains("no ID"))
  }

  @Test("Accounts that only one app has are signed out before it is removed; those of two stay")
  func accountsLeftBehind() async throws {
    let page = try Page()
    await page.model.callGraph()?.value
    let list = ConnectionList(
      files: ConnectionFiles(own: path),
      check: { _ throws(AuthenticationError) in RegistrationCheck(isConfirmed: true) },
      application: { _ in page.application })
    #expect(await list.warning(beforeRemoving: "Contoso") == nil)
    add("Contoso", to: list)
    #expect(await list.warning(beforeRemoving: "Contoso") != nil)
    add("Fabrikam", to: list)
    #expect(await list.warning(beforeRemoving: "Contoso") == nil)
    #expect(await list.signOut(of: "Contoso"))
    #expect(page.store.records.count == 1)
    _ = list.remove("Fabrikam")
    page.store.fail(.delete)
    #expect(await !list.signOut(of: "Contoso"))
    #expect(list.state.problem != nil)
    page.store.fail()
    #expect(await list.signOut(of: "Contoso"))
    #expect(page.store.records.isEmpty)
    #expect(await list.warning(beforeRemoving: "Contoso") == nil)
  }

  @Test("Before an app is removed, it is said who is signed in, or how many while that is hidden")
  func namesOfAccounts() async throws {
    let page = try Page()
    await page.model.callGraph()?.value
    let preferences = Preferences(MemorySettings())
    let list = ConnectionList(
      files: ConnectionFiles(own: path), preferences: preferences,
      check: { _ throws(AuthenticationError) in RegistrationCheck(isConfirmed: true) },
      application: { _ in page.application })
    add("Contoso", to: list)
    var text = try #require(await list.warning(beforeRemoving: "Contoso"))
    #expect(text.hasPrefix("Adele Vance is signed in with this app. If you keep the account, "))
    page.authority.willSignIn(.ben)
    page.clock.advance(by: 1)
    await page.window.accounts.add()?.value
    text = try #require(await list.warning(beforeRemoving: "Contoso"))
    #expect(text.hasPrefix("Adele Vance and Ben Walters are signed in with this app. "))
    preferences.hidesPersonalDetails = true
    text = try #require(await list.warning(beforeRemoving: "Contoso"))
    #expect(text.hasPrefix("2 accounts are signed in with this app. If you keep them, "))
  }

  @Test("An app whose accounts cannot be read may have some, and they are not signed out")
  func unknownAccounts() async throws {
    let first = try Page()
    await first.model.callGraph()?.value
    let page = try Page(store: first.store)
    let list = ConnectionList(
      files: ConnectionFiles(own: path),
      check: { _ throws(AuthenticationError) in RegistrationCheck(isConfirmed: true) },
      application: { _ in page.application })
    add("Contoso", to: list)
    page.store.fail(.load)
    let warning = try #require(await list.warning(beforeRemoving: "Contoso"))
    #expect(warning.hasPrefix("Accounts may be signed in with this app. "))
    #expect(await !list.signOut(of: "Contoso"))
    #expect(list.state.problem == "The store of this test is locked.")
    page.store.fail()
    #expect(await list.signOut(of: "Contoso"))
    #expect(page.store.records.isEmpty)
    #expect(await list.warning(beforeRemoving: "Contoso") == nil)
  }

  @Test("Before there is a place for accounts, an app has only those that are known")
  func noPlace() async throws {
    let store = ChosenStore(directory: directory.path, credentials: "/none")
    let application = PublicClientApplication(
      configuration: try TestApplication.configuration(), store: store)
    let list = ConnectionList(
      files: ConnectionFiles(own: path),
      check: { _ throws(AuthenticationError) in RegistrationCheck(isConfirmed: true) },
      application: { _ in application }, store: { _ in store })
    add("Contoso", to: list)
    #expect(await list.warning(beforeRemoving: "Contoso") == nil)
    #expect(await list.signOut(of: "Contoso"))
  }

  @Test("An answer that comes after something else was typed is not shown")
  func lateAnswer() async throws {
    let (gate, open) = AsyncStream<Void>.makeStream()
    let list = list { _ throws(AuthenticationError) in
      for await _ in gate { break }
      return RegistrationCheck(isConfirmed: true)
    }
    let editor = list.makeEditor()
    let work = editor.check(filled(editor, name: "Contoso"))
    while !editor.state.isChecking { await Task.yield() }
    editor.edited()
    open.yield()
    await work?.value
    #expect(editor.state.finding == nil)
    #expect(!editor.state.isChecking)
  }
}
