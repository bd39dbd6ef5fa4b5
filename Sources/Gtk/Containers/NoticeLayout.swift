import CGtk

extension Box {
  /// Lays out two children, a text and the buttons that belong to it: side by side if that leaves
  /// the text enough width, else below each other.
  public func layOutAsNotice() { layOut(by: NoticeLayout.self) }
}

/// Lays out a text and the buttons that belong to it: side by side if that leaves the text enough
/// width, else below each other.
///
/// libadwaita 1.2 has no `AdwBanner`.
private nonisolated enum NoticeLayout: BoxLayout {
  private static let spacing: Int32 = 12
  /// The width that a text keeps beside buttons, unless one line of it is shorter.
  private static let leastTextWidth: Int32 = 320

  /// Minimum: the widest child; natural: all side by side.
  static func width(of children: LayoutChildren) -> LayoutSize {
    let sizes = children.widths
    return (
      largest(sizes).minimum, sizes.map(\.natural).reduce(children.gaps(spacing), +)
    )
  }

  static func height(of children: LayoutChildren, for width: Int32) -> LayoutSize {
    guard width >= 0 else { return children.heightAtAnyWidth }
    if let columns = columns(for: children, in: width) { return children.height(in: columns) }
    return children.stackedHeight(spacing: spacing) { min(width, $0.width.natural) }
  }

  /// The widths of text and buttons side by side; nil when the text would have too little.
  private static func columns(for children: LayoutChildren, in width: Int32) -> [Int32]? {
    guard children.count == 2 else { return nil }
    let (text, buttons) = (children[0].width, children[1].width)
    let rest = width - spacing - buttons.natural
    guard rest >= max(text.minimum, min(text.natural, leastTextWidth)) else { return nil }
    return [rest, buttons.natural]
  }

  static func allocate(
    _ children: LayoutChildren, width: Int32, height: Int32, mirrored: Bool
  ) {
    if let columns = columns(for: children, in: width) {
      return children.place(
        in: columns, spacing: spacing, width: width, height: height, mirrored: mirrored)
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
