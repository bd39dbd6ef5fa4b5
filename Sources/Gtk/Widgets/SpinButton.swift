import CGtk

/// A number that can be typed or changed in steps.
@MainActor
public final class SpinButton: Widget {
  override class var type: GType { gtk_spin_button_get_type() }

  /// Sets the allowed numbers and the step.
  public func setRange(_ range: ClosedRange<Int>, step: Int) {
    gtk_spin_button_set_range(opaque, Double(range.lowerBound), Double(range.upperBound))
    gtk_spin_button_set_increments(opaque, Double(step), Double(step * 6))
  }

  /// The number.
  public var number: Int {
    get { Int(gtk_spin_button_get_value_as_int(opaque)) }
    set { gtk_spin_button_set_value(opaque, Double(newValue)) }
  }

  /// Calls `handler` when the number changes.
  public func onChange(_ handler: @escaping @MainActor () -> Void) {
    connect("value-changed", handler)
  }
}
