import AuthCore
import Connections
import EntranceKit
import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// Where accounts are kept, in the form and in the file.
@MainActor @Suite("Cache and storage in the form of a connection")
struct CacheFormTests {
  let directory: TemporaryDirectory
  let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = "\(directory.path)/apps.json"
  }

  func list(_ cache: String = "null") throws -> ConnectionList {
    try directory.write(
      "apps.json",
      """
      // Mine.
      { "version": 1, "apps": [ { "name": "Contoso",
        "clientID": "11111111-2222-3333-4444-555555555555", // From the portal.
        "cache": \(cache)
      } ] }
      """)
    return ConnectionList(files: ConnectionFiles(own: path)) { _ throws(AuthenticationError) in
      throw AuthenticationError(.networkUnavailable, "nobody is asked")
    }
  }

  var text: String {
    get throws { String(decoding: try directory.read("apps.json"), as: UTF8.self) }
  }

  nonisolated static let item =
    #"{"schema": "S", "label": "L", "attributes": {"a": "b"}, "#
    + #""encoding": "raw", "signalFile": "/tmp/signal"}"#

  @Test(
    "What the file says is shown, and written as it was",
    arguments: [
      ("null", CacheForm.Kind.own), (#"{"preset": "az"}"#, .az),
      (#"{"preset": "msal-go", "schema": "S", "path": "/tmp/x"}"#, .msalGo),
      (#"{"preset": "azureauth", "tenant": "T"}"#, .azureauth), (#"{"path": "~/c.bin"}"#, .file),
      (item, .keyringItem),
    ])
  func read(cache: String, kind: CacheForm.Kind) throws {
    let list = try list(cache)
    let before = try text
    let editor = try #require(list.makeEditor(of: "Contoso"))
    #expect(editor.form.cache.kind == kind)
    #expect(editor.form.cache.hasPath == !editor.form.cache.path.isEmpty)
    #expect(editor.form.cache.hasSchema == !editor.form.cache.schema.isEmpty)
    #expect(editor.form.cache.hasTenant == !editor.form.cache.tenant.isEmpty)
    editor.save(editor.form)
    #expect(editor.state.isDone)
    #expect(try text == before)
  }

  @Test(
    "Every kind can be chosen, with the fields that it needs", arguments: CacheForm.Kind.allCases)
  func write(kind: CacheForm.Kind) throws {
    let list = try list()
    let editor = try #require(list.makeEditor(of: "Contoso"))
    var form = editor.form
    form.cache.kind = kind
    form.cache.path = " /tmp/cache.bin "
    form.cache.schema = "Schema"
    form.cache.tenant = "Tenant"
    form.cache.encoding = .base64
    form.storage = .encryptedFile
    editor.save(form)
    #expect(editor.state.problem == nil)
    let connection = try #require(try ConnectionFile.load(path).first)
    #expect((connection.cache == nil) == (kind == .own))
    #expect(connection.storage == .encryptedFile)
    #expect(try text.contains("// Mine.") && text.contains("// From the portal."))
    let again = try #require(list.makeEditor(of: "Contoso")).form
    #expect(again.cache.kind == kind)
    #expect(again.storage == .encryptedFile)
    var back = again
    back.cache.kind = .own
    back.storage = nil
    try #require(list.makeEditor(of: "Contoso")).save(back)
    #expect(try ConnectionFile.load(path).first?.cache == nil)
    #expect(try ConnectionFile.load(path).first?.storage == nil)
  }

  @Test("A keyring item keeps what the form does not show")
  func keptMembers() throws {
    let list = try list(Self.item)
    let editor = try #require(list.makeEditor(of: "Contoso"))
    var form = editor.form
    form.cache.path = "/tmp/other"
    editor.save(form)
    let item = try #require(try ConnectionFile.load(path).first?.cache?.keyringItem)
    #expect(item.label == "L" && item.attributes == ["a": "b"])
    #expect(item.signalFile == "/tmp/other")
  }

  @Test("A new keyring item has the label that MSAL uses")
  func label() throws {
    let editor = try #require(try list().makeEditor(of: "Contoso"))
    var form = editor.form
    form.cache.kind = .keyringItem
    (form.cache.schema, form.cache.path) = ("S", "/tmp/signal")
    editor.save(form)
    #expect(try ConnectionFile.load(path).first?.cache?.keyringItem?.label == "MSALCache")
  }

  @Test("A missing field is reported")
  func problem() throws {
    let editor = try #require(try list().makeEditor(of: "Contoso"))
    var form = editor.form
    form.cache.kind = .file
    form.cache.path = "relative"
    editor.save(form)
    #expect(editor.state.problem?.field == "path")
    #expect(editor.state.problem?.text == "The value must begin with / or ~/.")
  }

  // MARK: - Locks

  @Test("A file that its owner may not write can be read, and nothing changes it")
  func locked() throws {
    let list = try list()
    #expect(!list.state.isLocked)
    let before = try text
    chmod(path, 0o400)
    list.reload()
    #expect(list.state.isLocked)
    let editor = try #require(list.makeEditor(of: "Contoso"))
    #expect(editor.isLocked)
    var form = editor.form
    form.draft.name = "Other"
    editor.save(form)
    #expect(!editor.state.isDone)
    #expect(list.remove("Contoso") == nil)
    let reason = String(cString: strerror(EACCES))
    #expect(list.state.problem?.contains(reason) == true)
    #expect(editor.lockReason?.contains("you may not write to their file") == true)
    let connection = try #require(try ConnectionFile.load(path).first)
    let permissions = PermissionsModel(connection, list)
    #expect(permissions.state.isLocked && !permissions.state.canRemove)
    #expect(!permissions.add("Mail.Read"))
    #expect(try text == before)
    chmod(path, 0o600)
    list.reload()
    #expect(!list.state.isLocked)
  }

  @Test("Reading a form writes nothing, not even a missing file")
  func onlyReads() throws {
    let list = ConnectionList(files: ConnectionFiles(own: path)) { _ throws(AuthenticationError) in
      throw AuthenticationError(.networkUnavailable, "nobody is asked")
    }
    _ = list.makeEditor()
    #expect(list.makeEditor(of: "Contoso") == nil)
    #expect(directory.names.isEmpty)
    #expect(!list.state.isLocked)
  }
}
