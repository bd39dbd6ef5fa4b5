import CGtk

extension Box {
  /// Lays out its buttons side by side if they fit, preferably with equal widths, else below each
  /// other.
  public func layOutAsButtonRow() { layOut(by: ButtonRowLayout.self) }
}

/// Lays out buttons side by side if they fit, preferably with equal widths, else below each other.
///
/// A `GtkFlowBox` is similar, but wraps each button in an item that takes the keyboard focus before
/// the button.
private nonisolated enum ButtonRowLayout: BoxLayout {
  private static let spacing: Int32 = 12

  /// Minimum: the widest button; natural: all side by side.
  static func width(of buttons: LayoutChildren) -> LayoutSize {
    let widest = largest(buttons.widths)
    return (widest.minimum, widest.natural * Int32(buttons.count) + buttons.gaps(spacing))
  }

  static func height(of buttons: LayoutChildren, for width: Int32) -> LayoutSize {
    guard width >= 0 else { return buttons.heightAtAnyWidth }
    guard let columns = columns(for: buttons, in: width) else {
      return buttons.stackedHeight(spacing: spacing) { _ in width }
    }
    return buttons.height(in: columns)
  }

  /// The widths of the buttons side by side; nil when they do not fit.
  private static func columns(for buttons: LayoutChildren, in width: Int32) -> [Int32]? {
    guard !buttons.isEmpty else { return nil }
    let space = width - buttons.gaps(spacing)
    let widths = buttons.widths.map(\.natural)
    let equal = space / Int32(buttons.count)
    guard equal < widths.max() ?? 0 else { return widths.map { _ in equal } }
    let rest = space - widths.reduce(0, +)
    guard rest >= 0 else { return nil }
    return widths.map { $0 + rest / Int32(buttons.count) }
  }

  static func allocate(
    _ buttons: LayoutChildren, width: Int32, height: Int32, mirrored: Bool
  ) {
    if let columns = columns(for: buttons, in: width) {
      return buttons.place(
        in: columns, spacing: spacing, width: width, height: height, mirrored: mirrored)
    }
    var y: Int32 = 0
    for button in buttons {
      let height = button.height(for: width).natural
      button.place(x: 0, y: y, width: width, height: height)
      y += height + spacing
    }
  }
}
