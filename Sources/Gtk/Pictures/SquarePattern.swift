import CGtk

/// A square of dark and light squares, such as a QR code: dark on white in every style, with a
/// white margin.
@MainActor
public final class SquarePattern: Widget {
  override class var type: GType { gtk_drawing_area_get_type() }

  /// Shows a pattern, in its natural size.
  ///
  /// - Parameters:
  ///   - rows: whether each square of each row is dark.
  ///   - margin: the width of the margin, in squares.
  ///   - squareSize: the width of a square, in pixels.
  public func show(_ rows: [[Bool]], margin: Int, squareSize: Int) {
    let size = Int32(clamping: (rows.count + 2 * margin) * squareSize)
    gtk_drawing_area_set_content_width(ptr(), size)
    gtk_drawing_area_set_content_height(ptr(), size)
    let pattern = Pattern(rows: rows, margin: margin, squareSize: Double(squareSize))
    gtk_drawing_area_set_draw_func(
      ptr(),
      { _, cairo, _, _, data in
        guard let cairo, let data else { return }
        Unmanaged<Pattern>.fromOpaque(data).takeUnretainedValue().draw(cairo)
      }, Unmanaged.passRetained(pattern).toOpaque()
    ) { data in
      if let data { Unmanaged<Pattern>.fromOpaque(data).release() }
    }
  }
}

/// What a ``SquarePattern`` draws.
private nonisolated final class Pattern {
  let rows: [[Bool]]
  let margin: Int
  let squareSize: Double

  init(rows: [[Bool]], margin: Int, squareSize: Double) {
    self.rows = rows
    self.margin = margin
    self.squareSize = squareSize
  }

  func draw(_ cairo: OpaquePointer) {
    cairo_set_source_rgb(cairo, 1, 1, 1)
    cairo_paint(cairo)
    cairo_set_source_rgb(cairo, 0, 0, 0)
    for (y, row) in rows.enumerated() {
      for (x, isDark) in row.enumerated() where isDark {
        cairo_rectangle(
          cairo, Double(x + margin) * squareSize, Double(y + margin) * squareSize, squareSize,
          squareSize)
      }
    }
    cairo_fill(cairo)
  }
}
