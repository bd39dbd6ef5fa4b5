import CGtk

/// Something that is said in passing.
@MainActor
public final class Toast: Object {
  /// A toast that says `title`.
  public convenience init(_ title: String) {
    self.init(owning: adw_toast_new(title))
  }

  /// Says something else.
  public func setTitle(_ title: String) { adw_toast_set_title(opaque, title) }

  /// Runs `handler` when it is gone.
  public func onDismiss(_ handler: @escaping @MainActor () -> Void) {
    connect("dismissed", handler)
  }
}
