import CGtk
import Gio

/// A connected handler, for ``Object/disconnect(_:)``.
public struct SignalHandler: Sendable {
  let id: gulong
}

// A handler belongs to the emitting object: its closure is freed with the object or by
// `disconnect`. Capture whatever retains that object weakly.
extension Object {
  /// Calls `handler` at each emission of `signal`, such as `clicked` or `notify::title`.
  @discardableResult
  public func connect(_ signal: String, _ handler: @escaping @MainActor () -> Void)
    -> SignalHandler
  {
    connect(signal, box: HandlerBox { _, _ in handler() })
  }

  /// Calls `handler` with the arguments of each emission of `signal`.
  @discardableResult
  public func connect(_ signal: String, _ handler: @escaping @MainActor (SignalArguments) -> Void)
    -> SignalHandler
  {
    connect(signal, box: HandlerBox { arguments, _ in handler(arguments) })
  }

  /// Connects to a signal whose handler returns whether it handled it, such as `close-request`.
  @discardableResult
  public func connectReturningBool(
    _ signal: String, _ handler: @escaping @MainActor (SignalArguments) -> Bool
  ) -> SignalHandler {
    connect(
      signal,
      box: HandlerBox { arguments, result in
        let answer = handler(arguments)
        if let result { g_value_set_boolean(result, answer ? 1 : 0) }
      })
  }

  /// Connects to a signal whose handler returns an integer, such as an application's
  /// `command-line`.
  @discardableResult
  func connectReturningInt(
    _ signal: String, _ handler: @escaping @MainActor (SignalArguments) -> Int32
  ) -> SignalHandler {
    connect(
      signal,
      box: HandlerBox { arguments, result in
        let answer = handler(arguments)
        if let result { g_value_set_int(result, answer) }
      })
  }

  /// Connects to a signal whose handler returns an object, such as a web view's `create`.
  @discardableResult
  public func connectReturningObject(
    _ signal: String, _ handler: @escaping @MainActor (SignalArguments) -> Object?
  ) -> SignalHandler {
    connect(
      signal,
      box: HandlerBox { arguments, result in
        let answer = handler(arguments)
        if let result { g_value_set_object(result, answer?.raw) }
      })
  }

  /// Disconnects a handler, also from within the handler itself.
  public func disconnect(_ handler: SignalHandler) {
    g_signal_handler_disconnect(raw, handler.id)
  }

  private func connect(_ signal: String, box: HandlerBox) -> SignalHandler {
    let data = Unmanaged.passRetained(box).toOpaque()
    let closure = g_closure_new_simple(guint(MemoryLayout<GClosure>.size), data)
    g_closure_set_marshal(closure, marshal)
    g_closure_add_finalize_notifier(closure, data) { data, _ in
      if let data { Unmanaged<HandlerBox>.fromOpaque(data).release() }
    }
    return SignalHandler(id: g_signal_connect_closure(raw, signal, closure, 0))
  }
}

/// Retains a handler for its `GClosure`.
@MainActor
private final class HandlerBox {
  let run: @MainActor (SignalArguments, UnsafeMutablePointer<GValue>?) -> Void

  init(_ run: @escaping @MainActor (SignalArguments, UnsafeMutablePointer<GValue>?) -> Void) {
    self.run = run
  }
}

/// The marshaller of all handlers: converts GLib's values and calls the Swift closure.
private nonisolated let marshal: GClosureMarshal = { closure, result, count, values, _, _ in
  nonisolated(unsafe) let closure = closure
  nonisolated(unsafe) let result = result
  nonisolated(unsafe) let values = values
  MainActor.assumeIsolated {
    guard let data = closure?.pointee.data, let values, count > 0 else { return }
    let box = Unmanaged<HandlerBox>.fromOpaque(data).takeUnretainedValue()
    box.run(SignalArguments(values: values + 1, count: Int(count) - 1), result)
  }
}

/// The arguments of a signal, valid while its handler runs.
///
/// Index 0 is the first one after the emitting object.
@MainActor
public struct SignalArguments {
  private let values: UnsafePointer<GValue>
  /// The number of arguments.
  public let count: Int

  init(values: UnsafePointer<GValue>, count: Int) {
    self.values = values
    self.count = count
  }

  /// An object argument, such as a policy decision; nil when it is null or missing.
  public func object(_ index: Int) -> Object? {
    guard let value = value(index),
      g_type_fundamental(entrance_value_type(value)) == ENTRANCE_TYPE_OBJECT,
      let pointer = g_value_get_object(value)
    else { return nil }
    return Object(borrowing: pointer)
  }

  /// A text argument.
  public func string(_ index: Int) -> String? {
    guard let value = value(index), entrance_value_type(value) == ENTRANCE_TYPE_STRING else {
      return nil
    }
    return g_value_get_string(value).map { String(cString: $0) }
  }

  /// A number, an enumeration or flags; 0 for another type.
  public func int(_ index: Int) -> Int {
    guard let value = value(index) else { return 0 }
    return switch g_type_fundamental(entrance_value_type(value)) {
    case ENTRANCE_TYPE_INT: Int(g_value_get_int(value))
    case ENTRANCE_TYPE_UINT: Int(g_value_get_uint(value))
    case ENTRANCE_TYPE_LONG: g_value_get_long(value)
    case ENTRANCE_TYPE_ULONG: Int(truncatingIfNeeded: g_value_get_ulong(value))
    case ENTRANCE_TYPE_INT64: Int(g_value_get_int64(value))
    case ENTRANCE_TYPE_UINT64: Int(truncatingIfNeeded: g_value_get_uint64(value))
    case ENTRANCE_TYPE_ENUM: Int(g_value_get_enum(value))
    case ENTRANCE_TYPE_FLAGS: Int(g_value_get_flags(value))
    default: 0
    }
  }

  /// A boxed or plain pointer, such as a `GError`, a `GVariant` or a string array.
  public func pointer(_ index: Int) -> UnsafeMutableRawPointer? {
    value(index).flatMap { g_value_peek_pointer($0) }
  }

  /// A `GVariant` with a `Value`; nil for another type.
  func variant<Value: VariantValue>(_ index: Int, as _: Value.Type) -> Value? {
    pointer(index).flatMap { Value(checking: OpaquePointer($0)) }
  }

  private func value(_ index: Int) -> UnsafePointer<GValue>? {
    index >= 0 && index < count ? values + index : nil
  }
}
