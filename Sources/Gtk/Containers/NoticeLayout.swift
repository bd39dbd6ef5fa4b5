import CGtk

extension Box {
  /// Lays out two children, a text and the buttons that belong to it: side by side if that leaves
  /// the text enough width, else below each other.
  public func layOutAsNotice() { NoticeLayout.install(on: widget) }
}

/// Lays out a text and the buttons that belong to it: side by side if that leaves the text enough
/// width, else below each other.
///
/// libadwaita 1.2 has no `AdwBanner`.
enum NoticeLayout {
  private nonisolated static let spacing: Int32 = 12
  /// The width that a text keeps beside buttons, unless one line of it is shorter.
  private nonisolated static let leastTextWidth: Int32 = 320

  /// Sets this layout for the children of `box`.
  static func install(on box: UnsafeMutablePointer<GtkWidget>) {
    let layout = gtk_custom_layout_new(
      { _ in GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH },
      { box, orientation, width, minimum, natural, _, _ in
        let children = LayoutChildren(of: box)
        let size =
          orientation == GTK_ORIENTATION_HORIZONTAL
          ? NoticeLayout.width(of: children) : NoticeLayout.height(of: children, for: width)
        minimum?.pointee = size.minimum
        natural?.pointee = size.natural
      },
      { box, width, height, _ in
        NoticeLayout.allocate(
          LayoutChildren(of: box), width: width, height: height,
          mirrored: gtk_widget_get_direction(box) == GTK_TEXT_DIR_RTL)
      })
    gtk_widget_set_layout_manager(box, layout)
  }

  private nonisolated static func gaps(_ children: LayoutChildren) -> Int32 {
    spacing * max(0, Int32(children.count) - 1)
  }

  /// Minimum: the widest child; natural: all side by side.
  private nonisolated static func width(of children: LayoutChildren) -> LayoutSize {
    let sizes = children.widths
    return (
      sizes.map(\.minimum).max() ?? 0, sizes.map(\.natural).reduce(gaps(children), +)
    )
  }

  private nonisolated static func height(
    of children: LayoutChildren, for width: Int32
  ) -> LayoutSize {
    // Without a width, GTK asks for the smallest height at any width.
    guard width >= 0 else { return largest(children.map { $0.height(for: -1) }) }
    if let columns = columns(for: children, in: width) {
      return largest(zip(children, columns).map { $0.height(for: $1) })
    }
    let sizes = children.map { $0.height(for: min(width, $0.width.natural)) }
    return (
      sizes.map(\.minimum).reduce(gaps(children), +), sizes.map(\.natural).reduce(gaps(children), +)
    )
  }

  /// The widths of text and buttons side by side; nil when the text would have too little.
  private nonisolated static func columns(
    for children: LayoutChildren, in width: Int32
  ) -> [Int32]? {
    guard children.count == 2 else { return nil }
    let (text, buttons) = (children[0].width, children[1].width)
    let rest = width - spacing - buttons.natural
    guard rest >= max(text.minimum, min(text.natural, leastTextWidth)) else { return nil }
    return [rest, buttons.natural]
  }

  private nonisolated static func allocate(
    _ children: LayoutChildren, width: Int32, height: Int32, mirrored: Bool
  ) {
    if let columns = columns(for: children, in: width) {
      var x: Int32 = 0
      for (child, column) in zip(children, columns) {
        child.place(x: mirrored ? width - x - column : x, y: 0, width: column, height: height)
        x += column + spacing
      }
      return
    }
    var y: Int32 = 0
    for child in children {
      let own = min(width, child.width.natural)
      let height = child.height(for: own).natural
      child.place(x: mirrored ? width - own : 0, y: y, width: own, height: height)
      y += height + spacing
    }
  }
}
