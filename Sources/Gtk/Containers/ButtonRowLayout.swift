import CGtk

extension Box {
  /// Lays out its buttons side by side if they fit, preferably with equal widths, else below each
  /// other.
  public func layOutAsButtonRow() { ButtonRowLayout.install(on: widget) }
}

/// Lays out buttons side by side if they fit, preferably with equal widths, else below each other.
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
        let buttons = LayoutChildren(of: box)
        let size =
          orientation == GTK_ORIENTATION_HORIZONTAL
          ? ButtonRowLayout.width(of: buttons) : ButtonRowLayout.height(of: buttons, for: width)
        minimum?.pointee = size.minimum
        natural?.pointee = size.natural
      },
      { box, width, height, _ in
        ButtonRowLayout.allocate(
          LayoutChildren(of: box), width: width, height: height,
          mirrored: gtk_widget_get_direction(box) == GTK_TEXT_DIR_RTL)
      })
    gtk_widget_set_layout_manager(box, layout)
  }

  private nonisolated static func gaps(_ buttons: LayoutChildren) -> Int32 {
    spacing * max(0, Int32(buttons.count) - 1)
  }

  /// Minimum: the widest button; natural: all side by side.
  private nonisolated static func width(of buttons: LayoutChildren) -> LayoutSize {
    let sizes = buttons.widths
    let widest = sizes.map(\.natural).max() ?? 0
    return (
      sizes.map(\.minimum).max() ?? 0, widest * Int32(buttons.count) + gaps(buttons)
    )
  }

  private nonisolated static func height(of buttons: LayoutChildren, for width: Int32) -> LayoutSize
  {
    // Without a width, GTK asks for the smallest height at any width.
    guard width >= 0 else { return largest(buttons.map { $0.height(for: -1) }) }
    guard let columns = columns(for: buttons, in: width) else {
      let sizes = buttons.map { $0.height(for: width) }
      return (
        sizes.map(\.minimum).reduce(gaps(buttons), +), sizes.map(\.natural).reduce(gaps(buttons), +)
      )
    }
    return largest(zip(buttons, columns).map { $0.height(for: $1) })
  }

  /// The widths of the buttons side by side; nil when they do not fit.
  private nonisolated static func columns(
    for buttons: LayoutChildren, in width: Int32
  ) -> [Int32]? {
    guard !buttons.isEmpty else { return nil }
    let space = width - gaps(buttons)
    let widths = buttons.widths.map(\.natural)
    let equal = space / Int32(buttons.count)
    guard equal < widths.max() ?? 0 else { return widths.map { _ in equal } }
    let rest = space - widths.reduce(0, +)
    guard rest >= 0 else { return nil }
    return widths.map { $0 + rest / Int32(buttons.count) }
  }

  private nonisolated static func allocate(
    _ buttons: LayoutChildren, width: Int32, height: Int32, mirrored: Bool
  ) {
    guard let columns = columns(for: buttons, in: width) else {
      var y: Int32 = 0
      for button in buttons {
        let height = button.height(for: width).natural
        button.place(x: 0, y: y, width: width, height: height)
        y += height + spacing
      }
      return
    }
    var x: Int32 = 0
    for (button, column) in zip(buttons, columns) {
      button.place(
        x: mirrored ? width - x - column : x, y: 0, width: column, height: height)
      x += column + spacing
    }
  }
}
