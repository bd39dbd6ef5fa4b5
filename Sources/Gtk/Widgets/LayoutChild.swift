import CGtk

/// The minimum and natural size of a widget in one direction.
typealias LayoutSize = (minimum: Int32, natural: Int32)

/// The children that a layout places.
typealias LayoutChildren = [LayoutChild]

/// A child of a widget with its own layout.
nonisolated struct LayoutChild {
  fileprivate let widget: UnsafeMutablePointer<GtkWidget>

  /// Its minimum and natural width.
  var width: LayoutSize { measure(GTK_ORIENTATION_HORIZONTAL, for: -1) }

  /// Its minimum and natural height; a negative width means its natural one.
  func height(for width: Int32) -> LayoutSize {
    measure(GTK_ORIENTATION_VERTICAL, for: width)
  }

  /// Gives it a place in its parent.
  func place(x: Int32, y: Int32, width: Int32, height: Int32) {
    var area = GtkAllocation(x: x, y: y, width: width, height: height)
    gtk_widget_size_allocate(widget, &area, -1)
  }

  private func measure(_ orientation: GtkOrientation, for size: Int32) -> LayoutSize {
    var result: LayoutSize = (0, 0)
    gtk_widget_measure(widget, orientation, size, &result.minimum, &result.natural, nil, nil)
    return result
  }
}

nonisolated extension LayoutChildren {
  /// The visible children of `parent`, in order.
  init(of parent: UnsafeMutablePointer<GtkWidget>?) {
    self = []
    var next = parent.flatMap { gtk_widget_get_first_child($0) }
    while let child = next {
      if gtk_widget_should_layout(child) != 0 { append(LayoutChild(widget: child)) }
      next = gtk_widget_get_next_sibling(child)
    }
  }

  /// Their minimum and natural widths.
  var widths: [LayoutSize] { map(\.width) }
}
