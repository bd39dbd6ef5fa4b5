import AuthCore
import Connections
import EntranceKit
import TestSupport
import Testing

extension ConnectionListTests {
  @Test("No app hides one for everyone: neither a new one, nor a copy, nor one with a new name")
  func namesForEveryone() throws {
    let system = "\(directory.path)/system.json"
    try ConnectionFile.change(system) { (document) throws(ConnectionFileError) in
      var draft = ConnectionDraft()
      draft.name = "Company"
      draft.clientID = "11111111-2222-3333-4444-555555555555"
      try document.add(draft)
    }
    let list = ConnectionList(
      files: ConnectionFiles(own: path, system: [system]),
      check: { _ throws(AuthenticationError) in
        throw AuthenticationError(.networkUnavailable, "nobody is asked")
      })
    let editor = list.makeEditor()
    editor.save(filled(editor, name: "Company"))
    #expect(editor.state.problem?.field == "name")
    let copy = try #require(list.makeEditor(copying: "Company"))
    copy.save(copy.form)
    #expect(list.state.connections.map(\.name) == ["Company 2", "Company"])
    let renaming = try #require(list.makeEditor(of: "Company 2"))
    renaming.save(filled(renaming, name: "Company"))
    #expect(renaming.state.problem?.field == "name")
    #expect(list.state.connections.map(\.name) == ["Company 2", "Company"])
  }
}
