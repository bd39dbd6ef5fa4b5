import AuthCore
import Connections
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@Suite("apps.json")
struct ConnectionFileTests {
  static let id = "11111111-2222-3333-4444-555555555555"

  @Test("The example of the documentation loads")
  func example() throws {
    let connections = try ConnectionFile.parse(
      """
      { "version": 1, "apps": [ {
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

  /// A file of the sources.
  private func source(_ path: String) throws -> String {
    let root = try #require(#filePath.firstRange(of: "Tests/ConnectionsTests/")).lowerBound
    return try String(contentsOfFile: #filePath[..<root] + path, encoding: .utf8)
  }

  @Test("The README has a row for each field, in the order of the fields")
  func documentation() throws {
    let readme = try source("README.md")
    let head = "| field | meaning | default |\n|---|---|---|\n"
    let start = try #require(readme.firstRange(of: head))
    let rows = readme[start.upperBound...].split(separator: "\n").prefix { $0.hasPrefix("| `") }
    let documented = rows.compactMap { $0.split(separator: "`").dropFirst().first.map(String.init) }
    let known = Mirror(reflecting: ConnectionFields.shared).children.compactMap(\.label)
    #expect(documented == known)
    let others = known.dropFirst(2).map { #", "\#($0)": null"# }.joined()
    let connections = try ConnectionFile.parse(
      #"{"version": 1, "apps": [{"name": "A", "clientID": "\#(Self.id)"\#(others)}]}"#.utf8)
    #expect(connections.map(\.name) == ["A"], "each is read under its name in the table")
  }

  @Test("The form has a row for each field that is typed")
  func form() throws {
    let dialog = try source("data/ui/connection-dialog.ui")
    let rows = ConnectionFields.rows.map { #"<object class="AdwEntryRow" id="\#($0.name)_row""# }
    #expect(rows.filter { !dialog.contains($0) } == [])
  }

  @Test("Name and client ID are enough; the defaults are those of the example")
  func defaults() throws {
    let short = try ConnectionFile.parse(
      "{\"version\": 1, \"apps\": [{\"name\": \"N\", \"clientID\": \"\(Self.id)\"}]}".utf8)
    let connection = try #require(short.first)
    #expect(connection.application.authority == .common)
    #expect(
      connection.application.redirectURI.description
        == "msauth.io.github.entrance.entrance://auth")
    #expect(connection.scopes == ["User.Read"])
    #expect(connection.api == "https://graph.microsoft.com/v1.0/me")
  }

  @Test("The file sets where accounts are stored, for all its connections")
  func storage() throws {
    func storage(_ member: String) throws -> [StorageKind?] {
      try ConnectionFile.parse(
        """
        {"version": 1, \(member) "apps": [
          {"name": "N", "clientID": "\(Self.id)"}, {"name": "M", "clientID": "\(Self.id)"}]}
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
        "{\"version\": 1,\n\n \"storage\": \"disk\", \"apps\": []}".utf8)
    }
    #expect(error?.line == 3)
    #expect(error?.field == "storage")
    #expect(
      error.map { "\($0.reason)" }
        == "the value must be one of \"automatic\", \"secretService\", \"encryptedFile\", \"plainFile\", \"memory\""
    )
    let other = #expect(throws: ConnectionFileError.self) { _ = try storage("\"storage\": true,") }
    #expect(other?.description == "line 1: storage: the value must be a string in quotes")
  }

  @Test("For a misspelled field, the error suggests the right spelling")
  func spelling() {
    func reason(_ field: String) -> String? {
      do throws(ConnectionFileError) {
        _ = try ConnectionFile.parse(
          "{\"version\": 1, \"apps\": [{\"name\": \"N\", \"\(field)\": \"c\"}]}".utf8)
        return nil
      } catch {
        return error.description
      }
    }
    #expect(
      reason("clientId") == "line 1: apps[0].clientId: the correct spelling is clientID")
    #expect(reason("tenant") == "line 1: apps[0].tenant: this field does not exist")
  }

  @Test("Custom authorities, CA and several connections, in the order of the file")
  func several() throws {
    let connections = try ConnectionFile.parse(
      """
      // My app registrations
      { "version": 1, "apps": [
        { "name": "B", "clientID": "\(Self.id)", "authorityKind": "entra" },
        { "name": "A", "clientID": "\(Self.id)",
          "authority": "https://login.contoso.example/contoso.example",
          "knownAuthorities": ["https://login.contoso.example/contoso.example"],
          "scopes": ["api://x/read", "api://x/write"],
          "caFile": "\(#filePath)" } ] }
      """.utf8)
    #expect(connections.map(\.name) == ["B", "A"])
    #expect(
      connections.last?.application.knownAuthorities.map(\.description)
        == ["https://login.contoso.example/contoso.example"])
    #expect(connections.last?.application.caFile == #filePath)
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
      { "version": 1, "apps": [ {
          "name": "N", "clientID": "\(Self.id)", "authority": "\(url)", "authorityKind": "\(kind)",
          "knownAuthorities": ["\(url)"], "api": "https://api.contoso.example/me",
          "scopes": ["api://x/read"] } ] }
      """.utf8)
    let application = try #require(connections.first).application
    #expect(application.authority.kind.rawValue == kind)
    #expect(application.authority.description == url)
    #expect(application.knownAuthorities == [application.authority])
  }

  @Test("A missing kind is derived from the URL; for a wrong one, the error lists the kinds")
  func kindFromURL() throws {
    func parse(_ members: String) throws(ConnectionFileError) -> Connection? {
      try ConnectionFile.parse(
        "{\"version\": 1, \"apps\": [{\"name\": \"N\", \"clientID\": \"\(Self.id)\", \(members)}]}"
          .utf8
      ).first
    }
    let told = try parse("\"authority\": \"https://contoso.ciamlogin.com\"")
    #expect(told?.application.authority.kind == .externalID)
    let error = #expect(throws: ConnectionFileError.self) {
      try parse("\"authorityKind\": \"saml\"")
    }
    #expect(
      error.map { "\($0.reason)" }
        == "the value must be one of \"entra\", \"externalID\", \"b2c\", \"adfs\", \"oidc\"")
  }

  @Test(
    "Each error has its line and field",
    arguments: [
      ("{", 1, nil), ("", 1, nil), ("{\n\n  oops\n}", 3, nil),
      ("[]", 1, nil), ("{\"apps\": []}", 1, "version"),
      ("{\n\"version\": 2, \"apps\": []}", 2, "version"),
      ("{\"version\": 1}", 1, "apps"),
      ("{\"version\": 1,\n\"apps\": {}}", 2, "apps"),
      ("{\"version\": 1,\n\"connexions\": []}", 2, "connexions"),
      ("{\"version\": 1, \"apps\": [\n5]}", 2, "apps[0]"),
    ] as [(String, Int, String?)])
  func faults(text: String, line: Int, field: String?) {
    let error = #expect(throws: ConnectionFileError.self) { try ConnectionFile.parse(text.utf8) }
    #expect(error?.line == line)
    #expect(error?.field == field)
    #expect(error.map { "\($0.reason)".isEmpty } == false)
  }

  @Test(
    "An error in a connection has its line",
    arguments: [
      (#""clientID": "@""#, "name"), (#""name": "N""#, "clientID"),
      (#""name": 5, "clientID": "@""#, "name"), (#""name": "", "clientID": "@""#, "name"),
      (#""name": "N", "clientID": "a b""#, "clientID"),
      (#"*, "clientId": "c""#, "clientId"), (#"*, "client_secret": "s""#, "client_secret"),
      (#"*, "authority": "http://x/y""#, "authority"),
      (#"*, "authority": "https://x""#, "authority"),
      (#"*, "authorityKind": "saml""#, "authorityKind"),
      (#"*, "authorityKind": "Entra""#, "authorityKind"),
      (#"*, "authorityKind": "oidc""#, "authority"),
      (#"*, "redirectURI": "https://x/""#, "redirectURI"),
      (#"*, "scopes": "User.Read""#, "scopes"), (#"*, "scopes": []"#, "scopes"),
      (#"*, "scopes": [1]"#, "scopes"), (#"*, "api": "http://x/""#, "api"),
      (#"*, "api": "https://""#, "api"), (#"*, "knownAuthorities": ["x"]"#, "knownAuthorities"),
      (#"*, "caFile": true"#, "caFile"),
      (#"*, "isBrokerRedirectURIRegistered": "yes""#, "isBrokerRedirectURIRegistered"),
      // Values that no request could be sent with.
      (#""name": "N", "clientID": "not-a-guid""#, "clientID"),
      (#""name": "N", "clientID": "c", "authority": "https://x.b2clogin.com/x/y""#, "clientID"),
      (#"*, "scopes": ["openid"]"#, "scopes"),
      (#"*, "scopes": ["a b"]"#, "scopes"),
      (#"*, "authority": "https://fs.contoso.example/adfs", "api": "https://x/""#, "authority"),
      (#"*, "authority": "https://192.0.2.1/common""#, "authority"),
      (#"*, "redirectURI": "http://contoso.example/""#, "redirectURI"),
      (#"*, "authority": "https://x.b2clogin.com/x/y""#, "api"),
    ])
  func connectionFaults(members: String, field: String) {
    let members = members.replacing("*", with: #""name": "N", "clientID": "@""#)
      .replacing("@", with: Self.id)
    let text =
      "{\"version\": 1, \"apps\": [\n{\"name\": \"ok\", \"clientID\": \"\(Self.id)\"},\n"
      + "{\(members)}]}"
    let error = #expect(throws: ConnectionFileError.self) { try ConnectionFile.parse(text.utf8) }
    #expect(error?.line == 3)
    #expect(error?.field == "apps[1].\(field)")
    #expect(error?.description.hasPrefix("line 3: apps[1].\(field): ") == true)
  }

  @Test("Two connections cannot have the same name")
  func sameName() {
    let connection = "{\"name\": \"N\", \"clientID\": \"\(Self.id)\"}"
    let error = #expect(throws: ConnectionFileError.self) {
      try ConnectionFile.parse(
        "{\"version\": 1, \"apps\": [\(connection),\n\(connection)]}".utf8)
    }
    #expect(
      error?.description == "line 2: apps[1].name: another app has the same name")
  }

  @Test("No file means no connections; an unreadable or wrong file is an error")
  func files() throws {
    let folder = try TemporaryDirectory()
    #expect(try ConnectionFile.load(folder.path + "/none.json").isEmpty)
    let pipe = folder.path + "/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    let large = folder.path + "/large.json"
    let text = #"{"version": 1, "apps": []}"#
    for (size, isRead) in [
      (ConnectionFile.maximumSize, true), (ConnectionFile.maximumSize + 1, false),
    ] {
      try (text + String(repeating: " ", count: size - text.utf8.count))
        .write(toFile: large, atomically: true, encoding: .utf8)
      let connections = try? ConnectionFile.load(large)
      #expect(connections?.isEmpty == (isRead ? true : nil))
    }
    for path in [folder.path, pipe, "/dev/zero"] {
      #expect(throws: ConnectionFileError.self) { try ConnectionFile.load(path) }
    }
  }

  @Test("A text that a window would take seconds to show is an error")
  func longTexts() throws {
    func parse(_ name: String, _ api: String, _ scope: String) throws -> Connection? {
      try ConnectionFile.parse(
        """
        {"version": 1, "apps": [{"name": "\(name)", "clientID": "\(Self.id)",
        "api": "https://graph.microsoft.com/\(api)", "scopes": ["\(scope)"]}]}
        """.utf8
      ).first
    }
    func long(_ count: Int) -> String { String(repeating: "a", count: count) }
    func accents(_ count: Int) -> String { "a" + String(repeating: "\u{301}", count: count) }
    #expect(try parse(long(256), long(4000), long(4096))?.name == long(256))
    let faults = [
      (long(257), "a", "a", "apps[0].name"),
      (long(5000), "a", "a", "apps[0].name"),
      // One letter for a person, and many for a program.
      (accents(300), "a", "a", "apps[0].name"),
      ("a", long(100_000), "a", "apps[0].api"),
      ("a", "a", long(100_000), "apps[0].scopes"),
    ]
    for (name, api, scope, field) in faults {
      let error = #expect(throws: ConnectionFileError.self) { try parse(name, api, scope) }
      #expect(error?.field == field)
      let limit = field.hasSuffix("name") ? 256 : 4096
      #expect(
        error?.description.contains("the value must have at most \(limit) characters") == true)
    }
    // So many are found before anything compares them.
    let error = #expect(throws: ConnectionFileError.self) { try parse(accents(100_000), "a", "a") }
    #expect(error?.description.contains("a letter has too many accents") == true)
  }

  @Test("The largest file takes no time, whatever it contains", .timeLimit(.minutes(5)))
  func largeFile() {
    let size = ConnectionFile.maximumSize
    let numbers = "{\"version\":[" + String(repeating: "1,\n", count: size / 3 - 10) + "1]}"
    // The path of each value is half as long as the file.
    let name = String(repeating: "n", count: size / 2)
    let deep = "{\"\(name)\":[" + String(repeating: "1,", count: size / 4 - 20) + "1]}"
    let connection = "{\"name\":\"#\",\"clientID\":\"\(Self.id)\"}"
    let many = (0..<(size / 70)).map { connection.replacing("#", with: "\($0)") }
      .joined(separator: ",")
    for text in [numbers, deep, "{\"version\":1,\"apps\":[\(many)]}"] {
      #expect(text.utf8.count <= size)
      // A quadratic parser takes 44 s in a release build.
      let start = processorTime()
      _ = try? ConnectionFile.parse(text.utf8)
      #expect(processorTime() - start < 5)
    }
  }

  @Test(
    "An error in the authority is distinguished from others",
    arguments: [("authority", "ftp://nowhere", true), ("clientID", "", false)])
  func authority(field: String, value: String, isAboutAuthority: Bool) throws {
    var members = [
      "name": "Test", "clientID": TestApplication.clientID,
      "authority": "https://login.microsoftonline.com/common",
    ]
    members[field] = value
    let text = JSON.object([
      JSON.Member("version", .number("1")),
      JSON.Member(
        "apps",
        .array([.object(members.map { JSON.Member($0.key, .string($0.value)) })])),
    ]).compactText
    let error = #expect(throws: ConnectionFileError.self) {
      try ConnectionFile.parse(Data(text.utf8))
    }
    #expect(error?.isAboutAuthority == isAboutAuthority)
  }

  // MARK: - Defaults of each kind

  @Test("Each kind has its own default scopes and API")
  func defaultsByKind() throws {
    func connection(_ members: String) throws -> Connection? {
      try ConnectionFile.parse(
        "{\"version\":1,\"apps\":[{\"name\":\"N\",\"clientID\":\"\(Self.id)\",\(members)}]}"
          .utf8
      ).first
    }
    let graph = "https://graph.microsoft.com/v1.0/me"
    for (members, scopes, api) in [
      (#""authority": "https://contoso.ciamlogin.com""#, ["User.Read"], graph),
      // Its tokens are not Microsoft's.
      (#""authority": "https://localhost:8443/common""#, ["User.Read"], ""),
      (
        #""authority": "https://x.b2clogin.com/x/y", "api": "https://a.example/b""#, [Self.id],
        "https://a.example/b"
      ),
      (
        #""authority": "https://fs.example/adfs", "knownAuthorities": ["https://fs.example/adfs"],"#
          + #""api": "https://a.example/b""#, ["email"], "https://a.example/b"
      ),
      (
        #""authority": "https://i.example", "authorityKind": "oidc","#
          + #""knownAuthorities": ["https://i.example"], "api": "https://a.example/b""#, ["email"],
        "https://a.example/b"
      ),
    ] {
      let connection = try #require(try connection(members))
      #expect(connection.scopes == scopes)
      #expect(connection.api == api)
    }
  }

  @Test("The redirect URI for the browser, and what to do if it is not registered")
  func loopbackRedirect() throws {
    let connections = try ConnectionFile.parse(
      """
      {"version": 1, "apps": [
        {"name": "N", "clientID": "\(Self.id)"},
        {"name": "M", "clientID": "\(Self.id)", "redirectURI": "http://localhost:8400"}]}
      """.utf8)
    let custom = try #require(connections.first)
    #expect(try custom.loopbackRedirectURI().description == "http://localhost")
    #expect(custom.hint(about: custom.application.redirectURI) == nil)
    let hint = try #require(try custom.hint(about: custom.loopbackRedirectURI()))
    #expect("\(hint)".contains("AADSTS50011"))
    let loopback = try #require(connections.last)
    #expect(try loopback.loopbackRedirectURI() == loopback.application.redirectURI)
  }

  // MARK: - The demo

  @Test("The emulator's first line is the demo's connection")
  func demo() throws {
    let demo = try #require(DemoConnection.parse(TestApplication.demoAnnouncement))
    #expect(demo.isDemo, "the demo's service was started by the program")
    #expect(demo.name == "Demo")
    #expect(demo.application.authority.description == "https://localhost:5555/common")
    #expect(demo.application.knownAuthorities == [demo.application.authority])
    #expect(demo.application.caFile == "/tmp/ca.pem")
    #expect(demo.api == "https://localhost:5555/v1.0/me")
    #expect(demo.scopes == ["User.Read"])
  }

  @Test("A connection to a local service is not a demo")
  func ownService() throws {
    let connections = try ConnectionFile.parse(
      """
      {"version": 1, "apps": [{"name": "N", "clientID": "\(Self.id)",
        "authority": "https://localhost:8443/common"}]}
      """.utf8)
    #expect(connections.first?.isDemo == false)
  }

  @Test(
    "Any other line is not",
    arguments: [
      "", "Listening…", "{}", "[]", "authority", "caFile", "clientID", "graph",
      "redirectURI", "https",
    ])
  func noDemo(text: String) {
    // A bare name means the line without that member.
    let line =
      TestApplication.demoAnnouncement.contains(text) && !text.isEmpty
      ? TestApplication.demoAnnouncement.replacing(text, with: "x") : text
    #expect(DemoConnection.parse(line) == nil)
  }
}
