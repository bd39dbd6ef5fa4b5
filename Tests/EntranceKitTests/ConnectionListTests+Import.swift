import AuthCore
import Connections
import EntranceKit
import FoundationEssentials
import Glibc
import TestSupport
import Testing

extension ConnectionListTests {
  @Test("Import the configuration of another program")
  func imported() throws {
    let list = list()
    let editor = try list.import(
      #"{"client_id": "11111111-2222-3333-4444-555555555555", "authority": "https://login.microsoftonline.com/organizations"}"#
    )
    #expect(editor.form.accounts == .organizations)
    #expect(editor.form.draft.name == "My App")
    editor.save(editor.form)
    #expect(list.state.connections.map(\.name) == ["My App"])
    #expect(throws: ConnectionFileError.self) { try list.import("nothing of use") }
  }

  @Test(
    "A file fills the form in as its text from the clipboard does",
    arguments: [
      (
        "apps.json",
        """
        // From another computer.
        { "version": 1, "apps": [ { "name": "Contoso",
          "clientID": "11111111-2222-3333-4444-555555555555",
          "authority": "https://login.microsoftonline.com/organizations" } ] }
        """
      ),
      (
        // As Visual Studio writes it.
        "appsettings.json",
        """
        \u{FEFF}{ "AzureAd": { "Instance": "https://login.microsoftonline.com/",
          "ClientId": "11111111-2222-3333-4444-555555555555", "TenantId": "organizations" } }
        """
      ),
      (
        "auth_config.json",
        """
        { "client_id": "11111111-2222-3333-4444-555555555555",
          "authority": "https://login.microsoftonline.com/organizations" }
        """
      ),
      (
        "manifest.json",
        """
        { "appId": "11111111-2222-3333-4444-555555555555", "displayName": "Contoso",
          "signInAudience": "AzureADMultipleOrgs" }
        """
      ),
      (
        ".env",
        "AZURE_CLIENT_ID=11111111-2222-3333-4444-555555555555\nAZURE_TENANT_ID=organizations\n"
      ),
    ])
  func importedFile(_ name: String, _ text: String) async throws {
    try directory.write(name, text)
    let list = list()
    let editor = try await list.importFile("\(directory.path)/\(name)")
    let copied = try list.import(text)
    #expect(editor.isNew && editor.form == copied.form)
    #expect(editor.form.accounts == .organizations)
    #expect(editor.form.draft.clientID == "11111111-2222-3333-4444-555555555555")
  }

