import CGtk

/// Text for widgets whose text is always Pango markup.
enum Markup {
  /// `text` with `&`, `<` and `>` escaped, so that it is shown as it is.
  static func escaped(_ text: String) -> String {
    guard let escaped = g_markup_escape_text(text, -1) else { return "" }
    defer { g_free(escaped) }
    return String(cString: escaped)
  }
}
