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

  /// Calls `handler` when it has disappeared.
  public func onDismiss(_ handler: @escaping @MainActor () -> Void) {
    connect("dismissed", handler)
  }
}
