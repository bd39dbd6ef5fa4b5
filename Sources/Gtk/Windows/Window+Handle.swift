import CGtk

extension Window {
  /// The name by which other programs can refer to a window.
  ///
  /// An enum, because each display server has its own.
  public enum Handle: Sendable {
    /// The window's ID.
    case x11(UInt)
    /// A handle of the compositor (xdg-foreign), valid until ``withdraw(_:)``.
    case wayland(String)
  }

  /// Gets the window's handle; nil when the display server does not give it one.
  public func exportHandle() async -> Handle? {
    guard let surface = gtk_native_get_surface(opaque) else { return nil }
    let window = entrance_x11_window(surface)
    if window != 0 { return .x11(window) }
    let handle: String? = await withCheckedContinuation { continuation in
      let answer = HandleAnswer(continuation)
      let isExported = entrance_export_handle(
        surface, handleExported, Unmanaged.passRetained(answer).toOpaque(), handleWithdrawn)
      guard isExported != 0 else {
        // GDK has not kept it.
        Unmanaged.passUnretained(answer).release()
        return answer.finish(nil)
      }
      Task {
        // A compositor need not answer.
        try? await Task.sleep(for: .seconds(1))
        answer.finish(nil)
      }
    }
    return handle.map { .wayland($0) }
  }

  /// Withdraws a handle of ``exportHandle()``.
  public func withdraw(_ handle: Handle) {
    guard case .wayland = handle, let surface = gtk_native_get_surface(opaque) else { return }
    entrance_unexport_handle(surface)
  }
}

/// Gives a compositor's handle to the caller that awaits it, once.
@MainActor
private final class HandleAnswer {
  private var continuation: CheckedContinuation<String?, Never>?

  init(_ continuation: CheckedContinuation<String?, Never>) {
    self.continuation = continuation
  }

  func finish(_ handle: String?) { continuation.take()?.resume(returning: handle) }
}

private nonisolated let handleExported:
  @convention(c) (OpaquePointer?, UnsafePointer<CChar>?, gpointer?) -> Void = { _, handle, data in
    let handle = handle.map { String(cString: $0) }
    nonisolated(unsafe) let data = data
    MainActor.assumeIsolated {
      guard let data else { return }
      Unmanaged<HandleAnswer>.fromOpaque(data).takeUnretainedValue().finish(handle)
    }
  }

private nonisolated let handleWithdrawn: GDestroyNotify = { data in
  nonisolated(unsafe) let data = data
  MainActor.assumeIsolated {
    guard let data else { return }
    let answer = Unmanaged<HandleAnswer>.fromOpaque(data).takeRetainedValue()
    answer.finish(nil)
  }
}
