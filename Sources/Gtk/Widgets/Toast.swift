import CGtk

/// A short message that disappears by itself.
@MainActor
public final class Toast: Object {
  /// Creates a toast with `title`.
  public convenience init(_ title: String) {
    self.init(owning: adw_toast_new(title))
  }

  /// Changes the title.
  public func setTitle(_ title: String) { adw_toast_set_title(opaque, title) }

  /// Adds a button with `label`.
  ///
  /// It has no mnemonic: GTK 4.8 would make the underscore part of its accessible name.
  /// - Parameter handler: Runs when the button is clicked.
  public func setButton(label: String, _ handler: @escaping @MainActor () -> Void) {
    adw_toast_set_button_label(opaque, label)
    connect("button-clicked", handler)
  }

  /// Runs `handler` when it is gone.
  public func onDismiss(_ handler: @escaping @MainActor () -> Void) {
    connect("dismissed", handler)
  }
}
