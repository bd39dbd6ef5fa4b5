import Foundation

/// `dbus-monitor`: the messages on a bus.
final class BusMonitor {
  private let bus: TestBus
  private let process = Process()
  private let output = Pipe()

  init(_ bus: TestBus) throws {
    self.bus = bus
    process.executableURL = URL(filePath: "/usr/bin/dbus-monitor")
    process.arguments = ["--address", bus.address, "type='method_call'"]
    process.standardOutput = output
    try process.run()
    // When it has become a monitor, it prints the names that it loses.
    _ = output.fileHandleForReading.availableData
  }

  /// The methods called so far, by anyone but the stand-in.
  ///
  /// - Parameter end: a method of the bus that is called now, to mark the end.
  func members(upTo end: String) throws -> [String] {
    let marker = Process()
    marker.executableURL = URL(filePath: "/usr/bin/gdbus")
    marker.arguments = [
      "call", "--address", bus.address, "--dest", "org.freedesktop.DBus", "--object-path",
      "/org/freedesktop/DBus", "--method", "org.freedesktop.DBus.\(end)",
    ]
    marker.standardOutput = FileHandle.nullDevice
    try marker.run()
    var text = ""
    while !text.contains("member=\(end)") {
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { break }
      text += String(decoding: more, as: UTF8.self)
    }
    marker.waitUntilExit()
    let calls = text.split(separator: "\n").filter { $0.hasPrefix("method call") }
    func value(_ name: String, in call: Substring) -> Substring? {
      call.firstRange(of: " \(name)=").map { call[$0.upperBound...].prefix { $0 != " " } }
    }
    // Calls for the marker do not count.
    let stranger = calls.last.flatMap { value("sender", in: $0) }
    return calls.filter { value("sender", in: $0) != stranger }
      .compactMap { value("member", in: $0).map(String.init) }
  }

  deinit {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}
