import CGtk

extension Box {
  /// Lays out its buttons side by side with equal widths if they fit, else below each other.
  public func layOutAsButtonRow() { ButtonRowLayout.install(on: widget) }
}

/// Lays out buttons side by side with equal widths if they fit, else below each other.
///
/// A `GtkFlowBox` is similar, but wraps each button in an item that takes the keyboard focus before
/// the button.
enum ButtonRowLayout {
  private nonisolated static let spacing: Int32 = 12

  /// Sets this layout for the children of `box`.
  static func install(on box: UnsafeMutablePointer<GtkWidget>) {
    let layout = gtk_custom_layout_new(
      { _ in GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH },
      { box, orientation, width, minimum, natural, _, _ in
        let buttons = ButtonRowLayout.buttons(of: box)
        let size =
          orientation == GTK_ORIENTATION_HORIZONTAL
          ? ButtonRowLayout.width(of: buttons) : ButtonRowLayout.height(of: buttons, for: width)
        minimum?.pointee = size.minimum
        natural?.pointee = size.natural
      },
      { box, width, height, _ in
        ButtonRowLayout.allocate(
          ButtonRowLayout.buttons(of: box), width: width, height: height,
          mirrored: gtk_widget_get_direction(box) == GTK_TEXT_DIR_RTL)
      })
    gtk_widget_set_layout_manager(box, layout)
  }

  private typealias Size = (minimum: Int32, natural: Int32)
  private typealias Buttons = [UnsafeMutablePointer<GtkWidget>]

  private nonisolated static func buttons(of box: UnsafeMutablePointer<GtkWidget>?) -> Buttons {
    var buttons: Buttons = []
    var child = box.flatMap { gtk_widget_get_first_child($0) }
    while let button = child {
      if gtk_widget_should_layout(button) != 0 { buttons.append(button) }
      child = gtk_widget_get_next_sibling(button)
    }
    return buttons
  }

  private nonisolated static func measure(
    _ button: UnsafeMutablePointer<GtkWidget>, _ orientation: GtkOrientation, for size: Int32
  ) -> Size {
    var result: Size = (0, 0)
    gtk_widget_measure(
      button, orientation, size, &result.minimum, &result.natural, nil, nil)
    return result
  }

  private nonisolated static func gaps(_ buttons: Buttons) -> Int32 {
    spacing * max(0, Int32(buttons.count) - 1)
  }

  /// Minimum: the widest button; natural: all side by side.
  private nonisolated static func width(of buttons: Buttons) -> Size {
    let sizes = buttons.map { measure($0, GTK_ORIENTATION_HORIZONTAL, for: -1) }
    let widest = sizes.map(\.natural).max() ?? 0
    return (
      sizes.map(\.minimum).max() ?? 0, widest * Int32(buttons.count) + gaps(buttons)
    )
  }

  private nonisolated static func height(of buttons: Buttons, for width: Int32) -> Size {
    let sideBySide = width < 0 || fits(buttons, in: width)
    let each = width < 0 ? -1 : sideBySide ? columnWidth(buttons, in: width) : width
    let sizes = buttons.map { measure($0, GTK_ORIENTATION_VERTICAL, for: each) }
    if sideBySide {
      return (sizes.map(\.minimum).max() ?? 0, sizes.map(\.natural).max() ?? 0)
    }
    return (
      sizes.map(\.minimum).reduce(gaps(buttons), +), sizes.map(\.natural).reduce(gaps(buttons), +)
    )
  }

  private nonisolated static func fits(_ buttons: Buttons, in width: Int32) -> Bool {
    self.width(of: buttons).natural <= width
  }

  private nonisolated static func columnWidth(_ buttons: Buttons, in width: Int32) -> Int32 {
    (width - gaps(buttons)) / max(1, Int32(buttons.count))
  }

  private nonisolated static func allocate(
    _ buttons: Buttons, width: Int32, height: Int32, mirrored: Bool
  ) {
    guard fits(buttons, in: width) else {
      var y: Int32 = 0
      for button in buttons {
        let size = measure(button, GTK_ORIENTATION_VERTICAL, for: width)
        place(button, x: 0, y: y, width: width, height: size.natural)
        y += size.natural + spacing
      }
      return
    }
    let column = columnWidth(buttons, in: width)
    for (index, button) in (mirrored ? buttons.reversed() : buttons).enumerated() {
      place(button, x: Int32(index) * (column + spacing), y: 0, width: column, height: height)
    }
  }

  private nonisolated static func place(
    _ button: UnsafeMutablePointer<GtkWidget>, x: Int32, y: Int32, width: Int32, height: Int32
  ) {
    var area = GtkAllocation(x: x, y: y, width: width, height: height)
    gtk_widget_size_allocate(button, &area, -1)
  }
}