  @Test("A file in UTF-16, as PowerShell writes the output of a program")
  func wideFile() async throws {
    let text = #"{"appId": "11111111-2222-3333-4444-555555555555", "displayName": "Büro"}"#
    var wide: [UInt8] = [0xFF, 0xFE]
    for unit in text.utf16 { wide += [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
    try #require(
      FileManager.default.createFile(atPath: "\(directory.path)/app.json", contents: Data(wide)))
    let editor = try await list().importFile("\(directory.path)/app.json")
    #expect(editor.form.draft.clientID == "11111111-2222-3333-4444-555555555555")
    #expect(editor.form.draft.name == "Büro")
  }

  @Test("Of several apps, the form has the first one, and names the others")
  func severalApps() async throws {
    func entry(_ name: String, _ digit: Int) -> String {
      let id = "\(digit)1111111-2222-3333-4444-555555555555"
      return #"{ "name": "\#(name)", "clientID": "\#(id)" }"#
    }
    func file(_ entries: [String]) -> String {
      #"{ "version": 1, "apps": [ \#(entries.joined(separator: ", ")) ] }"#
    }
    let text = file([entry("Woodgrove", 1), entry("Fabrikam", 2), entry("Northwind", 3)])
    try directory.write("theirs.json", text)
    let list = list()
    for editor in [
      try list.import(text), try await list.importFile("\(directory.path)/theirs.json"),
    ] {
      #expect(editor.form.draft.name == "Woodgrove")
      #expect(editor.state.problem?.field == nil)
      #expect(editor.state.problem?.text.contains(": Woodgrove, Fabrikam, Northwind. ") == true)
    }
    // A text from outside may have any number of them.
    let many = try list.import(file((0..<1000).map { entry("App \($0)", $0 % 10) }))
    #expect(many.state.problem?.text.contains(", App 9, …. ") == true)
    // The same app twice is one.
    let twice = try list.import(file([entry("Woodgrove", 1), entry("Copy", 1)]))
    #expect(twice.state.problem == nil)
  }

  @Test("A file that cannot be imported is named, with the reason")
  func unusableFile() async throws {
    let list = list()
    let readable = ConnectionFile.maximumSize
    try directory.write("long.txt", String(repeating: " ", count: readable + 1))
    try directory.write("blank.txt", String(repeating: " ", count: readable))
    try directory.write("cut.json", "{\n  \"AzureAd\": {")
    try directory.write("type.json", #"{"clientID": "app", "name": 5}"#)
    let latin = Data([0x7B, 0xE9, 0x7D])
    try #require(
      FileManager.default.createFile(atPath: "\(directory.path)/latin.json", contents: latin))
    try #require(mkfifo("\(directory.path)/pipe", 0o600) == 0)
    try #require(mkdir("\(directory.path)/folder", 0o700) == 0)
    for (name, beginning) in [
      ("missing.json", "The file “missing.json” cannot be read: No such file or directory."),
      ("folder", "The file “folder” cannot be read: it is a directory."),
      ("pipe", "The file “pipe” cannot be read: it is not a regular file."),
      ("long.txt", "The file “long.txt” cannot be read: it is larger than 256 kB."),
      ("latin.json", "The file “latin.json” cannot be read: the text is not UTF-8."),
      (
        "blank.txt",
        "The file “blank.txt” cannot be imported: no application (client) ID was found."
      ),
      (
        "cut.json", "The file “cut.json” cannot be imported: line 2: the text is not valid JSON."
      ),
      ("type.json", "The file “type.json” cannot be imported: name: "),
    ] {
      let failure = await #expect(throws: ConnectionList.ImportFailure.self) {
        _ = try await list.importFile("\(directory.path)/\(name)")
      }
      #expect(failure?.text.hasPrefix(beginning) == true, "\(failure?.text ?? "")")
      #expect(failure?.text.hasSuffix(".") == true)
    }
    #expect(list.state.connections.isEmpty && list.state.problem == nil)
  }

