import AuthCore
import EntranceKit
import FoundationEssentials
import Testing

@Suite("connections.json")
struct ConnectionFileTests {
  @Test("The example of the documentation loads")
  func example() throws {
    let connections = try ConnectionFile.parse(
      """
      { "version": 1, "connections": [ {
          "name": "Contoso",
          "clientID": "11111111-2222-3333-4444-555555555555",
          "authority": "https://login.microsoftonline.com/common",
          "redirectURI": "msauth.io.github.entrance.entrance://auth",
          "scopes": ["User.Read"],
          "api": "https://graph.microsoft.com/v1.0/me",
          "knownAuthorities": [],
          "caFile": null,     // PEM of a private CA
          "isBrokerRedirectURIRegistered": true
      } ] }
      """.utf8)
    let contoso = try #require(connections.first)
    #expect(connections.count == 1)
    #expect(contoso.name == "Contoso")
    #expect(contoso.application.clientID == "11111111-2222-3333-4444-555555555555")
    #expect(contoso.application.authority == .common)
    #expect(contoso.scopes == ["User.Read"])
    #expect(contoso.api == "https://graph.microsoft.com/v1.0/me")
    #expect(contoso.application.caFile == nil)
    #expect(contoso.application.isBrokerRedirectURIRegistered)
    #expect(!contoso.isDemo)
  }

