import AuthCore
import Foundation
import IdentityBroker
import Testing

@Suite("Presence of a broker")
struct BrokerPresenceTests {
  @Test("Without a broker all results are nil, and only its presence is checked")
  func noBroker() async throws {
    let bus = try TestBus()
    let monitor = try BusMonitor(bus)
    let broker = LinuxIdentityBroker(address: bus.address)
    for method in StandIn.Method.allCases {
      #expect(try await ask(broker, method) == false)
    }
    // Messages arrive in the order in which they were sent.
    let seen = try monitor.members(upTo: "ListNames")
    #expect(Set(seen) == ["Hello", "NameHasOwner", "ListActivatableNames"])
    #expect(seen.filter { $0 == "Hello" }.count == 1)
  }

  @Test("A running broker is called without introspection")
  func running() async throws {
    let world = try await BrokerWorld()
    let monitor = try BusMonitor(world.bus)
    _ = try await ask(world.broker, .getAccounts)
    _ = try await ask(world.broker, .getAccounts)
    #expect(
      try monitor.members(upTo: "ListNames") == [
        "Hello", "NameHasOwner", "getAccounts", "getAccounts",
      ])
  }

  @Test("A broker that can be activated is started by the first request")
  func activation() async throws {
    let bus = try TestBus(starting: .native)
    let broker = LinuxIdentityBroker(address: bus.address)
    #expect(try await broker.version(correlationID: correlationID) == "3.0.1")
  }

  @Test("A broker that owns its name before it exports its object is waited for")
  func starting() async throws {
    let world = try await BrokerWorld()
    let unknown = StandIn.Answer.error("org.freedesktop.dbus.errors.UnknownObject", "not yet")
    try await world.standIn.setReplies(of: .getLinuxBrokerVersion, to: unknown, unknown, .usual)
    #expect(try await world.broker.version(correlationID: correlationID) == "3.0.1")
  }

  @Test("A broker that starts after the first check is found by the next request")
  func comingLate() async throws {
    let bus = try TestBus()
    let broker = LinuxIdentityBroker(address: bus.address)
    #expect(try await broker.version(correlationID: correlationID) == nil)
    let standIn = try await StandIn(.native, on: bus)
    #expect(try await broker.version(correlationID: correlationID) == "3.0.1")
    standIn.end()
  }

  @Test("A broker that leaves is absent, and found again when it is back")
  func comingBack() async throws {
    let bus = try TestBus()
    let first = try await StandIn(.java, on: bus)
    let broker = LinuxIdentityBroker(address: bus.address)
    #expect(try await broker.version(correlationID: correlationID) == "2.0.1")
    first.end()
    #expect(try await broker.version(correlationID: correlationID) == nil)
    let second = try await StandIn(.native, on: bus)
    #expect(try await broker.version(correlationID: correlationID) == "3.0.1")
    second.end()
  }

  @Test("When the bus ends, the broker is absent, and this process continues")
  func busEnds() async throws {
    let world = try await BrokerWorld()
    #expect(try await ask(world.broker, .getAccounts))
    world.bus.end()
    #expect(try await ask(world.broker, .getAccounts) == false)
  }

  @Test("A bus that starts later, or again, is found by the next request")
  func busComesLate() async throws {
    let bus = try TestBus()
    let address = "unix:path=\(bus.folder.path)/later"
    let broker = LinuxIdentityBroker(address: address)
    #expect(try await ask(broker, .getAccounts) == false)
    let standIn = try await StandIn(.native, on: bus)
    try FileManager.default.createSymbolicLink(
      atPath: bus.folder.path + "/later", withDestinationPath: bus.folder.path + "/bus")
    #expect(try await ask(broker, .getAccounts))
    bus.end()
    #expect(try await ask(broker, .getAccounts) == false)
    let second = try TestBus()
    try FileManager.default.createDirectory(at: bus.folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: bus.folder) }
    try FileManager.default.createSymbolicLink(
      atPath: bus.folder.path + "/later", withDestinationPath: second.folder.path + "/bus")
    let other = try await StandIn(.native, on: second)
    #expect(try await ask(broker, .getAccounts))
    standIn.end()
    other.end()
  }

  @Test("Without a bus, or with one that hangs, there is no broker")
  func noBus() async throws {
    let nowhere = LinuxIdentityBroker(address: "unix:path=/nonexistent/bus")
    #expect(try await ask(nowhere, .getAccounts) == false)
    let bus = try TestBus()
    bus.freeze()
    let start = ContinuousClock.now
    #expect(try await ask(LinuxIdentityBroker(address: bus.address), .getAccounts) == false)
    #expect(ContinuousClock.now - start < .seconds(10))
  }

  @Test("The bus address is from the environment, and no bus is started")
  func environment() async throws {
    let bus = try TestBus()
    let standIn = try await StandIn(.java, on: bus)
    await #expect(processExitsWith: .success) {
      [address = bus.address as String, folder = bus.folder.path as String] in
      unsetenv("DBUS_SESSION_BUS_ADDRESS")
      unsetenv("XDG_RUNTIME_DIR")
      setenv("DISPLAY", ":99", 1)
      func version() async throws -> String? {
        try await LinuxIdentityBroker().version(correlationID: correlationID)
      }
      #expect(try await version() == nil)
      setenv("XDG_RUNTIME_DIR", "/nonexistent", 1)
      #expect(try await version() == nil)
      setenv("XDG_RUNTIME_DIR", folder, 1)
      let found = try await version()
      #expect(found == "2.0.1")
      unsetenv("XDG_RUNTIME_DIR")
      setenv("DBUS_SESSION_BUS_ADDRESS", address, 1)
      #expect(try await version() == "2.0.1")
    }
    standIn.end()
  }
}

