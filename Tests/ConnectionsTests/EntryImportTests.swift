import AuthCore
import Connections
import TestSupport
import Testing

@Suite("Importing entries of apps.json")
struct EntryImportTests {
  /// An entry with every field, in the order of the documentation.
  static func entry(caFile: String) -> String {
    """
    {
      "name": "Contoso", "clientID": "desktop", "authority": "https://id.contoso.example/realms/one",
      "authorityKind": "oidc", "redirectURI": "http://localhost:8400/back",
      "scopes": ["email", "offline_access"], "api": "https://api.contoso.example/me",
      "knownAuthorities": [
        "https://id.contoso.example/realms/one", "https://id.contoso.example/realms/two" ],
      "caFile": "\(caFile)", "cache": {"preset": "azure-identity"},
      "isBrokerRedirectURIRegistered": true
    }
    """
  }

  @Test("Every field of an entry is kept, alone and in a whole file", arguments: [true, false])
  func everyField(isAlone: Bool) throws {
    let directory = try TemporaryDirectory()
    try directory.write(
      "ca.pem", "-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n")
    let entry = Self.entry(caFile: directory.path + "/ca.pem")
    let json = try JSON(parsing: entry.utf8)
    let fields = Mirror(reflecting: ConnectionFields.shared).children.compactMap(\.label)
    #expect(json.object?.map(\.name) == fields)
    let draft = try ConnectionImportTests.draft(
      isAlone ? entry : #"{"version": 1, "apps": [ \#(entry) ]}"#)
    var document = ConnectionDocument()
    try document.add(draft)
    let written = try JSON(parsing: document.bytes)
    #expect(written["apps"]?.array == [json])
  }

  @Test("What an entry chooses on this computer is said with its path")
  func places() throws {
    let draft = try ConnectionImportTests.draft(Self.entry(caFile: "/home/adele/ca.pem"))
    let remark = "\(try #require(draft.remark))"
    let advice = "Keep this setting only if you trust whoever gave you the app."
    #expect(
      remark == "The imported app trusts certificates from /home/adele/ca.pem. \(advice)"
        + " The imported app shares its accounts with other programs, by this setting:"
        + " {\"preset\":\"azure-identity\"}. \(advice)")
    let usual = try ConnectionImportTests.draft(
      #"{"name": "A", "clientID": "\#(ConnectionImportTests.id)", "cache": null, "caFile": ""}"#)
    #expect(usual.remark == nil)
    try ConnectionImportTests.check(usual)
  }

  @Test(
    "Of a token cache, the remark says what the entry chooses, and nothing else",
    arguments: [
      (#"{"path": "/home/a/cache.bin"}"#, "keeps its accounts in the file /home/a/cache.bin."),
      (
        #"{"schema": "contoso", "signalFile": "/home/a/signal"}"#,
        #"in a keyring item: {"schema":"contoso","signalFile":"/home/a/signal"}."#
      ),
    ])
  func caches(cache: String, sentence: String) throws {
    let draft = try ConnectionImportTests.draft(
      #"{"clientID": "\#(ConnectionImportTests.id)", "cache": \#(cache)}"#)
    let remark = "\(try #require(draft.remark))"
    #expect(remark.contains(sentence) && !remark.contains("certificates"))
  }

  @Test("A field that cannot be taken is left out and named, with the reason")
  func leftOut() throws {
    let draft = try ConnectionImportTests.draft(
      #"{"clientID": "\#(ConnectionImportTests.id)", "authoritykind": "oidc", "#
        + #""redirect_uri": "a://b", "color": 1, "caFile": "ca.pem"}"#)
    let remark = "\(try #require(draft.remark))"
    #expect(
      remark == "The field authoritykind is unknown and is left out."
        + " The correct name is authorityKind."
        + " The field redirect_uri is unknown and is left out. The correct name is redirectURI."
        + " Unknown fields are left out: color."
        + " The field caFile is left out: ca.pem is not an absolute path.")
    #expect(draft.caFile.isEmpty && draft.redirectURI.isEmpty && draft.authorityKind == nil)
    try ConnectionImportTests.check(draft)
  }

  @Test("What the list of the command line says besides is not named")
  func listed() throws {
    let draft = try ConnectionImportTests.draft(
      #"{"apps": [{"name": "A", "clientID": "\#(ConnectionImportTests.id)", "isReadOnly": true}]}"#)
    #expect(draft.remark == nil)
    try ConnectionImportTests.check(draft)
  }

  @Test("A remark has a limit, however many fields there are")
  func many() throws {
    let members = (1...5_000).map { #", "field\#($0)": 1"# }.joined()
    let draft = try ConnectionImportTests.draft(
      #"{"clientID": "\#(ConnectionImportTests.id)"\#(members)}"#)
    let remark = "\(try #require(draft.remark))"
    #expect(remark.contains("field10, …") && !remark.contains("field11"))
  }

  @Test("An API that would get tokens for a Microsoft service is left out of an entry, too")
  func foreignAPI() throws {
    let draft = try ConnectionImportTests.draft(
      #"{"clientID": "\#(ConnectionImportTests.id)", "api": "https://evil.example/me", "a": 1}"#)
    #expect(draft.api.isEmpty)
    let remark = "\(try #require(draft.remark))"
    #expect(remark.contains("https://evil.example,") && remark.contains("left out: a."))
  }

  @Test(
    "A value of another type is an error with its field",
    arguments: [
      ("authorityKind", #""saml""#), ("scopes", #""email""#), ("knownAuthorities", "{}"),
      ("isBrokerRedirectURIRegistered", #""yes""#), ("caFile", "5"),
    ])
  func wrongType(field: String, value: String) throws {
    let error = #expect(throws: ConnectionFileError.self) {
      try ConnectionImport.drafts(
        from: #"{"clientID": "\#(ConnectionImportTests.id)", "\#(field)": \#(value)}"#)
    }
    #expect(error?.fieldName == field)
  }
}
