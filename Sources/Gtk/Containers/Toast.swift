import CGtk

/// A short message that disappears by itself.
@MainActor
public final class Toast: Object {
  /// What it says.
  public var title = "" {
    didSet { adw_toast_set_title(opaque, Markup.escaped(title)) }
  }

  /// Creates a toast with `title`.
  public convenience init(_ title: String) {
    self.init(owning: adw_toast_new(Markup.escaped(title)))
    self.title = title
  }

  /// Adds a button with `label`, and shows the toast for 20 seconds, so that the button can be
  /// reached.
  ///
  /// It has no mnemonic: GTK 4.8 would make the underscore part of its accessible name.
  /// - Parameter handler: Runs when the button is clicked.
  public func setButton(label: String, _ handler: @escaping @MainActor () -> Void) {
    adw_toast_set_button_label(opaque, label)
    adw_toast_set_timeout(opaque, 20)
    connect("button-clicked", handler)
  }

  /// Hides it, or does nothing when it is gone.
  ///
  /// After a click on its button, it goes by itself.
  public func dismiss() { adw_toast_dismiss(opaque) }

  /// Runs `handler` when it is gone.
  public func onDismiss(_ handler: @escaping @MainActor () -> Void) {
    connect("dismissed", handler)
  }
}

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
    window?.announce(toast.title)
  }
}