  @Test("Name and client ID are enough; the rest is what the example says")
  func defaults() throws {
    let short = try ConnectionFile.parse(
      "{\"version\": 1, \"connections\": [{\"name\": \"N\", \"clientID\": \"c\"}]}".utf8)
    let connection = try #require(short.first)
    #expect(connection.application.authority == .common)
    #expect(
      connection.application.redirectURI.description
        == "msauth.io.github.entrance.entrance://auth")
    #expect(connection.scopes == ["User.Read"])
    #expect(connection.api == "https://graph.microsoft.com/v1.0/me")
  }

  @Test("The file says where accounts are kept, for all its connections")
  func storage() throws {
    func storage(_ member: String) throws -> [StorageKind?] {
      try ConnectionFile.parse(
        """
        {"version": 1, \(member) "connections": [
          {"name": "N", "clientID": "c"}, {"name": "M", "clientID": "c"}]}
        """.utf8
      ).map(\.storage)
    }
    #expect(try storage("") == [nil, nil])
    #expect(try storage("\"storage\": null,") == [nil, nil])
    #expect(try storage("\"storage\": \"automatic\",") == [nil, nil])
    for kind in StorageKind.allCases {
      #expect(try storage("\"storage\": \"\(kind.rawValue)\",") == [kind, kind])
    }
    let error = #expect(throws: ConnectionFileError.self) {
      _ = try ConnectionFile.parse(
        "{\"version\": 1,\n\n \"storage\": \"disk\", \"connections\": []}".utf8)
    }
    #expect(error?.line == 3)
    #expect(error?.field == "storage")
    #expect(
      error?.reason
        == "only \"automatic\", \"secretService\", \"encryptedFile\", \"plainFile\", \"memory\" are known"
    )
    let other = #expect(throws: ConnectionFileError.self) { _ = try storage("\"storage\": true,") }
    #expect(other?.description == "line 1: storage: it must be text in quotes")
  }

  @Test("A field in other letters is told its spelling, and one that is nowhere is told so")
  func spelling() {
    func reason(_ field: String) -> String? {
      do throws(ConnectionFileError) {
        _ = try ConnectionFile.parse(
          "{\"version\": 1, \"connections\": [{\"name\": \"N\", \"\(field)\": \"c\"}]}".utf8)
        return nil
      } catch {
        return error.description
      }
    }
    #expect(reason("clientId") == "line 1: connections[0].clientId: it is spelled clientID")
    #expect(reason("tenant") == "line 1: connections[0].tenant: there is no such field")
  }

  @Test("Own authorities, CA and several connections, in the order of the file")
  func several() throws {
    let connections = try ConnectionFile.parse(
      """
      // My app registrations
      { "version": 1, "connections": [
        { "name": "B", "clientID": "b", "authorityKind": "entra" },
        { "name": "A", "clientID": "a",
          "authority": "https://login.contoso.example/contoso.example",
          "knownAuthorities": ["https://login.contoso.example/contoso.example"],
          "scopes": ["api://x/read", "api://x/write"],
          "caFile": "/etc/ssl/private-ca.pem" } ] }
      """.utf8)
    #expect(connections.map(\.name) == ["B", "A"])
    #expect(
      connections.last?.application.knownAuthorities.map(\.description)
        == ["https://login.contoso.example/contoso.example"])
    #expect(connections.last?.application.caFile == "/etc/ssl/private-ca.pem")
    #expect(connections.last?.application.isBrokerRedirectURIRegistered == false)
    #expect(connections.last?.scopes == ["api://x/read", "api://x/write"])
  }

  @Test(
    "An authority of each kind, which the known authorities share",
    arguments: [
      ("entra", "https://login.microsoftonline.com/contoso.example"),
      ("externalID", "https://login.contoso.example/contoso.example"),
      ("b2c", "https://login.contoso.example/contoso.example/in"),
      ("adfs", "https://fs.contoso.example/adfs"),
      ("oidc", "https://id.contoso.example/Realms/One"),
    ])
  func kinds(kind: String, url: String) throws {
    let connections = try ConnectionFile.parse(
      """
      { "version": 1, "connections": [ {
          "name": "N", "clientID": "c", "authority": "\(url)", "authorityKind": "\(kind)",
          "knownAuthorities": ["\(url)"] } ] }
      """.utf8)
    let application = try #require(connections.first).application
    #expect(application.authority.kind.rawValue == kind)
    #expect(application.authority.description == url)
    #expect(application.knownAuthorities == [application.authority])
  }

  @Test("A kind that is left out is told from the URL; a wrong one is told the right ones")
  func kindFromURL() throws {
    func parse(_ members: String) throws(ConnectionFileError) -> Connection? {
      try ConnectionFile.parse(
        "{\"version\": 1, \"connections\": [{\"name\": \"N\", \"clientID\": \"c\", \(members)}]}"
          .utf8
      ).first
    }
    let told = try parse("\"authority\": \"https://contoso.ciamlogin.com\"")
    #expect(told?.application.authority.kind == .externalID)
    let error = #expect(throws: ConnectionFileError.self) {
      try parse("\"authorityKind\": \"saml\"")
    }
    #expect(
      error?.reason
        == "only \"entra\", \"externalID\", \"b2c\", \"adfs\", \"oidc\" are known")
  }

  @Test(
    "Each fault is named by line and field",
    arguments: [
      ("{", 1, nil), ("", 1, nil), ("{\n\n  oops\n}", 3, nil),
      ("[]", 1, nil), ("{\"connections\": []}", 1, "version"),
      ("{\n\"version\": 2, \"connections\": []}", 2, "version"),
      ("{\"version\": 1}", 1, "connections"),
      ("{\"version\": 1,\n\"connections\": {}}", 2, "connections"),
      ("{\"version\": 1,\n\"connexions\": []}", 2, "connexions"),
      ("{\"version\": 1, \"connections\": [\n5]}", 2, "connections[0]"),
    ] as [(String, Int, String?)])
  func faults(text: String, line: Int, field: String?) {
    let error = #expect(throws: ConnectionFileError.self) { try ConnectionFile.parse(text.utf8) }
    #expect(error?.line == line)
    #expect(error?.field == field)
    #expect(error?.reason.isEmpty == false)
  }

  @Test(
    "A fault in a connection is named by its line",
    arguments: [
      ("\"clientID\": \"c\"", "name"), ("\"name\": \"N\"", "clientID"),
      ("\"name\": 5, \"clientID\": \"c\"", "name"), ("\"name\": \"\", \"clientID\": \"c\"", "name"),
      ("\"name\": \"N\", \"clientID\": \"a b\"", "clientID"),
      ("\"name\": \"N\", \"clientID\": \"c\", \"clientId\": \"c\"", "clientId"),
      ("\"name\": \"N\", \"clientID\": \"c\", \"client_secret\": \"s\"", "client_secret"),
      ("\"name\": \"N\", \"clientID\": \"c\", \"authority\": \"http://x/y\"", "authority"),
      ("\"name\": \"N\", \"clientID\": \"c\", \"authority\": \"https://x\"", "authority"),
      ("\"name\": \"N\", \"clientID\": \"c\", \"authorityKind\": \"saml\"", "authorityKind"),
      ("\"name\": \"N\", \"clientID\": \"c\", \"authorityKind\": \"Entra\"", "authorityKind"),
      ("\"name\": \"N\", \"clientID\": \"c\", \"authorityKind\": \"oidc\"", "authority"),
      ("\"name\": \"N\", \"clientID\": \"c\", \"redirectURI\": \"https://x/\"", "redirectURI"),
      ("\"name\": \"N\", \"clientID\": \"c\", \"scopes\": \"User.Read\"", "scopes"),
      ("\"name\": \"N\", \"clientID\": \"c\", \"scopes\": []", "scopes"),
      ("\"name\": \"N\", \"clientID\": \"c\", \"scopes\": [1]", "scopes"),
      ("\"name\": \"N\", \"clientID\": \"c\", \"api\": \"http://x/\"", "api"),
      ("\"name\": \"N\", \"clientID\": \"c\", \"api\": \"https://\"", "api"),
      ("\"name\": \"N\", \"clientID\": \"c\", \"knownAuthorities\": [\"x\"]", "knownAuthorities"),
      ("\"name\": \"N\", \"clientID\": \"c\", \"caFile\": true", "caFile"),
      (
        "\"name\": \"N\", \"clientID\": \"c\", \"isBrokerRedirectURIRegistered\": \"yes\"",
        "isBrokerRedirectURIRegistered"
      ),
    ])
  func connectionFaults(members: String, field: String) {
    let text =
      "{\"version\": 1, \"connections\": [\n{\"name\": \"ok\", \"clientID\": \"c\"},\n"
      + "{\(members)}]}"
    let error = #expect(throws: ConnectionFileError.self) { try ConnectionFile.parse(text.utf8) }
    #expect(error?.line == 3)
    #expect(error?.field == "connections[1].\(field)")
    #expect(error?.description.hasPrefix("line 3: connections[1].\(field): ") == true)
  }

  @Test("Two connections cannot have one name")
  func sameName() {
    let connection = "{\"name\": \"N\", \"clientID\": \"c\"}"
    let error = #expect(throws: ConnectionFileError.self) {
      try ConnectionFile.parse(
        "{\"version\": 1, \"connections\": [\(connection),\n\(connection)]}".utf8)
    }
    #expect(error?.description == "line 2: connections[1].name: another connection has this name")
  }

  @Test("No file means no connections; a file that cannot be read is a fault")
  func files() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/connections-\(UUID())"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    #expect(try ConnectionFile.load(folder + "/none.json").isEmpty)
    #expect(throws: ConnectionFileError.self) { try ConnectionFile.load(folder) }
  }

  // MARK: - The demo

  static let announcement =
    #"{"authority":"https://localhost:5555/common","graph":"https://localhost:5555/v1.0/me","#
    + #""caFile":"/tmp/ca.pem","clientID":"7c1d9f3e-52a8-4b06-9e7d-3f84c0b2a615","#
    + #""redirectURI":"msauth.io.github.entrance.entrance://auth","users":[]}"#

  @Test("The emulator's first line is the demo's connection")
  func demo() throws {
    let demo = try #require(DemoConnection.parse(Self.announcement))
    #expect(demo.isDemo)
    #expect(demo.name == "Demo")
    #expect(demo.application.authority.description == "https://localhost:5555/common")
    #expect(demo.application.knownAuthorities == [demo.application.authority])
    #expect(demo.application.caFile == "/tmp/ca.pem")
    #expect(demo.api == "https://localhost:5555/v1.0/me")
    #expect(demo.scopes == ["User.Read"])
  }

  @Test(
    "Anything else is not",
    arguments: [
      "", "Listening…", "{}", "[]", "authority", "caFile", "clientID", "graph",
      "redirectURI", "https",
    ])
  func noDemo(text: String) {
    // A name stands for the line without that member.
    let line =
      Self.announcement.contains(text) && !text.isEmpty
      ? Self.announcement.replacing(text, with: "x") : text
    #expect(DemoConnection.parse(line) == nil)
  }
}
