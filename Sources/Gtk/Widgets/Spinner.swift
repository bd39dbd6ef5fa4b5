import CGtk

/// Spins while work is in progress.
@MainActor
public final class Spinner: Widget {
  override class var type: GType { gtk_spinner_get_type() }

  /// Whether it spins.
  public var isSpinning: Bool {
    get { gtk_spinner_get_spinning(opaque) != 0 }
    set { gtk_spinner_set_spinning(opaque, newValue ? 1 : 0) }
  }
}
