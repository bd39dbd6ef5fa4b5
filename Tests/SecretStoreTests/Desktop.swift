import Dispatch
import Foundation

/// A private session bus, with or without a real gnome-keyring, and tools to inspect it.
///
/// The test process sets it up, and exit tests join it, each in its own process: libsecret keeps
/// the first bus that a process connects to, and aborts when that bus goes away.
final class Desktop {
  private let folder: URL
  private let bus: Process
  private var keyring: Process?

  /// The password of the keyring.
  static let password = "a password for tests"

  /// Starts a bus without activatable services, and waits until it listens.
  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "secret-store-\(UUID())")
    for name in ["home", "run", "data"] {
      try FileManager.default.createDirectory(
        at: folder.appending(path: name), withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    }
    let configuration = folder.appending(path: "bus.conf")
    try Data(
      """
      <busconfig>
        <type>session</type>
        <listen>unix:path=\(folder.path)/bus</listen>
        <policy context="default">
          <allow send_destination="*"/>
          <allow receive_sender="*"/>
          <allow own="*"/>
        </policy>
      </busconfig>
      """.utf8
    ).write(to: configuration)

    let output = Pipe()
    bus = Process()
    bus.executableURL = URL(filePath: "/usr/bin/dbus-daemon")
    bus.arguments = [
      "--config-file=\(configuration.path)", "--nofork", "--print-address",
    ]
    bus.standardOutput = output
    bus.environment = session.environment
    try bus.run()
    // The address is printed when the bus listens.
    _ = output.fileHandleForReading.availableData
  }

  /// What a process needs to join this session.
  struct Session: Codable, Sendable {
    /// The address of the bus.
    var address: String
    /// The keyring's process, when there is one.
    var keyring: pid_t?

    /// The directory of the session.
    var folder: String

    /// Makes this process part of the session.
    func join() {
      setenv("DBUS_SESSION_BUS_ADDRESS", address, 1)
      setenv("XDG_RUNTIME_DIR", "\(folder)/run", 1)
    }

    /// Starts an unlocked keyring, like at login; or, without a login, one without a collection.
    func startKeyring(atLogin isLogin: Bool = true) async throws -> Process {
      let keyring = Process()
      keyring.executableURL = URL(filePath: "/usr/bin/gnome-keyring-daemon")
      keyring.arguments =
        ["--foreground", "--components=secrets"] + (isLogin ? ["--unlock"] : [])
      let input = Pipe()
      let output = Pipe()
      keyring.environment = environment
      keyring.standardInput = input
      keyring.standardOutput = output
      keyring.standardError = FileHandle.nullDevice
      try keyring.run()
      try input.fileHandleForWriting.write(contentsOf: Data(Desktop.password.utf8))
      try input.fileHandleForWriting.close()
      try await waitForService()
      return keyring
    }

    /// Waits until the bus has a Secret Service; not on a thread of tasks, which other tests need.
    func waitForService() async throws {
      let arguments = ["wait", "--address", address, "--timeout", "60", "org.freedesktop.secrets"]
      let _: String = try await withCheckedThrowingContinuation { continuation in
        DispatchQueue(label: "service").async {
          continuation.resume(with: Result { try Tool.run("gdbus", arguments) })
        }
      }
    }

    /// Starts `dbus-monitor`, which prints the calls of the keyring and ends with the bus.
    func monitorKeyring() throws -> Pipe {
      let monitor = Process()
      monitor.executableURL = URL(filePath: "/usr/bin/dbus-monitor")
      monitor.arguments = [
        "--address", address, "type='method_call',path_namespace='/org/freedesktop/secrets'",
      ]
      let output = Pipe()
      monitor.standardOutput = output
      try monitor.run()
      // When it has become a monitor, it prints the names that it loses.
      _ = output.fileHandleForReading.availableData
      return output
    }

    /// The environment of the bus and the keyring, with private directories.
    var environment: [String: String] {
      [
        "PATH": "/usr/bin:/bin", "HOME": "\(folder)/home", "XDG_RUNTIME_DIR": "\(folder)/run",
        "XDG_DATA_HOME": "\(folder)/data", "DBUS_SESSION_BUS_ADDRESS": address,
      ]
    }
  }

  /// The session for the test processes.
  var session: Session {
    Session(
      address: "unix:path=\(folder.path)/bus", keyring: keyring?.processIdentifier,
      folder: folder.path)
  }

  /// Starts an unlocked keyring, like at login; or, without a login, one without a collection.
  func startKeyring(atLogin isLogin: Bool = true) async throws {
    keyring = try await session.startKeyring(atLogin: isLogin)
  }

  /// Ends all of it.
  func end() {
    for process in [keyring, bus].compactMap(\.self) {
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
    try? FileManager.default.removeItem(at: folder)
  }

  deinit { end() }
}

/// Programs that inspect the keyring.
enum Tool {
  /// Runs a program and returns its output.
  @discardableResult
  static func run(_ name: String, _ arguments: [String], input: String = "") throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/\(name)")
    process.arguments = arguments
    let (output, standardInput) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = output
    process.standardInput = standardInput
    try process.run()
    try standardInput.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try standardInput.fileHandleForWriting.close()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }

  /// An item as printed by `secret-tool`.
  struct Item {
    var label = ""
    var secret = ""
    var schema = ""
    var attributes: [String: String] = [:]
  }

  /// The items of an application found by `secret-tool`, by kind, ID and slot.
  static func search(_ application: String) throws -> [Item] {
    var items: [Item] = []
    for line in try run("secret-tool", ["search", "--all", "application", application])
      .split(separator: "\n")
    {
      let parts = line.split(separator: " = ", maxSplits: 1).map(String.init)
      switch (parts.first ?? "", parts.last ?? "") {
      case (let name, _) where name.hasPrefix("["): items.append(Item())
      case ("label", let text): items[items.count - 1].label = text
      case ("secret", let text): items[items.count - 1].secret = text
      case ("schema", let text): items[items.count - 1].schema = text
      case (let name, let text) where name.hasPrefix("attribute."):
        items[items.count - 1].attributes[String(name.dropFirst("attribute.".count))] = text
      default: break
      }
    }
    return items.sorted { $0.place < $1.place }
  }

  /// Stores an item of the test's application, like another program.
  static func store(_ attributes: [String: String], secret: String) throws {
    try run(
      "secret-tool",
      ["store", "--label=x", "application", "io.example.Test"]
        + attributes.flatMap { [$0.key, $0.value] }, input: secret)
  }

  /// The number of items in the default collection.
  static func itemCount() throws -> Int {
    try run(
      "gdbus",
      [
        "call", "--session", "--dest", "org.freedesktop.secrets", "--object-path",
        "/org/freedesktop/secrets/aliases/default", "--method",
        "org.freedesktop.DBus.Properties.Get", "org.freedesktop.Secret.Collection", "Items",
      ]
    ).split(separator: "/org/freedesktop/secrets/").count - 1
  }

  /// Locks the default collection, like a user in the keyring manager.
  static func lock() throws {
    try run(
      "gdbus",
      [
        "call", "--session", "--dest", "org.freedesktop.secrets", "--object-path",
        "/org/freedesktop/secrets", "--method", "org.freedesktop.Secret.Service.Lock",
        "['/org/freedesktop/secrets/aliases/default']",
      ])
  }
}

extension Tool.Item {
  fileprivate var place: String {
    ["kind", "id", "slot"].map { attributes[$0] ?? "" }.joined(separator: " ")
  }
}
