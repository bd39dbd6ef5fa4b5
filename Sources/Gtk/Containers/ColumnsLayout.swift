import CGtk

extension Box {
  /// Lays out two children, a short one and one that takes the rest: side by side if the box is
  /// wide, or too low for both, else below each other.
  public func layOutAsColumns() { ColumnsLayout.install(on: widget) }
}

/// Lays out two children side by side if there is much width or little height, else below each
/// other.
///
/// libadwaita 1.2 has no breakpoints, and its `AdwLeaflet` would hide one of them.
enum ColumnsLayout {
  private nonisolated static let spacing: Int32 = 18
  /// They are always side by side from this width.
  private nonisolated static let wide: Int32 = 860
  /// They are side by side from this width if the height is not enough for both.
  private nonisolated static let narrow: Int32 = 560

  /// Sets this layout for the children of `box`.
  static func install(on box: UnsafeMutablePointer<GtkWidget>) {
    let layout = gtk_custom_layout_new(
      { _ in GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH },
      { box, orientation, width, minimum, natural, _, _ in
        let children = LayoutChildren(of: box)
        let size =
          orientation == GTK_ORIENTATION_HORIZONTAL
          ? ColumnsLayout.width(of: children) : ColumnsLayout.height(of: children, for: width)
        minimum?.pointee = size.minimum
        natural?.pointee = size.natural
      },
      { box, width, height, _ in
        ColumnsLayout.allocate(
          LayoutChildren(of: box), width: width, height: height,
          mirrored: gtk_widget_get_direction(box) == GTK_TEXT_DIR_RTL)
      })
    gtk_widget_set_layout_manager(box, layout)
  }

  private nonisolated static func width(of children: LayoutChildren) -> LayoutSize {
    largest(children.widths)
  }

  private nonisolated static func height(
    of children: LayoutChildren, for width: Int32
  ) -> LayoutSize {
    // Without a width, GTK asks for the smallest height at any width.
    guard width >= 0 else { return largest(children.map { $0.height(for: -1) }) }
    let stacked = stackedHeight(of: children, for: width)
    guard width >= narrow, let columns = columns(for: children, in: width) else { return stacked }
    let sideBySide = largest(zip(children, columns).map { $0.height(for: $1) })
    guard width < wide else { return sideBySide }
    return (min(stacked.minimum, sideBySide.minimum), stacked.natural)
  }

  private nonisolated static func stackedHeight(
    of children: LayoutChildren, for width: Int32
  ) -> LayoutSize {
    let sizes = children.map { $0.height(for: width) }
    let gaps = spacing * max(0, Int32(sizes.count) - 1)
    return (sizes.map(\.minimum).reduce(gaps, +), sizes.map(\.natural).reduce(gaps, +))
  }

  /// The widths of both children side by side.
  private nonisolated static func columns(
    for children: LayoutChildren, in width: Int32
  ) -> [Int32]? {
    guard children.count == 2 else { return nil }
    let first = max(children[0].width.minimum, min(400, max(284, width * 42 / 100)))
    return [first, width - spacing - first]
  }

  private nonisolated static func allocate(
    _ children: LayoutChildren, width: Int32, height: Int32, mirrored: Bool
  ) {
    let isLow = height < stackedHeight(of: children, for: width).minimum
    if width >= wide || width >= narrow && isLow,
      let columns = columns(for: children, in: width)
    {
      var x: Int32 = 0
      for (child, column) in zip(children, columns) {
        child.place(x: mirrored ? width - x - column : x, y: 0, width: column, height: height)
        x += column + spacing
      }
      return
    }
    var y: Int32 = 0
    for (index, child) in children.enumerated() {
      let isLast = index == children.count - 1
      let own = isLast ? height - y : child.height(for: width).natural
      child.place(x: 0, y: y, width: width, height: own)
      y += own + spacing
    }
  }
}

/// The minimum and natural size of a widget in one direction.
typealias LayoutSize = (minimum: Int32, natural: Int32)

/// The size in which each of these fits.
nonisolated func largest(_ sizes: [LayoutSize]) -> LayoutSize {
  (sizes.map(\.minimum).max() ?? 0, sizes.map(\.natural).max() ?? 0)
}

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
