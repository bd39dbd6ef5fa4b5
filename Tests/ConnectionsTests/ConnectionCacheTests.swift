import AuthCore
import Connections
import FoundationEssentials
import TestSupport
import Testing

/// Locations from the sources of the other programs.
@Suite("The cache of a connection")
struct ConnectionCacheTests {
  let home = ProcessInfo.processInfo.environment["HOME"] ?? ""

  func location(_ cache: String) throws -> TokenCacheLocation? {
    try ConnectionFile.parse(
      """
      {"version": 1, "apps": [{"name": "N", "clientID": "\(ConnectionFileTests.id)",
        "cache": \(cache)}]}
      """.utf8
    ).first?.cache
  }

  func item(_ cache: String) throws -> SharedKeyringItem {
    guard let item = try location(cache)?.keyringItem else { throw NoItem() }
    return item
  }

  struct NoItem: Error {}

  @Test("Without a cache, accounts are Entrance's own")
  func none() throws {
    #expect(try location("null") == nil)
    #expect(
      try ConnectionFile.parse(
        #"{"version": 1, "apps": [{"name": "N", "clientID": "\#(ConnectionFileTests.id)"}]}"#
          .utf8
      ).first?.cache == nil)
  }

  @Test("A path is a file, in the home directory or anywhere")
  func file() throws {
    #expect(try location(#"{"path": "/var/cache.json"}"#) == .file(path: "/var/cache.json"))
    #expect(try location(#"{"path": "~/a/b.json"}"#) == .file(path: "\(home)/a/b.json"))
    #expect(
      try location(#"{"preset": "az"}"#) == .file(path: "\(home)/.azure/msal_token_cache.json"))
  }

  @Test("Azure's libraries for Python have two items")
  func azureIdentity() throws {
    for (preset, name) in [("azure-identity", "nocae"), ("azure-identity-cae", "cae")] {
      let item = try item(#"{"preset": "\#(preset)"}"#)
      #expect(item.schema == "msal.cache.\(name)")
      #expect(!item.ignoresSchema)
      #expect(item.attributes == ["MsalClientID": "Microsoft.Developer.IdentityService"])
      #expect(item.label == "MSALCache")
      #expect(item.collection == "default")
      #expect(item.encoding == .raw)
      #expect(item.signalFile == "\(home)/.IdentityService/msal.cache.\(name)")
    }
  }

  @Test("Git Credential Manager, azureauth and Azure CLI's encrypted cache")
  func tools() throws {
    let git = try item(#"{"preset": "git-credential-manager"}"#)
    #expect(git.schema == "msal.cache" && git.ignoresSchema && git.encoding == .base64)
    #expect(
      git.attributes == [
        "MsalClientID": "Microsoft.Developer.IdentityService",
        "Microsoft.Developer.IdentityService": "1.0.0.0",
      ])
    #expect(git.signalFile == "\(home)/.local/.IdentityService/msal.cache")
    let azureauth = try item(#"{"preset": "azureauth", "tenant": "t"}"#)
    #expect(azureauth.schema == "com.microsoft.identity.tokencache")
    #expect(
      azureauth.attributes == ["Version": "1", "ProductGroup": "Microsoft Develoepr Tools"])
    #expect(azureauth.signalFile == "\(home)/.local/share/.IdentityService/msal_t.cache")
    let az = try item(#"{"preset": "az-encrypted"}"#)
    #expect(az.schema == "my_schema_name" && az.label.isEmpty && az.encoding == .raw)
    #expect(az.attributes == ["my_attr1": "foo", "my_attr2": "bar"])
  }

  /// The location of `preset` in a home where `files` were changed, one after the other.
  private func location(of preset: String, after files: [String]) throws -> TokenCacheLocation? {
    let home = try TemporaryDirectory()
    for (index, name) in files.enumerated() {
      let file = URL(filePath: "\(home.path)/\(name)")
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data().write(to: file)
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1_700_000_000 + Double(index))],
        ofItemAtPath: file.path)
    }
    return TokenCacheLocation.preset(preset, home: home.path)
  }

  // azure-cli's persistence.py and Git Credential Manager's EntraAuthentication.cs.
  @Test("Of a tool's old and new names, those that were used last count")
  func renamed() throws {
    let (json, old, new) = (
      ".azure/msal_token_cache.json", ".azure/msal_token_cache.bin", ".azure/msal_token_cache.sig"
    )
    for (preset, files, schema) in [
      ("az", [], nil), ("az", [json], nil), ("az", [new], "Microsoft Azure CLI"),
      ("az", [json, new], "Microsoft Azure CLI"), ("az", [new, json], nil), ("az", [old], nil),
      ("az-encrypted", [], "my_schema_name"), ("az-encrypted", [json], "my_schema_name"),
      ("az-encrypted", [old, new], "Microsoft Azure CLI"),
      ("az-encrypted", [new, old], "my_schema_name"),
    ] as [(String, [String], String?)] {
      let location = try location(of: preset, after: files)
      #expect(location?.keyringItem?.schema == schema, "\(preset) after \(files)")
      #expect((location?.path == nil) == (schema != nil))
    }
    let az = try #require(try location(of: "az", after: [new])?.keyringItem)
    #expect(az.attributes == ["type": "Token cache"] && az.label.isEmpty && az.encoding == .raw)
    #expect(!az.ignoresSchema && az.signalFile.hasSuffix("/\(new)"))

    let (shared, own) = (".local/.IdentityService/msal.cache", ".gcm/msal.cache")
    for (files, file) in [([], shared), ([own], own), ([own, shared], shared)] {
      let item = try location(of: "git-credential-manager", after: files)?.keyringItem
      #expect(item?.signalFile.hasSuffix("/\(file)") == true)
      #expect(item?.schema == "msal.cache" && item?.label == "MSALCache")
    }
    let git = try location(of: "git-credential-manager", after: [own])?.keyringItem
    #expect(
      git?.attributes == [
        "MsalClientID": "GitCredentialManager.MSAL", "GitCredentialManager.MSAL": "1.0.0.0",
      ])
  }

  @Test("All places where a tool has kept its cache are found, the last used one first")
  func used() throws {
    let directory = try TemporaryDirectory()
    let az = ["az", "az-encrypted"]
    #expect(TokenCacheLocation.used(by: az, home: directory.path).isEmpty)
    let files = ["json", "bin", "sig"].map { ".azure/msal_token_cache.\($0)" }
    try FileManager.default.createDirectory(
      atPath: "\(directory.path)/.azure", withIntermediateDirectories: true)
    for (index, file) in files.enumerated() {
      let path = "\(directory.path)/\(file)"
      try Data().write(to: URL(filePath: path))
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1_790_000_000 + Double(index))],
        ofItemAtPath: path)
    }
    let used = TokenCacheLocation.used(by: az, home: directory.path)
    #expect(used.map { $0.keyringItem?.schema } == ["Microsoft Azure CLI", "my_schema_name", nil])
    #expect(used.last?.path == "\(directory.path)/.azure/msal_token_cache.json")
  }

  @Test("MSAL Python's extensions name the item by a hash of the path, MSAL Go's by a name")
  func extensions() throws {
    let python = try item(#"{"preset": "msal-extensions", "path": "/tmp/cache.bin"}"#)
    // Computed with sha256sum.
    #expect(
      python.schema == "b3f23a4c712bbe3e9e599487f1baf058f0ef5edd7626b1b3adb000a8f8138ac7")
    #expect(python.attributes.isEmpty && python.signalFile == "/tmp/cache.bin")
    let go = try item(#"{"preset": "msal-go", "schema": "tool", "path": "~/x"}"#)
    #expect(go.schema == "tool" && go.label == "MSALCache" && go.encoding == .base64)
    #expect(go.signalFile == "\(home)/x")
  }

  @Test("An item can be described completely, or without members that have defaults")
  func whole() throws {
    let whole = try item(
      """
      {"schema": "s", "ignoresSchema": true, "attributes": {"a": "1", "b": ""}, "label": "L",
       "collection": "session", "encoding": "base64", "signalFile": "/s"}
      """)
    #expect(
      whole
        == SharedKeyringItem(
          schema: "s", ignoresSchema: true, attributes: ["a": "1", "b": ""], label: "L",
          collection: "session", encoding: .base64, signalFile: "/s"))
    let short = try item(#"{"schema": "s", "encoding": "raw", "signalFile": "/s"}"#)
    #expect(
      short
        == SharedKeyringItem(
          schema: "s", attributes: [:], label: "", encoding: .raw, signalFile: "/s"))
  }

  @Test(
    "An error has its line and field",
    arguments: [
      (#""az""#, "cache: the value must be an object in braces"),
      ("{}", "cache.schema: enter a preset, a path, or a schema"),
      (#"{"preset": "git"}"#, "cache.preset: the value must be one of \"az\", "),
      (#"{"preset": 7}"#, "cache.preset: the value must be a string in quotes"),
      (#"{"preset": "az", "path": "/x"}"#, "cache.path: this field does not exist"),
      (#"{"preset": "msal-extensions"}"#, "cache.path: enter the path of a file"),
      (
        #"{"preset": "azureauth", "tenant": "../x"}"#,
        "cache.tenant: the value must not contain a slash"
      ),
      (#"{"path": "cache.json"}"#, "cache.path: the value must begin with / or ~/"),
      (#"{"path": "/x", "schema": "s"}"#, "cache.schema: this field does not exist"),
      (#"{"schema": "s", "signalFile": "/s"}"#, "cache.encoding: enter how the item is encoded"),
      (
        #"{"schema": "s", "encoding": "gzip", "signalFile": "/s"}"#,
        "cache.encoding: the value must be one of \"raw\""
      ),
      (#"{"schema": "s", "encoding": "raw"}"#, "cache.signalFile: enter the path of a file"),
      (
        #"{"schema": "s", "Attributes": {}}"#,
        "cache.Attributes: the correct spelling is attributes"
      ),
      (
        #"{"schema": "s", "attributes": {"a": 1}}"#, "cache.attributes: the members must be strings"
      ),
      (
        #"{"schema": "s", "attributes": {"xdg:schema": "t"}}"#,
        "cache.attributes: set the schema in the field “schema”"
      ),
      (
        #"{"schema": "s", "ignoresSchema": "yes"}"#,
        "cache.ignoresSchema: the value must be true or"
      ),
    ])
  func faults(cache: String, words: String) {
    let error = #expect(throws: ConnectionFileError.self) { try location(cache) }
    #expect(error?.description.hasPrefix("line 2: apps[0].\(words)") == true)
  }
}
