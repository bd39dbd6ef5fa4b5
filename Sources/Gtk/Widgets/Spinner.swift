import CGtk

/// Turns while something is under way.
@MainActor
public final class Spinner: Widget {
  override class var type: GType { gtk_spinner_get_type() }

  /// Whether it turns.
  public var isSpinning: Bool {
    get { gtk_spinner_get_spinning(opaque) != 0 }
    set { gtk_spinner_set_spinning(opaque, newValue ? 1 : 0) }
  }
}
