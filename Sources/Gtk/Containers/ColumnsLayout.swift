import CGtk

extension Box {
  /// Lays out two children, a short one and one that takes the rest: side by side if the box is
  /// wide, or too low for both, else below each other.
  public func layOutAsColumns() { layOut(by: ColumnsLayout.self) }
}

/// Lays out two children side by side if there is much width or little height, else below each
/// other.
///
/// libadwaita 1.2 has no breakpoints, and its `AdwLeaflet` would hide one of them.
private nonisolated enum ColumnsLayout: BoxLayout {
  private static let spacing: Int32 = 18
  /// They are always side by side from this width.
  private static let wide: Int32 = 860
  /// They are side by side from this width if the height is not enough for both.
  private static let narrow: Int32 = 560

  static func width(of children: LayoutChildren) -> LayoutSize { largest(children.widths) }

  static func height(of children: LayoutChildren, for width: Int32) -> LayoutSize {
    guard width >= 0 else { return children.heightAtAnyWidth }
    let stacked = children.stackedHeight(spacing: spacing) { _ in width }
    guard width >= narrow, let columns = columns(for: children, in: width) else { return stacked }
    let sideBySide = children.height(in: columns)
    guard width < wide else { return sideBySide }
    return (min(stacked.minimum, sideBySide.minimum), stacked.natural)
  }

  /// The widths of both children side by side.
  private static func columns(for children: LayoutChildren, in width: Int32) -> [Int32]? {
    guard children.count == 2 else { return nil }
    let first = max(children[0].width.minimum, min(400, max(284, width * 42 / 100)))
    return [first, width - spacing - first]
  }

  static func allocate(
    _ children: LayoutChildren, width: Int32, height: Int32, mirrored: Bool
  ) {
    let isLow = height < children.stackedHeight(spacing: spacing) { _ in width }.minimum
    if width >= wide || width >= narrow && isLow,
      let columns = columns(for: children, in: width)
    {
      return children.place(
        in: columns, spacing: spacing, width: width, height: height, mirrored: mirrored)
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
