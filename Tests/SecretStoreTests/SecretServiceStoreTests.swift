import AuthCore
import Dispatch
import Foundation
import SecretStore
import Testing

/// The store of each test, in the test's own process.
private func makeStore(_ application: String = "io.example.Test") -> SecretServiceStore {
  SecretServiceStore(application: application, label: "Test account")
}

private func record(_ id: String, _ text: String) -> StoredRecord {
  StoredRecord(id: id, contents: Secret(Data(text.utf8)))
}

/// Less than the ten seconds that a keyring is given to answer.
private let answerLimit = Duration.seconds(9)

/// The time that `body` takes.
private func duration(_ body: () async throws -> Void) async rethrows -> Duration {
  let start = ContinuousClock.now
  try await body()
  return ContinuousClock.now - start
}

@Suite("The Secret Service store, with a real keyring", .serialized)
struct SecretServiceStoreTests {
  @Test("A saved record is loaded, by this process and by the next")
  func roundTrip() async throws {
    let desktop = try Desktop()
    defer { desktop.end() }
    try await desktop.startKeyring()
    await #expect(processExitsWith: .success) { [session = desktop.session as Desktop.Session] in
      session.join()
      let store = makeStore()
      #expect(try await store.load().isEmpty)
      try await store.save(record("one", "first\nline \u{0} 𝄞 \\n"))
      try await store.save(record("two", "second"))
      #expect(
        try await store.load().sorted { $0.id < $1.id } == [
          record("one", "first\nline \u{0} 𝄞 \\n"), record("two", "second"),
        ])
    }
    await #expect(processExitsWith: .success) { [session = desktop.session as Desktop.Session] in
      session.join()
      let store = makeStore()
      #expect(try await store.load().count == 2)
      try await store.delete(id: "one")
      try await store.delete(id: "one")
      #expect(try await store.load() == [record("two", "second")])
      // One slot of the record, and two of the index.
      #expect(try Tool.itemCount() == 3)
      #expect(try await makeStore("io.example.Other").load().isEmpty)
    }
  }

  @Test("Saving again keeps two items, and a large record is complete")
  func overwrite() async throws {
    let desktop = try Desktop()
    defer { desktop.end() }
    try await desktop.startKeyring()
    await #expect(processExitsWith: .success) { [session = desktop.session as Desktop.Session] in
      session.join()
      let store = makeStore()
      let large = String(repeating: "0123456789abcdef", count: 4096)
      for text in ["a", "b", large] { try await store.save(record("one", text)) }
      // Two slots of the record, and the index.
      #expect(try Tool.itemCount() == 3)
      #expect(try await store.load() == [record("one", large)])
    }
  }

  @Test("The secret is one line of base64url, and neither title nor attributes say whose it is")
  func seenFromOutside() async throws {
    let desktop = try Desktop()
    defer { desktop.end() }
    try await desktop.startKeyring()
    await #expect(processExitsWith: .success) { [session = desktop.session as Desktop.Session] in
      session.join()
      let text = #"{"username": "adele@contoso.example", "client_id": "b6c69a37"}"# + "\n"
      try await makeStore().save(record("random-id", text))
      let items = try Tool.search("io.example.Test")
      #expect(
        items.map(\.attributes) == [
          ["application": "io.example.Test", "id": "index", "kind": "index", "slot": "a"],
          ["application": "io.example.Test", "id": "random-id", "kind": "record", "slot": "a"],
        ])
      #expect(
        items.map(\.label) == [
          "Test account: list of accounts (copy A)", "Test account: account random (copy A)",
        ])
      for item in items {
        #expect(item.schema == "io.github.entrance.TokenCache")
        #expect(item.secret.wholeMatch(of: /[A-Za-z0-9_-]+/) != nil)
      }
    }
  }

  @Test("Another program of the user reads an unlocked keyring, as the README says")
  func otherProgram() async throws {
    let desktop = try Desktop()
    defer { desktop.end() }
    try await desktop.startKeyring()
    await #expect(processExitsWith: .success) { [session = desktop.session as Desktop.Session] in
      session.join()
      try await makeStore().save(record("random-id", "refresh-token-canary"))
      // secret-tool gets it without being asked, in the form that the store gave it.
      let items = try Tool.search("io.example.Test").filter { $0.attributes["id"] == "random-id" }
      let seen = items.compactMap { item -> String? in
        let padded = item.secret.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - padded.count % 4) % 4)
        return Data(base64Encoded: padded + padding).map { String(decoding: $0, as: UTF8.self) }
      }
      // The base64url form of the token (RFC 4648, section 5).
      #expect(seen.contains { $0.contains("cmVmcmVzaC10b2tlbi1jYW5hcnk") }, "\(seen)")
    }
    let readme = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "README.md")
    #expect(try String(contentsOf: readme, encoding: .utf8).contains("access the keyring.**"))
  }

  @Test("An item with invalid content is set aside, and the others are unaffected")
  func strangeItem() async throws {
    let desktop = try Desktop()
    defer { desktop.end() }
    try await desktop.startKeyring()
    await #expect(processExitsWith: .success) { [session = desktop.session as Desktop.Session] in
      session.join()
      try await makeStore().save(record("one", "mine"))
      try Tool.store(["kind": "account", "id": "two"], secret: "not base64url!")
      let store = makeStore()
      #expect(try await store.load() == [record("one", "mine")])
      #expect(store.warning?.message.contains("is damaged. The data was set aside") == true)
      let kinds = try Tool.search("io.example.Test").map { $0.attributes["kind"] }
      #expect(kinds == ["index", "quarantine", "record"])
      // It is reported once.
      #expect(try await makeStore().load() == [record("one", "mine")])
      let next = makeStore()
      _ = try await next.load()
      #expect(next.warning == nil)
    }
  }

  @Test("An item in the old format is read, and replaced at the next write")
  func migration() async throws {
    let desktop = try Desktop()
    defer { desktop.end() }
    try await desktop.startKeyring()
    await #expect(processExitsWith: .success) { [session = desktop.session as Desktop.Session] in
      session.join()
      for id in ["one", "two"] {
        try Tool.store(["kind": "account", "id": id], secret: Base64URL.encode("old \(id)".utf8))
      }
      let store = makeStore()
      #expect(
        try await store.load().sorted { $0.id < $1.id } == [
          record("one", "old one"), record("two", "old two"),
        ])
      #expect(store.warning == nil)
      try await store.save(record("one", "new"))
      let kinds = try Tool.search("io.example.Test").map { $0.attributes["kind"] }
      #expect(kinds == ["account", "index", "record"])
      #expect(
        try await makeStore().load().sorted { $0.id < $1.id } == [
          record("one", "new"), record("two", "old two"),
        ])
      try await makeStore().delete(id: "two")
      #expect(try await makeStore().load() == [record("one", "new")])
    }
  }

  @Test("Missing items are reported until someone signs in")
  func deletedByHand() async throws {
    let desktop = try Desktop()
    defer { desktop.end() }
    try await desktop.startKeyring()
    await #expect(processExitsWith: .success) { [session = desktop.session as Desktop.Session] in
      session.join()
      for id in ["one", "two"] { try await makeStore().save(record(id, id)) }
      try Tool.run(
        "secret-tool", ["clear", "application", "io.example.Test", "kind", "record", "id", "one"])
      let store = makeStore()
      #expect(try await store.load() == [record("two", "two")])
      #expect(store.warning?.code == .storageIncomplete)
      #expect(store.warning?.message.contains("missing from the token store") == true)
      try await store.save(record("three", "three"))
      let next = makeStore()
      #expect(try await next.load().count == 2)
      #expect(next.warning == nil)
    }
  }

  @Test("A keyring that is killed and restarted is used again")
  func restarted() async throws {
    let desktop = try Desktop()
    defer { desktop.end() }
    try await desktop.startKeyring()
    await #expect(processExitsWith: .success) { [session = desktop.session as Desktop.Session] in
      session.join()
      let store = makeStore()
      try await store.save(record("one", "kept"))
      kill(try #require(session.keyring), SIGKILL)
      await #expect(throws: AuthenticationError.self) { try await store.save(record("one", "x")) }
      let keyring = try await session.startKeyring()
      defer { keyring.terminate() }
      try await store.save(record("one", "new"))
      try await store.save(record("two", "second"))
      #expect(
        try await makeStore().load().sorted { $0.id < $1.id } == [
          record("one", "new"), record("two", "second"),
        ])
    }
  }

  @Test("A locked keyring never counts as empty, and nothing in it is overwritten")
  func locked() async throws {
    let desktop = try Desktop()
    defer { desktop.end() }
    try await desktop.startKeyring()
    await #expect(processExitsWith: .success) { [session = desktop.session as Desktop.Session] in
      session.join()
      try await makeStore().save(record("one", "kept"))
      try Tool.lock()
      let store = makeStore()
      for _ in 1...2 {
        let error = await #expect(throws: AuthenticationError.self) { try await store.load() }
        #expect(error?.code == .storageUnavailable)
        #expect(error?.step == .storage)
        #expect(error?.message.contains("the keyring is locked") == true)
      }
      let error = await #expect(throws: AuthenticationError.self) {
        try await store.save(record("one", "other"))
      }
      #expect(error?.code == .storageUnavailable)
      #expect(try Tool.itemCount() == 2)
    }
  }

  @Test("An app with a locked keyring works with memory, and reports the reason")
  func appOverLockedKeyring() async throws {
    let desktop = try Desktop()
    defer { desktop.end() }
    try await desktop.startKeyring()
    await #expect(processExitsWith: .success) { [session = desktop.session as Desktop.Session] in
      session.join()
      try await makeStore().save(record("one", "kept"))
      try Tool.lock()
      let redirect = try RedirectURI("msauth.io.example.test://auth")
      let app = PublicClientApplication(
        configuration: try PublicClientApplicationConfiguration(
          clientID: "client", redirectURI: redirect), store: makeStore())
      #expect(await app.accounts().isEmpty)
      #expect(await app.storageFailure?.code == .storageUnavailable)
      #expect(try Tool.itemCount() == 2)
    }
  }

  @Test("A session without a keyring is reported quickly")
  func noProvider() async throws {
    let desktop = try Desktop()
    defer { desktop.end() }
    await #expect(processExitsWith: .success) { [session = desktop.session as Desktop.Session] in
      session.join()
      let time = await duration {
        let error = await #expect(throws: AuthenticationError.self) { try await makeStore().load() }
        #expect(error?.code == .storageUnavailable)
        #expect(error?.message.contains("no keyring service") == true)
        await #expect(throws: AuthenticationError.self) {
          try await makeStore().save(record("one", "x"))
        }
        await #expect(throws: AuthenticationError.self) { try await makeStore().delete(id: "one") }
      }
      #expect(time < answerLimit)
    }
  }

  @Test("A session without a bus is reported quickly")
  func noBus() async throws {
    let desktop = try Desktop()
    desktop.end()
    await #expect(processExitsWith: .success) { [session = desktop.session as Desktop.Session] in
      session.join()
      let time = await duration {
        let error = await #expect(throws: AuthenticationError.self) { try await makeStore().load() }
        #expect(error?.code == .storageUnavailable)
        #expect(error?.message.contains("no session bus") == true)
      }
      #expect(time < answerLimit)
    }
  }

  @Test("A load that waits for a keyring that hangs can be canceled")
  func cancellation() async throws {
    let desktop = try Desktop()
    defer { desktop.end() }
    try await desktop.startKeyring()
    await #expect(processExitsWith: .success) { [session = desktop.session as Desktop.Session] in
      session.join()
      try await makeStore().save(record("one", "kept"))
      let keyring = try #require(session.keyring)
      let calls = try session.monitorKeyring()
      kill(keyring, SIGSTOP)
      let load = Task { try await makeStore().load() }
      await withCheckedContinuation { hasCalled in
        // Not on a thread of tasks, which the load needs.
        DispatchQueue(label: "monitor").async {
          var text = ""
          while !text.contains("method call") {
            let more = calls.fileHandleForReading.availableData
            if more.isEmpty { break }
            text += String(decoding: more, as: UTF8.self)
          }
          hasCalled.resume()
        }
      }
      let time = await duration {
        load.cancel()
        let error = await #expect(throws: AuthenticationError.self) { try await load.value }
        #expect(error?.code == .storageUnavailable)
      }
      #expect(time < answerLimit)
      kill(keyring, SIGCONT)
      #expect(try await makeStore().load() == [record("one", "kept")])
    }
  }
}
