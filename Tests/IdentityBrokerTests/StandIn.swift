import Foundation

/// A private session bus.
final class TestBus {
  let folder: URL
  private let daemon = Process()

  /// The address of the bus.
  var address: String { "unix:path=\(folder.path)/bus" }

  /// Starts a bus, and waits until it listens.
  ///
  /// - Parameter dialect: the broker that the bus activates on demand.
  init(starting dialect: StandIn.Dialect? = nil) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "identity-broker-\(UUID())")
    try FileManager.default.createDirectory(
      at: folder.appending(path: "services"), withIntermediateDirectories: true)
    let configuration = folder.appending(path: "bus.conf")
    try Data(
      """
      <busconfig>
        <type>session</type>
        <listen>unix:path=\(folder.path)/bus</listen>
        <servicedir>\(folder.path)/services</servicedir>
        <policy context="default">
          <allow send_destination="*" eavesdrop="true"/>
          <allow eavesdrop="true"/>
          <allow own="*"/>
        </policy>
      </busconfig>
      """.utf8
    ).write(to: configuration)
    if let dialect {
      try Data(
        """
        [D-BUS Service]
        Name=com.microsoft.identity.broker1
        Exec=/usr/bin/python3 \(StandIn.script.path) \(dialect.rawValue)
        """.utf8
      ).write(to: folder.appending(path: "services/broker.service"))
    }
    let output = Pipe()
    daemon.executableURL = URL(filePath: "/usr/bin/dbus-daemon")
    daemon.arguments = ["--config-file=\(configuration.path)", "--nofork", "--print-address"]
    daemon.standardOutput = output
    try daemon.run()
    // The address is printed when the bus listens.
    _ = output.fileHandleForReading.availableData
  }

  /// Suspends the bus, so that it does not answer.
  func freeze() { kill(daemon.processIdentifier, SIGSTOP) }

  /// Ends the bus.
  func end() {
    kill(daemon.processIdentifier, SIGKILL)
    daemon.waitUntilExit()
    try? FileManager.default.removeItem(at: folder)
  }

  deinit { end() }
}

/// `stand_in.py` on a bus.
///
/// Unchecked, because it is used by one test, which awaits each of its methods.
final class StandIn: @unchecked Sendable {
  /// The brokers that it can simulate.
  enum Dialect: String, CaseIterable, Sendable {
    /// Microsoft's up to 2.0.1.
    case java
    /// Microsoft's from 2.0.2 on.
    case native
    case himmelblau
  }

  /// The methods.
  enum Method: String, CaseIterable, Sendable {
    case getLinuxBrokerVersion, getAccounts, acquireTokenSilently, acquireTokenInteractively
    case acquirePrtSsoCookie, removeAccount
  }

  /// The replies that it can be set to.
  enum Answer {
    case text(String)
    case error(String, String)
    case number
    case silence
    case leave
    case hold
    case usual

    fileprivate var json: [String: Any] {
      switch self {
      case .text(let text): ["text": text]
      case .error(let name, let words): ["error": [name, words]]
      case .number: ["number": 1]
      case .silence: ["silence": true]
      case .leave: ["leave": true]
      case .hold: ["hold": true]
      case .usual: ["usual": true]
      }
    }
  }

  /// A call that arrived.
  struct Call: Decodable, Equatable {
    var destination, path, interface, method, signature: String
    var arguments: [String]

    /// The third argument.
    var request: NSDictionary {
      let json = try? JSONSerialization.jsonObject(with: Data((arguments.last ?? "").utf8))
      return json as? NSDictionary ?? [:]
    }
  }

  static let script = URL(filePath: #filePath).deletingLastPathComponent().appending(
    path: "stand_in.py")

  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var rest = Data()
  private var unread: [Call] = []
  /// Reads lines on a separate queue, so that it blocks no test.
  private let queue = DispatchQueue(label: "stand-in")

  /// Starts a broker and waits until it owns its name.
  init(_ dialect: Dialect, on bus: TestBus) async throws {
    process.executableURL = URL(filePath: "/usr/bin/python3")
    process.arguments = [Self.script.path, dialect.rawValue]
    process.environment = ["PATH": "/usr/bin:/bin", "DBUS_SESSION_BUS_ADDRESS": bus.address]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    guard await line() == "ready" else { throw CocoaError(.executableLoad) }
  }

  /// Sets the replies of `method`: each in turn, and the last one forever.
  func setReplies(of method: Method, to answers: Answer...) async throws {
    try await send(["method": method.rawValue, "answers": answers.map(\.json)])
  }

  /// Sets the replies of a method that is called only within another call.
  func setReplies(named method: String, to answer: Answer) async throws {
    try await send(["method": method, "answers": [answer.json]])
  }

  /// Sends the replies that were held.
  func release() async throws { try await send(["release": true]) }

  /// Waits for the next call.
  func call() async throws -> Call {
    if !unread.isEmpty { return unread.removeFirst() }
    return try JSONDecoder().decode(Call.self, from: Data(await line().utf8))
  }

  /// The names of the called methods that were not read yet.
  func calledMethods() async throws -> [String] {
    // Earlier calls are in the pipe before the reply to this.
    try await send(["method": "none", "answers": [Any]()])
    defer { unread = [] }
    return unread.map(\.method)
  }

  /// Ends the stand-in.
  func end() {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  deinit { end() }

  private func send(_ order: [String: Any]) async throws {
    let data = try JSONSerialization.data(withJSONObject: order)
    try input.fileHandleForWriting.write(contentsOf: data + Data("\n".utf8))
    while true {
      let line = await line()
      if line == "done" || line.isEmpty { return }
      unread.append(try JSONDecoder().decode(Call.self, from: Data(line.utf8)))
    }
  }

  /// The next line of its output; empty when it has ended.
  private func line() async -> String {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: self.nextLine()) }
    }
  }

  private func nextLine() -> String {
    while true {
      if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        defer { rest = Data(rest[rest.index(after: end)...]) }
        return String(decoding: rest[..<end], as: UTF8.self)
      }
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { return "" }
      rest += more
    }
  }
}
