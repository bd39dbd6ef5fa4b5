import AuthCore
import Foundation
import SecretStore
import Testing

/// A store record of an account with a refresh token.
private func record(_ name: String) -> StoredRecord {
  let owner = #""home_account_id": "\#(name).tenant", "environment": "login.microsoftonline.com""#
  return StoredRecord(
    id: name,
    contents: Secret(
      Data(
        #"""
        {"Account": {"a": {\#(owner), "realm": "tenant", "username": "\#(name)"}},
         "RefreshToken": {"r": {\#(owner), "client_id": "client", "secret": "RT of \#(name)"}}}
        """#.utf8)))
}

private func accounts(_ store: KeyringTokenCacheStore) async throws -> Set<String> {
  Set(try await store.load().compactMap { $0.id.split(separator: ".").first.map(String.init) })
}

/// Keyring items, accessed with other programs.
private struct Outside {
  let folder: String

  init() throws {
    folder = FileManager.default.temporaryDirectory.path + "/shared-item-\(UUID())"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
  }

  func item(
    schema: String = "msal.cache", ignoresSchema: Bool = true,
    attributes: [String: String] = ["MsalClientID": "dev", "Version": "1"],
    encoding: SharedKeyringItem.Encoding = .base64
  ) -> SharedKeyringItem {
    SharedKeyringItem(
      schema: schema, ignoresSchema: ignoresSchema, attributes: attributes, label: "Label",
      encoding: encoding, signalFile: "\(folder)/signal")
  }

  func store(_ secret: String, label: String = "Theirs", _ attributes: String...) throws {
    try Tool.run("secret-tool", ["store", "--label=\(label)"] + attributes, input: secret)
  }

  func lookUp(_ attributes: String...) throws -> String {
    try Tool.run("secret-tool", ["lookup"] + attributes)
  }

  /// All unencrypted data of the items with `attributes`.
  func search(_ attributes: String...) throws -> [String] {
    try Tool.run("secret-tool", ["search", "--all"] + attributes).split(separator: "\n")
      .map(String.init).filter { line in
        !["[/", "secret = ", "created = ", "modified = "].contains { line.hasPrefix($0) }
      }.sorted()
  }

  func end() { try? FileManager.default.removeItem(atPath: folder) }
}

@Suite("A cache in an item of a real keyring", .serialized)
struct KeyringTokenCacheStoreTests {
  func withKeyring(_ body: (Desktop.Session) async throws -> Void) async throws {
    let desktop = try Desktop()
    defer { desktop.end() }
    try await desktop.startKeyring()
    try await body(desktop.session)
  }

  @Test(
    "A new item has the given label, schema, attributes and encoding")
  func newItem() async throws {
    try await withKeyring { session in
      await #expect(processExitsWith: .success) { [session = session as Desktop.Session] in
        session.join()
        let outside = try Outside()
        defer { outside.end() }
        let store = KeyringTokenCacheStore(outside.item())
        #expect(try await store.load().isEmpty)
        #expect(try Tool.itemCount() == 0)
        try await store.save(record("adele"))
        #expect(
          try outside.search("MsalClientID", "dev") == [
            "attribute.MsalClientID = dev", "attribute.Version = 1", "label = Label",
            "schema = msal.cache",
          ])
        let text = try outside.lookUp("MsalClientID", "dev")
        let json = try #require(Data(base64Encoded: text))
        #expect(String(decoding: json, as: UTF8.self).contains("RT of adele"))
        #expect(try await accounts(KeyringTokenCacheStore(outside.item())) == ["adele"])
        let names = try FileManager.default.contentsOfDirectory(atPath: outside.folder)
        #expect(names == ["signal"])

        let raw = outside.item(schema: "raw", attributes: ["kind": "raw"], encoding: .raw)
        try await KeyringTokenCacheStore(raw).save(record("ben"))
        let line = try outside.lookUp("kind", "raw")
        #expect(line.hasPrefix("{") && !line.contains("\n"))
        #expect(try await accounts(KeyringTokenCacheStore(raw)) == ["ben"])
      }
    }
  }

  @Test("An existing item keeps its label, attributes and encoding")
  func existing() async throws {
    try await withKeyring { session in
      await #expect(processExitsWith: .success) { [session = session as Desktop.Session] in
        session.join()
        let outside = try Outside()
        defer { outside.end() }
        let theirs = record("theirs").contents.exposed
        try outside.store(
          theirs.base64EncodedString(), "MsalClientID", "dev", "Version", "1", "xdg:schema", "other"
        )
        let before = try outside.search("MsalClientID", "dev")
        let store = KeyringTokenCacheStore(outside.item(encoding: .raw))
        #expect(try await accounts(store) == ["theirs"])
        try await store.save(record("ours"))
        #expect(try outside.search("MsalClientID", "dev") == before)
        #expect(try Tool.itemCount() == 1)
        #expect(Data(base64Encoded: try outside.lookUp("MsalClientID", "dev")) != nil)
        #expect(try await accounts(store) == ["theirs", "ours"])

        try outside.store(
          String(decoding: theirs, as: UTF8.self), "MsalClientID", "dev", "Version", "1",
          "xdg:schema", "other")
        #expect(try await accounts(KeyringTokenCacheStore(outside.item())) == ["theirs"])
        try await KeyringTokenCacheStore(outside.item()).save(record("ours"))
        #expect(try outside.lookUp("MsalClientID", "dev").hasPrefix("{"))
      }
    }
  }

  @Test("An item never replaces another program's item with more attributes")
  func sibling() async throws {
    try await withKeyring { session in
      await #expect(processExitsWith: .success) { [session = session as Desktop.Session] in
        session.join()
        let outside = try Outside()
        defer { outside.end() }
        try outside.store(
          "e30=", "xdg:schema", "msal.cache", "MsalClientID", "dev", "Version", "1")
        for attributes in [[:], ["Version": "1"], ["MsalClientID": "dev"]] {
          for ignoresSchema in [true, false] {
            let store = KeyringTokenCacheStore(
              outside.item(ignoresSchema: ignoresSchema, attributes: attributes))
            let errors = [
              await #expect(throws: AuthenticationError.self) { try await store.load() },
              await #expect(throws: AuthenticationError.self) {
                try await store.save(record("adele"))
              },
            ]
            for error in errors {
              #expect(error?.code == .storageUnavailable)
              #expect(
                error?.message.contains("another program’s item has these attributes and more")
                  == true)
            }
          }
        }
        #expect(try Tool.itemCount() == 1)
        #expect(try outside.lookUp("MsalClientID", "dev") == "e30=")
        #expect(try outside.search("MsalClientID", "dev").contains("attribute.Version = 1"))
        // An item with more attributes than the other one's is no conflict.
        let more = outside.item(attributes: ["MsalClientID": "dev", "Version": "1", "More": "x"])
        try await KeyringTokenCacheStore(more).save(record("ben"))
        #expect(try Tool.itemCount() == 2)
      }
    }
  }

  @Test("When two items match, neither is changed")
  func ambiguous() async throws {
    try await withKeyring { session in
      await #expect(processExitsWith: .success) { [session = session as Desktop.Session] in
        session.join()
        let outside = try Outside()
        defer { outside.end() }
        for schema in ["one", "two"] {
          try outside.store(
            "{}", "MsalClientID", "dev", "Version", "1", "xdg:schema", schema)
        }
        let store = KeyringTokenCacheStore(outside.item())
        let error = await #expect(throws: AuthenticationError.self) {
          try await store.save(record("adele"))
        }
        #expect(error?.message.contains("2 items have these attributes") == true)
        #expect(try outside.lookUp("xdg:schema", "one") == "{}")
        // The item with exactly this schema is unambiguous.
        try await KeyringTokenCacheStore(outside.item(schema: "two")).save(record("adele"))
        #expect(try outside.lookUp("xdg:schema", "one") == "{}")
        #expect(try outside.lookUp("xdg:schema", "two").contains("RT of adele"))
      }
    }
  }

  @Test(
    "An item with other content is left unchanged", arguments: ["hunter2", "bm8gSlNPTg=="])
  func something(secret: String) async throws {
    try await withKeyring { session in
      await #expect(processExitsWith: .success) {
        [session = session as Desktop.Session, secret = secret as String] in
        session.join()
        let outside = try Outside()
        defer { outside.end() }
        try outside.store(
          secret, "MsalClientID", "dev", "Version", "1", "xdg:schema", "msal.cache")
        let store = KeyringTokenCacheStore(outside.item())
        for _ in 1...2 {
          let error = await #expect(throws: AuthenticationError.self) { try await store.load() }
          #expect(error?.message.contains("is not a token cache (") == true)
          #expect(error?.message.contains("and was not changed") == true)
        }
        await #expect(throws: AuthenticationError.self) { try await store.save(record("adele")) }
        #expect(try outside.lookUp("MsalClientID", "dev") == secret)
      }
    }
  }

  @Test("A locked keyring never counts as an empty cache, and nothing in it is overwritten")
  func locked() async throws {
    try await withKeyring { session in
      await #expect(processExitsWith: .success) { [session = session as Desktop.Session] in
        session.join()
        let outside = try Outside()
        defer { outside.end() }
        let store = KeyringTokenCacheStore(outside.item())
        try await store.save(record("kept"))
        try Tool.lock()
        for store in [store, KeyringTokenCacheStore(outside.item())] {
          let error = await #expect(throws: AuthenticationError.self) { try await store.load() }
          #expect(error?.message.contains("the keyring is locked") == true)
          await #expect(throws: AuthenticationError.self) { try await store.save(record("new")) }
        }
        #expect(try Tool.itemCount() == 1)
        let names = try FileManager.default.contentsOfDirectory(atPath: outside.folder)
        #expect(names == ["signal"])
      }
    }
  }

  @Test("Another program's write is detected by the signal file, and kept even without it")
  func noticed() async throws {
    try await withKeyring { session in
      await #expect(processExitsWith: .success) { [session = session as Desktop.Session] in
        session.join()
        let outside = try Outside()
        defer { outside.end() }
        let (one, other) = (
          KeyringTokenCacheStore(outside.item()), KeyringTokenCacheStore(outside.item())
        )
        try await one.save(record("one"))
        #expect(try await accounts(one) == ["one"])
        #expect(!one.hasChanged)
        try await other.save(record("other"))
        #expect(one.hasChanged)
        #expect(try await accounts(one) == ["one", "other"])
        try await other.delete(id: "other")
        #expect(try await accounts(one) == ["one"])
        // As if a program ended before it could signal the change.
        let both = try await other.load()
        #expect(both.count == 1)
        try outside.store(
          record("silent").contents.exposed.base64EncodedString(), "MsalClientID", "dev",
          "Version", "1", "xdg:schema", "msal.cache")
        #expect(!one.hasChanged)
        try await one.save(record("new"))
        #expect(try await accounts(other) == ["silent", "new"])
      }
    }
  }

  @Test("A session without a keyring is reported")
  func noProvider() async throws {
    let desktop = try Desktop()
    defer { desktop.end() }
    await #expect(processExitsWith: .success) { [session = desktop.session as Desktop.Session] in
      session.join()
      let outside = try Outside()
      defer { outside.end() }
      let store = KeyringTokenCacheStore(outside.item())
      let error = await #expect(throws: AuthenticationError.self) { try await store.load() }
      #expect(error?.code == .storageUnavailable)
      #expect(error?.message.contains("no keyring service") == true)
      await #expect(throws: AuthenticationError.self) { try await store.save(record("new")) }
    }
  }
}