  @Test(
    "A file without the permission to read is named",
    .enabled(if: geteuid() != 0, "root may read everything"))
  func forbiddenFile() async throws {
    try directory.write("secret.json", "{}")
    try #require(chmod("\(directory.path)/secret.json", 0) == 0)
    let list = list()
    let failure = await #expect(throws: ConnectionList.ImportFailure.self) {
      _ = try await list.importFile("\(directory.path)/secret.json")
    }
    #expect(
      failure?.text.hasPrefix("The file “secret.json” cannot be read: Permission denied.")
        == true)
  }

  @Test("The name of a file is told without personal details while these are hidden")
  func hiddenFile() async throws {
    let preferences = Preferences(MemorySettings(["hide-personal-details": .flag(true)]))
    let list = ConnectionList(
      files: ConnectionFiles(own: path), preferences: preferences,
      check: { _ throws(AuthenticationError) in
        throw AuthenticationError(.networkUnavailable, "nobody is asked")
      })
    let failure = await #expect(throws: ConnectionList.ImportFailure.self) {
      _ = try await list.importFile("\(directory.path)/adele@contoso.example")
    }
    #expect(failure?.text.contains("adele") == false)
  }

  @Test("Say which address was left out of what is pasted, after the form is shown")
  func pasted() throws {
    let editor = list().makeEditor()
    let id = "11111111-2222-3333-4444-555555555555"
    for (endpoint, isLeftOut) in [
      ("https://evil.example/me", true), ("https://graph.microsoft.com/v1.0/me", false),
    ] {
      var shown: ConnectionForm?
      try editor.paste(
        #"{"client_id": "\#(id)", "endpoint": "\#(endpoint)"}"#, into: editor.form
      ) {
        shown = $0
        editor.edited()
      }
      #expect(shown?.draft.clientID == id)
      #expect(shown?.draft.api == (isLeftOut ? "" : endpoint))
      #expect(editor.state.problem?.field == (isLeftOut ? "api" : nil))
      #expect(editor.state.problem?.text.contains("evil.example") != false)
    }
    var isShown = false
    let error = #expect(throws: ConnectionFileError.self) {
      try editor.paste("nothing", into: editor.form) { _ in isShown = true }
    }
    #expect(!isShown && error.map { "\($0)" } == "no application (client) ID was found")
    // The command is copied from the same page.
    let command = #expect(throws: ConnectionFileError.self) {
      try editor.paste(AppRegistration.azureCLI, into: editor.form) { _ in isShown = true }
    }
    #expect(!isShown && command.map { "\($0)" }?.contains("creates the app") == true)
  }

  @Test("What is pasted in place of the client ID fills in all fields that it describes")
  func clientIDWithTenant() throws {
    let editor = list().makeEditor()
    let id = "11111111-2222-3333-4444-555555555555"
    let tenant = "99999999-2222-3333-4444-555555555555"
    for accounts in [ConnectionForm.Accounts.everyone, .oneOrganization] {
      var form = editor.form
      form.accounts = accounts
      form.draft.name = "Contoso"
      form.draft.clientID = "Application (client) ID: \(id)\nDirectory (tenant) ID: \(tenant)\n"
      form.draft.redirectURI = "msauth.com.contoso.app://auth"
      form.permissions = "Mail.Read"
      var shown: ConnectionForm?
      editor.fillFromClientID(of: form) { shown = $0 }
      let filled = try #require(shown)
      #expect(filled.draft.clientID == id && filled.directory == tenant)
      #expect(filled.accounts == .oneOrganization)
      // What it does not say stays.
      #expect(filled.draft.name == "Contoso" && filled.permissions == "Mail.Read")
      #expect(filled.draft.redirectURI == "msauth.com.contoso.app://auth")
      #expect(filled.filled.authority == "https://login.microsoftonline.com/\(tenant)")
    }
  }

  @Test(
    "What is typed as the client ID stays while it describes nothing else",
    arguments: [
      "", "11111111-2222", "11111111-2222-3333-4444-555555555555",
      "Application (client) ID: 11111111-2222-3333-4444-555555555555",
      "11111111-2222-3333-4444-555555555555 99999999-2222-3333-4444-555555555555",
    ])
  func clientIDAlone(typed: String) {
    let editor = list().makeEditor()
    var form = editor.form
    form.draft.clientID = typed
    var isShown = false
    editor.fillFromClientID(of: form) { _ in isShown = true }
    #expect(!isShown)
  }

  @Test("The client ID of another service is any text")
  func clientIDOfAnotherService() {
    let editor = list().makeEditor()
    var form = editor.form
    form.accounts = .other
    form.draft.clientID = "client_id=11111111-2222-3333-4444-555555555555&tenant=common"
    var isShown = false
    editor.fillFromClientID(of: form) { _ in isShown = true }
    #expect(!isShown)
  }

  @Test("An import that leaves an API out says so at its field")
  func importedAPI() throws {
    let editor = try list().import(
      #"{"client_id": "11111111-2222-3333-4444-555555555555", "endpoint": "https://evil.example/me"}"#
    )
    #expect(editor.form.draft.api.isEmpty)
    #expect(editor.state.problem?.field == "api")
    #expect(editor.state.problem?.text.contains("https://evil.example,") == true)
  }

  @Test("An imported entry of apps.json fills the form, which says what it chooses")
  func importedEntry() throws {
    let editor = try list().import(
      #"{"clientID": "app", "authority": "https://id.example", "authorityKind": "oidc", "#
        + #""api": "https://api.example/me", "caFile": "/etc/ca.pem"}"#)
    let draft = editor.form.draft
    #expect(draft.authorityKind == .oidc && draft.api == "https://api.example/me")
    #expect(draft.caFile == "/etc/ca.pem" && draft.knownAuthorities == ["https://id.example"])
    #expect(editor.state.problem?.field == "caFile")
    #expect(editor.state.problem?.text.contains("/etc/ca.pem") == true)
    // It is no mistake of the person, as one is that saving finds.
    #expect(editor.state.problem?.isRemark == true)
    var form = editor.form
    form.draft.clientID = ""
    editor.save(form)
    #expect(editor.state.problem?.isRemark == false)
  }
}
