import CGtk

/// A layout of a box's children that GTK does not have.
nonisolated protocol BoxLayout {
  /// The minimum and natural width of the box.
  static func width(of children: LayoutChildren) -> LayoutSize

  /// The minimum and natural height of the box for a width.
  static func height(of children: LayoutChildren, for width: Int32) -> LayoutSize

  /// Gives the children their places.
  static func allocate(_ children: LayoutChildren, width: Int32, height: Int32, mirrored: Bool)
}

extension Box {
  /// Lays out its children by `layout`.
  func layOut(by layout: any BoxLayout.Type) {
    g_object_set_data_full(
      ptr(), KeptLayout.key, Unmanaged.passRetained(KeptLayout(layout)).toOpaque(),
      { data in
        if let data { Unmanaged<KeptLayout>.fromOpaque(data).release() }
      })
    let manager = gtk_custom_layout_new(
      { _ in GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH },
      { box, orientation, width, minimum, natural, _, _ in
        guard let layout = KeptLayout.of(box) else { return }
        let children = LayoutChildren(of: box)
        let size =
          orientation == GTK_ORIENTATION_HORIZONTAL
          ? layout.width(of: children) : layout.height(of: children, for: width)
        minimum?.pointee = size.minimum
        natural?.pointee = size.natural
      },
      { box, width, height, _ in
        KeptLayout.of(box)?.allocate(
          LayoutChildren(of: box), width: width, height: height,
          mirrored: gtk_widget_get_direction(box) == GTK_TEXT_DIR_RTL)
      })
    gtk_widget_set_layout_manager(widget, manager)
  }
}

/// Keeps a layout with its box, which is all that GTK's functions get.
private nonisolated final class KeptLayout {
  static let key = "entrance-layout"
  private let layout: any BoxLayout.Type

  init(_ layout: any BoxLayout.Type) {
    self.layout = layout
  }

  /// That of `box`.
  static func of(_ box: UnsafeMutablePointer<GtkWidget>?) -> (any BoxLayout.Type)? {
    guard let box else { return nil }
    let object = UnsafeMutableRawPointer(box).assumingMemoryBound(to: GObject.self)
    return g_object_get_data(object, key).map {
      Unmanaged<KeptLayout>.fromOpaque($0).takeUnretainedValue().layout
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

  /// All that is between them.
  func gaps(_ spacing: Int32) -> Int32 { spacing * Swift.max(0, Int32(count) - 1) }

  /// The height in which each of them fits at any width: GTK asks for it without a width.
  var heightAtAnyWidth: LayoutSize { largest(map { $0.height(for: -1) }) }

  /// Their height side by side, in columns of these widths.
  func height(in columns: [Int32]) -> LayoutSize {
    largest(zip(self, columns).map { $0.height(for: $1) })
  }

  /// Their height below each other.
  ///
  /// - Parameter width: how wide each of them is.
  func stackedHeight(spacing: Int32, width: (LayoutChild) -> Int32) -> LayoutSize {
    let sizes = map { $0.height(for: width($0)) }
    let gaps = gaps(spacing)
    return (sizes.map(\.minimum).reduce(gaps, +), sizes.map(\.natural).reduce(gaps, +))
  }

  /// Places them side by side, in columns of these widths.
  func place(in columns: [Int32], spacing: Int32, width: Int32, height: Int32, mirrored: Bool) {
    var x: Int32 = 0
    for (child, column) in zip(self, columns) {
      child.place(x: mirrored ? width - x - column : x, y: 0, width: column, height: height)
      x += column + spacing
    }
  }
}
