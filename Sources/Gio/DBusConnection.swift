import CGio
import Dispatch
import Glibc

/// A connection to a D-Bus message bus.
///
/// Calls block, so they run on a concurrent queue, where a call that waits for the user does not
/// delay others.
///
/// Unchecked, because a `GDBusConnection` may be used from any thread and the pointer never
/// changes.
public final class DBusConnection: @unchecked Sendable {
  private let connection: OpaquePointer

  private static let queue = DispatchQueue(label: "d-bus", attributes: .concurrent)
  /// The time limit for the bus itself: for connecting, and for calls that it answers alone.
  private static let limit = Duration.seconds(2)

  /// The address of the session bus from the environment; nil when there is none.
  ///
  /// GLib would start a bus where there is none.
  public static var sessionAddress: String? {
    if let address = getenv("DBUS_SESSION_BUS_ADDRESS") { return String(cString: address) }
    guard let directory = getenv("XDG_RUNTIME_DIR") else { return nil }
    let path = String(cString: directory) + "/bus"
    return access(path, F_OK) == 0 ? "unix:path=\(path)" : nil
  }

  /// Opens a private connection to the bus at `address`.
  ///
  /// GLib's shared connection would end the process when the bus goes away.
  public static func connect(to address: String) async throws(GLibError) -> DBusConnection {
    try await Cancellable.run(on: queue) { cancellable throws(GLibError) in
      let time = TimeLimit(limit, cancellable)
      defer { withExtendedLifetime(time) {} }
      let flags = GDBusConnectionFlags(
        rawValue: G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue
          | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue)
      return DBusConnection(
        owning: try GLibError.value {
          g_dbus_connection_new_for_address_sync(
            address, flags, nil, cancellable.pointer, &$0)
        })
    }
  }

  private init(owning connection: OpaquePointer) {
    self.connection = connection
  }

  /// Uses another owner's connection.
  public init(borrowing connection: OpaquePointer) {
    self.connection = OpaquePointer(g_object_ref(UnsafeMutableRawPointer(connection)))
  }

  deinit {
    g_object_unref(UnsafeMutableRawPointer(connection))
  }

  /// Whether the bus has ended or closed the connection.
  public var isClosed: Bool { g_dbus_connection_is_closed(connection) != 0 }

  /// Whether `name` is owned or can be activated.
  ///
  /// The query activates nothing.
  public func knows(_ name: String) async throws(GLibError) -> Bool {
    if try await hasOwner(of: name) { return true }
    let names = try await call(.bus("ListActivatableNames"), [], reply: "(as)", limit: Self.limit)
    return names[0]?.texts.contains(name) == true
  }

  /// Whether `name` is owned.
  public func hasOwner(of name: String) async throws(GLibError) -> Bool {
    let reply = try await call(
      .bus("NameHasOwner"), [Variant(name)], reply: "(b)", limit: Self.limit)
    return reply[0]?.value(as: Bool.self) == true
  }

  /// The names of all connections to the bus.
  public func names() async throws(GLibError) -> [String] {
    try await call(.bus("ListNames"), [], reply: "(as)", limit: Self.limit)[0]?.texts ?? []
  }

  /// The process that has the connection called `name`; nil when it is unknown.
  public func process(of name: String) async throws(GLibError) -> UInt32? {
    let reply = try await call(
      .bus("GetConnectionUnixProcessID"), [Variant(name)], reply: "(u)", limit: Self.limit)
    return reply[0]?.value(as: UInt32.self)
  }

  /// The name of a process, of at most 15 bytes; nil when there is none.
  public static func name(ofProcess process: UInt32) -> String? {
    let file = open("/proc/\(process)/comm", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var name = [UInt8](repeating: 0, count: 16)
    let count = read(file, &name, name.count)
    return String(decoding: name.prefix(max(count, 0)).prefix { $0 != 0x0A }, as: UTF8.self)
  }

  /// Asks the session bus for the address of the accessibility bus, which it starts if needed.
  public func accessibilityAddress(limit: Duration) async throws(GLibError) -> String? {
    let getAddress = Method(
      "GetAddress", of: "org.a11y.Bus", at: "/org/a11y/bus", "org.a11y.Bus")
    return try await call(getAddress, [], reply: "(s)", limit: limit)[0]?.text()
  }

  /// A method, and the object that has it.
  public struct Method: Sendable {
    let destination: String
    let path: String
    let interface: String
    let name: String

    /// The method `name` of an interface of the object at `path`.
    public init(_ name: String, of interface: String, at path: String, _ destination: String) {
      self.name = name
      self.interface = interface
      self.path = path
      self.destination = destination
    }

    /// A method of the bus itself.
    public static func bus(_ name: String) -> Method {
      Method(
        name, of: "org.freedesktop.DBus", at: "/org/freedesktop/DBus", "org.freedesktop.DBus")
    }
  }

  /// Calls a method; a canceled task stops waiting.
  ///
  /// - Parameters:
  ///   - reply: the type of the reply, a tuple.
  ///   - limit: the time limit for the reply; nil for none.
  public func call(
    _ method: Method, _ arguments: [Variant], reply: String, limit: Duration?
  ) async throws(GLibError) -> Variant {
    try await Cancellable.run(on: Self.queue) { cancellable throws(GLibError) in
      try self.call(method, arguments, reply: reply, limit: limit, cancellable)
    }
  }

  /// Calls a method on the caller's thread.
  public func call(
    _ method: Method, _ arguments: [Variant], reply: String, limit: Duration?,
    _ cancellable: Cancellable
  ) throws(GLibError) -> Variant {
    let type = g_variant_type_new(reply)
    defer { g_variant_type_free(type) }
    let arguments = Variant(tuple: arguments)
    return Variant(
      owning: try GLibError.value {
        g_dbus_connection_call_sync(
          connection, method.destination, method.path, method.interface, method.name,
          arguments.pointer, type, G_DBUS_CALL_FLAGS_NONE,
          // GLib takes a 32-bit number.
          limit.map { gint(clamping: $0.milliseconds) } ?? gint.max, cancellable.pointer, &$0)
      })
  }
}
