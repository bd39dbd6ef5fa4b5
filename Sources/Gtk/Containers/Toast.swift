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

/// An info bar across the window.
@MainActor
public final class InfoBar: Widget {
  override class var type: GType { gtk_info_bar_get_type() }

  /// Creates an info bar with `child`.
  public convenience init(isWarning: Bool, child: Widget) {
    self.init(owning: gtk_info_bar_new())
    self.isWarning = isWarning
    gtk_info_bar_add_child(opaque, child.widget)
  }

  /// Adds `button` at the end.
  public func addAction(_ button: Button) {
    gtk_info_bar_add_action_widget(opaque, button.widget, GTK_RESPONSE_CLOSE.rawValue)
  }

  /// Whether it warns; otherwise it informs.
  public var isWarning: Bool {
    get { gtk_info_bar_get_message_type(opaque) == GTK_MESSAGE_WARNING }
    set {
      gtk_info_bar_set_message_type(opaque, newValue ? GTK_MESSAGE_WARNING : GTK_MESSAGE_INFO)
    }
  }
}
