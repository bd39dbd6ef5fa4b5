import CGtk
import Gio

/// Text for widgets whose text is always Pango markup.
enum Markup {
  /// `text` with `&`, `<` and `>` escaped, so that it is shown as it is.
  static func escaped(_ text: String) -> String {
    String(owning: g_markup_escape_text(text, -1)) ?? ""
  }
}
