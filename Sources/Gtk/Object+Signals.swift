import CGtk

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
