import CGtk
public import Gio

/// An object on the session bus, whose methods other programs call.
///
/// While it answers, and without a window for some seconds after that, it keeps the program running.
@MainActor
public final class BusObject {
  /// What to answer a call with.
  public enum Answer {
    /// The results, in the order of the interface.
    case results([Variant])
    /// An error, by its name on the bus, and in words.
    case error(String, String)
  }

  /// A call of a method.
  public struct Call {
    /// The method.
    public let method: String
    /// The arguments, whose types GLib has checked.
    public let arguments: Variant
    /// The caller's name on the bus.
    public let sender: String
    /// The bus.
    public let bus: DBusConnection
  }

  private let handler: @MainActor (Call) async -> Answer
  private weak var application: Application?

  private static let lingering = 10  // seconds

  /// Exports the interface that the resource describes at `path` of the session bus, if there is one.
  ///
  /// - Parameter handler: answers a call.
  public init(
    _ path: String, interface resource: String, of application: Application,
    _ handler: @escaping @MainActor (Call) async -> Answer
  ) {
    self.handler = handler
    self.application = application
    guard let bus = g_bus_get_sync(G_BUS_TYPE_SESSION, nil, nil),
      let data = g_resources_lookup_data(resource, G_RESOURCE_LOOKUP_FLAGS_NONE, nil)
    else { return }
    defer { g_bytes_unref(data) }
    var size: gsize = 0
    guard let bytes = g_bytes_get_data(data, &size) else { return }
    let xml = String(
      decoding: UnsafeRawBufferPointer(start: bytes, count: Int(size)), as: UTF8.self)
    guard let node = g_dbus_node_info_new_for_xml(xml, nil) else { return }
    var table = GDBusInterfaceVTable()
    table.method_call = handleCall
    // Exported as long as the program runs.
    g_dbus_connection_register_object(
      bus, path, node.pointee.interfaces[0], &table, Unmanaged.passRetained(self).toOpaque(), nil,
      nil)
  }

  fileprivate func handle(
    _ method: String, _ arguments: OpaquePointer, _ invocation: OpaquePointer
  ) {
    guard let sender = g_dbus_method_invocation_get_sender(invocation),
      let bus = g_dbus_method_invocation_get_connection(invocation)
    else { return }
    let call = Call(
      method: method, arguments: Variant(owning: g_variant_ref(arguments)),
      sender: String(cString: sender), bus: DBusConnection(borrowing: bus))
    if let application {
      application.setInactivityLimit(seconds: application.hasWindows ? 0 : Self.lingering)
      application.hold()
    }
    Task {
      switch await handler(call) {
      case .results(let results):
        let tuple = Variant(tuple: results)
        g_dbus_method_invocation_return_value(invocation, tuple.pointer)
        withExtendedLifetime(tuple) {}
      case .error(let name, let message):
        g_dbus_method_invocation_return_dbus_error(invocation, name, message)
      }
      application?.release()
    }
  }
}

private nonisolated let handleCall: GDBusInterfaceMethodCallFunc = {
  _, _, _, _, method, arguments, invocation, data in
  nonisolated(unsafe) let (method, arguments, invocation, data) =
    (method, arguments, invocation, data)
  MainActor.assumeIsolated {
    guard let method, let arguments, let invocation, let data else { return }
    Unmanaged<BusObject>.fromOpaque(data).takeUnretainedValue()
      .handle(String(cString: method), arguments, invocation)
  }
}
