import AuthCore
import Connections
import Dispatch
import FoundationEssentials
import TestSupport
import Testing

@Suite("Changing apps.json")
struct ConnectionDocumentTests {
  static let file = """
    // Work and home.
    {
      "version": 1, // The only one there is.
      "apps": [
        // At work.
        {
          "name": "Contoso", // The holding.
          "clientID": "11111111-2222-3333-4444-555555555555"
          // Ask Adele before changing this.
        },
        {
          "name": "Home",
          "clientID": "22222222-2222-3333-4444-555555555555",
          "authority": "https://login.microsoftonline.com/consumers" // Personal accounts.
        }
      ]
    }

    """

  static func document(_ text: String = file) throws -> ConnectionDocument {
    try ConnectionDocument(Array(text.utf8))
  }

  static func draft(_ name: String) -> ConnectionDraft {
    var draft = ConnectionDraft()
    draft.name = name
    draft.clientID = "33333333-2222-3333-4444-555555555555"
    return draft
  }

  @Test(
    "A name that would look like another one in a list is not taken",
    arguments: [
      "  ", "Contoso ", "\u{A0}Contoso", "Con\ntoso", "Con\u{200B}toso", "Contoso\u{202E}",
    ])
  func oddNames(_ name: String) throws {
    var document = try Self.document()
    var draft = try #require(document.draft(of: "Home"))
    draft.name = name
    for isNew in [true, false] {
      let error = #expect(throws: ConnectionFileError.self) {
        if isNew { try document.add(draft) } else { try document.replace("Home", with: draft) }
      }
      #expect(error?.fieldName == "name")
      #expect(error.map { "\($0.reason)".contains("must be one line") } == true)
    }
    // A file that has it already can still be read and changed.
    let text = Self.file.replacing("\"Home\"", with: "\"Home \"")
    document = try Self.document(text)
    var old = try #require(document.draft(of: "Home "))
    old.scopes = ["Mail.Read"]
    try document.replace("Home ", with: old)
    #expect(document.connections.last?.scopes == ["Mail.Read"])
  }

  @Test("Add a connection to an empty file")
  func addFirst() throws {
    var document = ConnectionDocument()
    var draft = Self.draft("Contoso")
    draft.scopes = ["User.Read", "Mail.Read"]
    draft.isBrokerRedirectURIRegistered = true
    try document.add(draft)
    #expect(
      document.text == """
        {
          "version": 1,
          "apps": [
            {
              "name": "Contoso",
              "clientID": "33333333-2222-3333-4444-555555555555",
              "scopes": ["User.Read", "Mail.Read"],
              "isBrokerRedirectURIRegistered": true
            }
          ]
        }

        """)
    #expect(document.draft(of: "Contoso") == draft)
  }

  @Test("Add a connection behind others; comments stay where they are")
  func addAnother() throws {
    var document = try Self.document()
    try document.add(Self.draft("Third"))
    #expect(
      document.text
        == Self.file.replacing(
          "    }\n  ]",
          with: """
                },
                {
                  "name": "Third",
                  "clientID": "33333333-2222-3333-4444-555555555555"
                }
              ]
            """))
    #expect(document.connections.map(\.name) == ["Contoso", "Home", "Third"])
  }

  @Test("Change a field; the rest of the file stays as it is, byte for byte")
  func changeField() throws {
    var document = try Self.document()
    var draft = try #require(document.draft(of: "Contoso"))
    draft.name = "Fabrikam"
    try document.replace("Contoso", with: draft)
    #expect(document.text == Self.file.replacing("\"Contoso\"", with: "\"Fabrikam\""))
  }

  @Test("Add a field behind the last one, ahead of the comment below it")
  func addField() throws {
    var document = try Self.document()
    var draft = try #require(document.draft(of: "Contoso"))
    draft.api = "https://graph.microsoft.com/beta/me"
    try document.replace("Contoso", with: draft)
    #expect(
      document.text
        == Self.file.replacing(
          "\"11111111-2222-3333-4444-555555555555\"",
          with: """
            "11111111-2222-3333-4444-555555555555",
                  "api": "https://graph.microsoft.com/beta/me"
            """))
  }

  @Test("Remove the last field: its line goes with its comment, and the comma before it")
  func removeLastField() throws {
    var document = try Self.document()
    var draft = try #require(document.draft(of: "Home"))
    draft.authority = ""
    try document.replace("Home", with: draft)
    #expect(
      document.text
        == Self.file.replacing(
          """
          ",
                "authority": "https://login.microsoftonline.com/consumers" // Personal accounts.

          """, with: "\"\n"))
  }

  @Test("A list with its earlier name, connections, is read, and keeps the name in every change")
  func earlierName() throws {
    let earlier = Self.file.replacing("\"apps\"", with: "\"connections\"")
    var document = try Self.document(earlier)
    #expect(document.connections == (try Self.document()).connections)
    var draft = try #require(document.draft(of: "Home"))
    draft.name = "House"
    try document.replace("Home", with: draft)
    #expect(document.text == earlier.replacing("\"Home\"", with: "\"House\""))
    let removed = try #require(try document.remove("House"))
    try document.restore(removed)
    try document.add(Self.draft("Third"))
    #expect(document.connections.map(\.name) == ["Contoso", "House", "Third"])
    #expect(!document.text.contains("\"apps\""))
  }

  @Test("A file with both names of the list is refused")
  func bothNames() {
    let error = #expect(throws: ConnectionFileError.self) {
      try Self.document(#"{"version": 1, "apps": [], "connections": []}"#)
    }
    #expect(error?.field == "connections")
  }

  @Test("Remove a connection, and put it back as it was, with its comments")
  func removeAndRestore() throws {
    for name in ["Contoso", "Home"] {
      var document = try Self.document()
      let removed = try #require(try document.remove(name))
      #expect(document.connections.map(\.name) == ["Contoso", "Home"].filter { $0 != name })
      #expect(document.text.contains("// At work."))
      #expect(document.text.contains("// Work and home."))
      try document.restore(removed)
      #expect(document.connections == (try Self.document()).connections)
      for comment in ["// The holding.", "// Ask Adele", "// Personal accounts.", "// At work."] {
        #expect(document.text.contains(comment))
      }
    }
  }

  @Test("Remove all connections, and begin again")
  func removeAll() throws {
    var document = try Self.document()
    for name in ["Home", "Contoso"] { _ = try document.remove(name) }
    #expect(document.connections.isEmpty)
    try document.add(Self.draft("New"))
    #expect(document.connections.map(\.name) == ["New"])
    #expect(document.text.contains("// At work."))
  }

  @Test(
    "Every layout can be changed",
    arguments: [
      #"{"version":1,"apps":[{"name":"A","clientID":"GUID"},{"name":"B","clientID":"GUID"}]}"#,
      #"{"apps": [ {"name": "A", "clientID": "GUID"} , {"clientID": "GUID", "name": "B"} ], "version": 1}"#,
      "{\r\n\t\"version\": 1,\r\n\t\"apps\": [\r\n\t\t{ \"name\": \"A\",\r\n\t\t\"clientID\": \"GUID\" }, // a , } ]\r\n\t\t{\"name\":\"B\",\r\n\"clientID\":\"GUID\"}\r\n\t]\r\n}",
      "{\"version\": 1, \"storage\": null, // x\n\"apps\": [ // y\n{\"name\": \"A\" // z\n, \"clientID\": \"GUID\" // ,\n} // }\n, // ]\n{\"name\": \"B\", \"clientID\": \"GUID\"}] // last\n}",
    ])
  func layouts(_ layout: String) throws {
    let text = layout.replacing("GUID", with: "11111111-2222-3333-4444-555555555555")
    for name in ["A", "B"] {
      var document = try Self.document(text)
      var draft = try #require(document.draft(of: name))
      // A field that is there, new ones, and away with them again.
      draft.clientID = "22222222-2222-3333-4444-555555555555"
      draft.scopes = ["User.Read", "a,b"]
      draft.caFile = "/etc/ssl/certs/ca-certificates.crt"
      try document.replace(name, with: draft)
      #expect(document.draft(of: name) == draft)
      draft.scopes = []
      draft.caFile = ""
      try document.replace(name, with: draft)
      #expect(document.draft(of: name) == draft)
      try document.setStorage(.memory)
      #expect(document.connections.allSatisfy { $0.storage == .memory })
      try document.setStorage(nil)
      #expect(document.connections.allSatisfy { $0.storage == nil })
      try document.add(Self.draft("C"))
      let removed = try #require(try document.remove(name))
      #expect(document.connections.map(\.name) == ["A", "B", "C"].filter { $0 != name })
      try document.restore(removed)
      #expect(document.connections.map(\.name) == ["A", "B", "C"])
      #expect(document.draft(of: name) == draft)
    }
  }

  @Test("Refuse what could not be read afterwards, and leave the text as it was")
  func refused() throws {
    var document = try Self.document()
    let before = document
    var wrong = Self.draft("Third")
    wrong.clientID = "not an ID"
    let error = #expect(throws: ConnectionFileError.self) { try document.add(wrong) }
    #expect(error?.fieldName == "clientID")
    let twice = #expect(throws: ConnectionFileError.self) { try document.add(Self.draft("Home")) }
    #expect(twice?.fieldName == "name")
    var renamed = try #require(document.draft(of: "Home"))
    renamed.name = "Contoso"
    #expect(throws: ConnectionFileError.self) { try document.replace("Home", with: renamed) }
    #expect(document == before)
    #expect(
      #expect(throws: ConnectionFileError.self) { try wrong.connection() }?.fieldName == "clientID")
  }

  @Test("Find a free name for a copy")
  func freeNames() throws {
    var document = try Self.document()
    #expect(document.freeName(like: "New") == "New")
    #expect(document.freeName(like: "Home") == "Home 2")
    try document.add(Self.draft("Home 2"))
    #expect(document.freeName(like: "Home") == "Home 3")
  }

  @Test("Save into a directory that is not there yet, for this person alone")
  func saveNew() throws {
    let directory = try TemporaryDirectory()
    let path = "\(directory.path)/config/entrance/apps.json"
    try ConnectionFile.change(path) { (document) throws(ConnectionFileError) in
      try document.add(Self.draft("Contoso"))
    }
    #expect(try ConnectionFile.load(path).map(\.name) == ["Contoso"])
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test(
    "Keep all changes that are made at the same time, also through a link",
    arguments: [false, true])
  func changesAtOnce(hasLink: Bool) throws {
    let directory = try TemporaryDirectory()
    let path = "\(directory.path)/entrance/apps.json"
    let other = hasLink ? "\(directory.path)/apps.json" : path
    if hasLink {
      try FileManager.default.createDirectory(
        atPath: "\(directory.path)/entrance", withIntermediateDirectories: false)
      try Data(#"{"version": 1, "apps": []}"#.utf8).write(to: URL(filePath: path))
      try FileManager.default.createSymbolicLink(atPath: other, withDestinationPath: path)
    }
    // Few: the lock is waited for 5 seconds, and the same thread may get it again and again.
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for number in 0..<3 {
        do {
          try ConnectionFile.change(thread.isMultiple(of: 2) ? path : other) {
            (document) throws(ConnectionFileError) in
            try document.add(Self.draft("\(thread) \(number)"))
          }
        } catch {
          Issue.record(error)
        }
      }
    }
    #expect(try ConnectionFile.load(path).count == 12)
  }

  @Test("Save at the end of a link, which stays one")
  func saveThroughLink() throws {
    let directory = try TemporaryDirectory()
    let (path, file) = ("\(directory.path)/apps.json", "\(directory.path)/dotfiles.json")
    try Data(Self.file.utf8).write(to: URL(filePath: file))
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: file)
    let removed = try ConnectionFile.change(path) { (document) throws(ConnectionFileError) in
      try document.remove("Home")
    }
    #expect(removed?.name == "Home")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == file)
    #expect(try ConnectionFile.load(file).map(\.name) == ["Contoso"])
  }

  @Test("Leave a file with a fault as it is, and say what is wrong")
  func saveFaulty() throws {
    let directory = try TemporaryDirectory()
    let path = "\(directory.path)/apps.json"
    try Data("{ oops".utf8).write(to: URL(filePath: path))
    let error = #expect(throws: ConnectionFileError.self) {
      try ConnectionFile.change(path) { (document) throws(ConnectionFileError) in
        try document.add(Self.draft("Contoso"))
      }
    }
    #expect(error?.line == 1)
    #expect(try Data(contentsOf: URL(filePath: path)) == Data("{ oops".utf8))
  }

  @Test("Quote what a person typed, and read it back")
  func quoting() throws {
    var document = ConnectionDocument()
    var draft = Self.draft("A \"quoted\" name // \\ ü")
    draft.cache = ["path": "/a \"quoted\" path // \\ \n\u{202E}ü"]
    try document.add(draft)
    #expect(document.draft(of: draft.name) == draft)
    #expect(try Self.document(document.text).draft(of: draft.name) == draft)
  }
}

extension ConnectionDocument {
  fileprivate var text: String { String(decoding: bytes, as: UTF8.self) }
}
