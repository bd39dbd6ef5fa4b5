import CGtk

/// A progress bar.
@MainActor
public final class ProgressBar: Widget {
  override class var type: GType { gtk_progress_bar_get_type() }

  /// The progress, from 0 to 1.
  public var fraction: Double {
    get { gtk_progress_bar_get_fraction(opaque) }
    set { gtk_progress_bar_set_fraction(opaque, newValue) }
  }
}
