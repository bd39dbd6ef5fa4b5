import CGio
import Dispatch
import Glibc
import Sentences

/// A private connection to the session bus.
///
/// GLib's shared connection would end the process when the bus goes away. Calls block, so they run
/// on a concurrent queue, where a call that waits for the user does not delay others.
///
/// Unchecked, because a `GDBusConnection` may be used from any thread and the pointer never
/// changes.
final class Bus: @unchecked Sendable {
  private let connection: OpaquePointer

  private static let queue = DispatchQueue(label: "identity-broker", attributes: .concurrent)
  /// The time limit for the bus itself: for connecting, and for calls that it answers alone.
  private static let limit = Duration.seconds(2)

  /// The largest text that is read, in bytes: a broker's answer has some kilobytes, the bus allows
  /// 128 MB.
  private static let largestText = 4 << 20

  /// The address of the session bus from the environment; nil when there is none.
  ///
  /// GLib would start a bus where there is none.
  static var address: String? {
    if let address = getenv("DBUS_SESSION_BUS_ADDRESS") { return String(cString: address) }
    guard let directory = getenv("XDG_RUNTIME_DIR") else { return nil }
    let path = String(cString: directory) + "/bus"
    return access(path, F_OK) == 0 ? "unix:path=\(path)" : nil
  }

  /// Connects to the bus at `address`.
  static func connect(to address: String) async throws(BusFailure) -> Bus {
    try await run { cancellable throws(BusFailure) in
      let timer = DispatchSource.makeTimerSource()
      timer.schedule(deadline: .now() + .milliseconds(limit.milliseconds))
      timer.setEventHandler { cancellable.cancel() }
      timer.resume()
      defer { timer.cancel() }
      let flags = GDBusConnectionFlags(
        rawValue: G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue
          | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue)
      var error: UnsafeMutablePointer<GError>?
      let connection = g_dbus_connection_new_for_address_sync(
        address, flags, nil, cancellable.pointer, &error)
      guard let connection else { throw BusFailure(error) }
      return Bus(connection)
    }
  }

  /// Whether the bus has ended or closed the connection.
  var isClosed: Bool { g_dbus_connection_is_closed(connection) != 0 }

  private init(_ connection: OpaquePointer) {
    self.connection = connection
  }

  deinit {
    g_object_unref(UnsafeMutableRawPointer(connection))
  }

  /// Whether `name` is owned or can be activated.
  ///
  /// The query activates nothing.
  func knows(_ name: String) async throws(BusFailure) -> Bool {
    try await Self.run { cancellable throws(BusFailure) in
      let hasOwner = try self.call(
        .bus("NameHasOwner"), [name], reply: "(b)", limit: Self.limit, cancellable
      ) { g_variant_get_boolean($0) != 0 }
      if hasOwner { return true }
      return try self.call(
        .bus("ListActivatableNames"), [], reply: "(as)", limit: Self.limit, cancellable
      ) { Self.texts($0).contains(name) }
    }
  }

  /// A method, and the object that has it.
  struct Method: Sendable {
    var destination: String
    var path: String
    var interface: String
    var name: String

    /// A method of the bus itself.
    static func bus(_ name: String) -> Method {
      Method(
        destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus",
        interface: "org.freedesktop.DBus", name: name)
    }
  }

  /// Calls a method that takes strings and returns one.
  ///
  /// - Parameter limit: the time limit for the reply; nil for none. A canceled task stops
  ///   waiting.
  func call(
    _ method: Method, _ arguments: [String], limit: Duration?
  ) async throws(BusFailure) -> String {
    let text = try await Self.run { cancellable throws(BusFailure) in
      try self.call(method, arguments, reply: "(s)", limit: limit, cancellable, Self.text)
    }
    guard let text else {
      throw .unreadable(
        Sentence("it is larger than {size} MB", ["size": Self.largestText >> 20]))
    }
    return text
  }

  // MARK: - Waiting

  /// Runs `work`, which blocks, on the queue.
  private static func run<Value: Sendable>(
    _ work: @escaping @Sendable (Cancellable) throws(BusFailure) -> Value
  ) async throws(BusFailure) -> Value {
    let cancellable = Cancellable()
    let result: Result<Value, BusFailure> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        queue.async {
          continuation.resume(
            returning: Result { () throws(BusFailure) -> Value in try work(cancellable) })
        }
      }
    } onCancel: {
      cancellable.cancel()
    }
    return try result.get()
  }

  /// Calls a method and reads the one value of its reply, which must have the type `reply`.
  private func call<Value>(
    _ method: Method, _ arguments: [String], reply: String, limit: Duration?,
    _ cancellable: Cancellable, _ read: (OpaquePointer) -> Value
  ) throws(BusFailure) -> Value {
    let values = arguments.map { g_variant_new_string($0) }
    let type = g_variant_type_new(reply)
    defer { g_variant_type_free(type) }
    var error: UnsafeMutablePointer<GError>?
    let answer = g_dbus_connection_call_sync(
      connection, method.destination, method.path, method.interface, method.name,
      g_variant_new_tuple(values, gsize(values.count)), type, G_DBUS_CALL_FLAGS_NONE,
      limit?.milliseconds.asTimeout ?? gint.max, cancellable.pointer, &error)
    guard let answer else { throw BusFailure(error) }
    defer { g_variant_unref(answer) }
    guard let value = g_variant_get_child_value(answer, 0) else {
      throw .unreadable(Sentence("it is empty"))
    }
    defer { g_variant_unref(value) }
    return read(value)
  }

  // MARK: - C values

  /// Nil when it is too large.
  private static func text(_ value: OpaquePointer) -> String? {
    var length: gsize = 0
    guard let bytes = g_variant_get_string(value, &length) else { return "" }
    guard length <= largestText else { return nil }
    let buffer = UnsafeRawBufferPointer(start: bytes, count: Int(length))
    return String(decoding: buffer, as: UTF8.self)
  }

  private static func texts(_ value: OpaquePointer) -> [String] {
    var count: gsize = 0
    let list = g_variant_get_strv(value, &count)
    defer { g_free(list) }
    return (0..<Int(count)).compactMap { index in list?[index].map { String(cString: $0) } }
  }
}

extension Duration {
  fileprivate var milliseconds: Int {
    // `components` traps outside of the range of their types.
    let (seconds, attoseconds) = min(max(self, .zero), .seconds(1_000_000)).components
    return Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
  }
}

extension Int {
  /// For GLib, which takes a 32-bit number.
  fileprivate var asTimeout: gint { gint(clamping: self) }
}
