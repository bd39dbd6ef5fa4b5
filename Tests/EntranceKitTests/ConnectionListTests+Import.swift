import AuthCore
import Connections
import EntranceKit
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
  }
}
