import AuthCore
import Foundation
import SecretStore
import Testing

/// The store of each test, in the process that the test runs in.
private func makeStore(_ application: String = "io.example.Test") -> SecretServiceStore {
  SecretServiceStore(application: application, label: "Test account")
}

private func record(_ id: String, _ text: String) -> StoredRecord {
  StoredRecord(id: id, contents: Secret(Data(text.utf8)))
}

/// How long `body` took.
private func duration(_ body: () async throws -> Void) async rethrows -> Duration {
  let start = ContinuousClock.now
  try await body()
  return ContinuousClock.now - start
}

@Suite("The Secret Service store, with a real keyring", .serialized)
struct SecretServiceStoreTests {
  @Test("What is saved is loaded, by this process and by the next")
  func roundTrip() async throws {
    let desktop = try Desktop()
    defer { desktop.end() }
    try desktop.startKeyring()
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
      #expect(try Tool.itemCount() == 1)
      #expect(try await makeStore("io.example.Other").load().isEmpty)
    }
  }

  @Test("Saving again keeps one item, and a large record comes back whole")
  func overwrite() async throws {
    let desktop = try Desktop()
    defer { desktop.end() }
    try desktop.startKeyring()
    await #expect(processExitsWith: .success) { [session = desktop.session as Desktop.Session] in
      session.join()
      let store = makeStore()
      let large = String(repeating: "0123456789abcdef", count: 4096)
      for text in ["a", "b", large] { try await store.save(record("one", text)) }
      #expect(try Tool.itemCount() == 1)
      #expect(try await store.load() == [record("one", large)])
    }
  }

  @Test("From outside it is one line of base64url, and nothing says whose it is")
  func seenFromOutside() async throws {
    let desktop = try Desktop()
    defer { desktop.end() }
    try desktop.startKeyring()
    await #expect(processExitsWith: .success) { [session = desktop.session as Desktop.Session] in
      session.join()
      let text = #"{"username": "adele@contoso.example", "client_id": "b6c69a37"}"# + "\n"
      try await makeStore().save(record("random-id", text))
      let item = try Tool.search("io.example.Test")
      #expect(Base64URL.decode(item.secret) == Data(text.utf8))
      #expect(
        item.inTheClear == [
          "[/1]", "attribute.application = io.example.Test", "attribute.id = random-id",
          "attribute.kind = account", "label = Test account",
          "schema = io.github.entrance.TokenCache",
        ])
    }
  }

  @Test("An item of someone else's making is passed over")
  func strangeItem() async throws {
    let desktop = try Desktop()
    defer { desktop.end() }
    try desktop.startKeyring()
    await #expect(processExitsWith: .success) { [session = desktop.session as Desktop.Session] in
      session.join()
      try await makeStore().save(record("one", "mine"))
      try Tool.run(
        "secret-tool",
        ["store", "--label=x", "application", "io.example.Test", "kind", "account", "id", "two"],
        input: "not base64url!")
      #expect(try Tool.itemCount() == 2)
      #expect(try await makeStore().load() == [record("one", "mine")])
    }
  }

  @Test("A locked keyring is never an empty one, and nothing in it is written over")
  func locked() async throws {
    let desktop = try Desktop()
    defer { desktop.end() }
    try desktop.startKeyring()
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
      #expect(try Tool.itemCount() == 1)
      #expect(try Tool.search("io.example.Test").secret != Base64URL.encode("other".utf8))
    }
  }

  @Test("An app over a locked keyring works from memory, and says why")
  func appOverLockedKeyring() async throws {
    let desktop = try Desktop()
    defer { desktop.end() }
    try desktop.startKeyring()
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
      #expect(try Tool.itemCount() == 1)
    }
  }

  @Test("A session without a keyring says so, and quickly")
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
      #expect(time < .seconds(5))
    }
  }

  @Test("So does one without a bus")
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
      #expect(time < .seconds(5))
    }
  }

  @Test("A load that waits for a keyring that hangs can be given up")
  func cancellation() async throws {
    let desktop = try Desktop()
    defer { desktop.end() }
    try desktop.startKeyring()
    await #expect(processExitsWith: .success) { [session = desktop.session as Desktop.Session] in
      session.join()
      try await makeStore().save(record("one", "kept"))
      let keyring = try #require(session.keyring)
      kill(keyring, SIGSTOP)
      let load = Task { try await makeStore().load() }
      let time = await duration {
        load.cancel()
        let error = await #expect(throws: AuthenticationError.self) { try await load.value }
        #expect(error?.code == .storageUnavailable)
      }
      #expect(time < .seconds(5))
      kill(keyring, SIGCONT)
      #expect(try await makeStore().load() == [record("one", "kept")])
    }
  }
}
