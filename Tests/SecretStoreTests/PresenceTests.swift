import AuthCore
import Foundation
import SecretStore
import Testing

/// The presence of the keyring for a process in a session.
private func presence() async -> KeyringPresence {
  await SecretServiceStore(application: "io.example.Test", label: "Test account").presence()
}

@Suite("Presence of the keyring", .serialized)
struct PresenceTests {
  @Test("Unlocked and locked are distinguished, and checking unlocks nothing")
  func locked() async throws {
    let desktop = try Desktop()
    defer { desktop.end() }
    try desktop.startKeyring()
    await #expect(processExitsWith: .success) { [session = desktop.session as Desktop.Session] in
      session.join()
      #expect(await presence() == .unlocked)
      try Tool.lock()
      #expect(await presence() == .locked)
      #expect(await presence() == .locked)
    }
  }

  @Test("A service without a keyring is reported")
  func noDefaultCollection() async throws {
    let desktop = try Desktop()
    defer { desktop.end() }
    try desktop.startKeyring(atLogin: false)
    await #expect(processExitsWith: .success) { [session = desktop.session as Desktop.Session] in
      session.join()
      #expect(await presence() == .noDefaultCollection)
      let store = SecretServiceStore(application: "io.example.Test", label: "Test account")
      let error = await #expect(throws: AuthenticationError.self) { try await store.load() }
      #expect(error?.message.contains("no default keyring") == true)
    }
  }

  @Test("A session without a service, and no session at all, are reported")
  func nothing() async throws {
    let desktop = try Desktop()
    await #expect(processExitsWith: .success) { [session = desktop.session as Desktop.Session] in
      session.join()
      #expect(await presence() == .noService)
    }
    desktop.end()
    await #expect(processExitsWith: .success) { [session = desktop.session as Desktop.Session] in
      session.join()
      #expect(await presence() == .noBus)
    }
  }

  @Test("A service that hangs is present, and waited for at most three seconds")
  func hanging() async throws {
    let desktop = try Desktop()
    defer { desktop.end() }
    try desktop.startKeyring()
    await #expect(processExitsWith: .success) { [session = desktop.session as Desktop.Session] in
      session.join()
      let keyring = try #require(session.keyring)
      kill(keyring, SIGSTOP)
      let start = ContinuousClock.now
      #expect(await presence() == .noAnswer)
      let time = ContinuousClock.now - start
      #expect(time >= .seconds(3) && time < .seconds(6))
      kill(keyring, SIGCONT)
      #expect(await presence() == .unlocked)
    }
  }
}
