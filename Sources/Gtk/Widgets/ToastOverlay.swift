import CGtk

/// Shows toasts over what is in it.
@MainActor
public final class ToastOverlay: Widget {
  override class var type: GType { adw_toast_overlay_get_type() }

  /// Shows a toast when those before it are gone.
  public func show(_ toast: Toast) {
    // It takes the caller's reference over.
    g_object_ref(toast.raw)
    adw_toast_overlay_add_toast(opaque, toast.opaque)
  }
}