@Suite("Waiting for a broker")
struct BrokerWaitingTests {
  @Test(
    "A canceled request ends immediately",
    arguments: [StandIn.Method.acquireTokenSilently, .acquireTokenInteractively])
  func cancellation(_ method: StandIn.Method) async throws {
    let world = try await BrokerWorld()
    try await world.standIn.setReplies(of: method, to: .silence)
    let task = Task { [broker = world.broker] () -> AuthenticationError? in
      do throws(AuthenticationError) {
        _ = try await ask(broker, method)
        return nil
      } catch {
        return error
      }
    }
    #expect(try await world.standIn.call().method == method.rawValue)
    let start = ContinuousClock.now
    task.cancel()
    #expect(await task.value?.code == .userCanceled)
    #expect(ContinuousClock.now - start < .seconds(30))
  }

  @Test(
    "A cancellation is sent to the broker, and its reply does not matter",
    .serialized, arguments: StandIn.Dialect.allCases)
  func cancelledWindow(_ dialect: StandIn.Dialect) async throws {
    let answers: [StandIn.Answer] = [
      .usual, .silence, .leave, .text("{"), .text(#"{"error":{"status":0}}"#),
      .error("org.freedesktop.DBus.Error.Failed", "Not implemented"),
    ]
    for answer in answers {
      let world = try await BrokerWorld(dialect)
      try await world.standIn.setReplies(of: .acquireTokenInteractively, to: .silence)
      try await world.standIn.setReplies(named: "cancelInteractiveFlow", to: answer)
      let task = Task { [broker = world.broker] in
        await #expect(throws: AuthenticationError.self) {
          try await ask(broker, .acquireTokenInteractively)
        }
      }
      #expect(try await world.standIn.call().method == "acquireTokenInteractively")
      task.cancel()
      #expect(await task.value?.code == .userCanceled)
      let call = try await world.standIn.call()
      #expect(call.method == "cancelInteractiveFlow")
      let id = call.arguments.dropFirst().first
      #expect(id != correlationID && id.flatMap(UUID.init(uuidString:)) != nil)
      var request = call.request as? [String: Any]
      let error = request?.removeValue(forKey: "error") as? NSDictionary
      #expect(request as NSDictionary? == ["clientId": clientID, "correlationId": correlationID])
      // The members that Microsoft's client writes.
      #expect(
        Set(error?.allKeys as? [String] ?? []) == [
          "context", "diagnostics", "errorCode", "status", "subStatus", "tag",
        ])
      #expect(error?["status"] as? Int == 7)
      #expect(error?["diagnostics"] is NSNull)
    }
  }

  @Test("A user may take longer than any limit, without delaying other calls")
  func timeout() async throws {
    var limits = LinuxIdentityBroker.Limits()
    limits.local = .seconds(5)
    limits.remote = .milliseconds(50)
    let world = try await BrokerWorld(limits: limits)
    try await world.standIn.setReplies(of: .acquireTokenInteractively, to: .hold)
    try await world.standIn.setReplies(of: .acquireTokenSilently, to: .silence)
    let broker = world.broker
    async let token = broker.acquireTokenInteractively(request(nil))
    #expect(try await world.standIn.call().method == "acquireTokenInteractively")
    #expect(try await ask(broker, .getAccounts))
    // A silent request starts later and times out earlier.
    await #expect(throws: AuthenticationError.self) {
      try await ask(broker, .acquireTokenSilently)
    }
    try await world.standIn.release()
    #expect(try await token?.accessToken.exposed == "broker-canary-1")
  }
}
