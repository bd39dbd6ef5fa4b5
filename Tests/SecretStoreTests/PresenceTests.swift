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
    try await desktop.startKeyring()
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
    try await desktop.startKeyring(atLogin: false)
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

  @Test("A display without a bus, as over ssh -X, has no keyring")
  func displayOnly() async throws {
    await #expect(processExitsWith: .success) {
      unsetenv("DBUS_SESSION_BUS_ADDRESS")
      unsetenv("XDG_RUNTIME_DIR")
      setenv("DISPLAY", ":99", 1)
      #expect(await presence() == .noBus)
    }
  }

  /// A service that answers with an error that GLib has no number for.
  private static let brokenService = """
    from gi.repository import Gio, GLib
    connection = Gio.bus_get_sync(Gio.BusType.SESSION)
    interface = (
        '<node><interface name="org.freedesktop.Secret.Service"><method name="OpenSession">'
        '<arg type="s" direction="in"/><arg type="v" direction="in"/>'
        '<arg type="v" direction="out"/><arg type="o" direction="out"/>'
        '</method></interface></node>')
    def called(connection, sender, path, interface, method, arguments, invocation):
        connection.send_message(
            Gio.DBusMessage.new_method_error_literal(
                invocation.get_message(), "org.example.Error.Broken", "it is broken"),
            Gio.DBusSendMessageFlags.NONE)
    connection.register_object(
        "/org/freedesktop/secrets", Gio.DBusNodeInfo.new_for_xml(interface).interfaces[0],
        called, None, None)
    Gio.bus_own_name_on_connection(
        connection, "org.freedesktop.secrets", Gio.BusNameOwnerFlags.NONE, None, None)
    GLib.MainLoop().run()
    """

  @Test("A service that fails for a reason of its own is present, and its words are reported")
  func broken() async throws {
    let desktop = try Desktop()
    defer { desktop.end() }
    let service = Process()
    service.executableURL = URL(filePath: "/usr/bin/python3")
    service.arguments = ["-c", Self.brokenService]
    service.environment = desktop.session.environment
    try service.run()
    defer {
      kill(service.processIdentifier, SIGKILL)
      service.waitUntilExit()
    }
    try await desktop.session.waitForService()
    await #expect(processExitsWith: .success) { [session = desktop.session as Desktop.Session] in
      session.join()
      #expect(await presence() == .failed("it is broken"))
    }
  }

  @Test("A service that hangs is present, and waited for at most three seconds")
  func hanging() async throws {
    let desktop = try Desktop()
    defer { desktop.end() }
    try await desktop.startKeyring()
    await #expect(processExitsWith: .success) { [session = desktop.session as Desktop.Session] in
      session.join()
      let keyring = try #require(session.keyring)
      kill(keyring, SIGSTOP)
      let start = ContinuousClock.now
      #expect(await presence() == .noAnswer)
      let time = ContinuousClock.now - start
      // Other requests to it are given ten seconds.
      #expect(time >= .seconds(3) && time < .seconds(9))
      kill(keyring, SIGCONT)
      #expect(await presence() == .unlocked)
    }
  }
}
