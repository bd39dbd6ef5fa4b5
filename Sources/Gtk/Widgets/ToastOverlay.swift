import CGtk

/// Shows toasts over its content.
@MainActor
public final class ToastOverlay: Widget {
  override class var type: GType { adw_toast_overlay_get_type() }

  /// Shows and announces a toast, after the previous ones have disappeared.
  public func show(_ toast: Toast) {
    // The overlay takes ownership of this reference.
    g_object_ref(toast.raw)
    adw_toast_overlay_add_toast(opaque, toast.opaque)
    guard !NewerGtk.announcesToasts else { return }
    if let title = adw_toast_get_title(toast.opaque) { window?.announce(String(cString: title)) }
  }
}
