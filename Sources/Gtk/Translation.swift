import CGtk

/// The gettext domain of all texts.
public nonisolated let textDomain = "entrance"

/// Sets the locale and the directory of the translations.
///
/// GLib decides at the first text whether to translate at all, so call this before any GTK
/// function.
public func initializeTranslation(localeDirectory: String?) {
  setlocale(LC_ALL, "")
  if let localeDirectory { _ = bindtextdomain(textDomain, localeDirectory) }
  bind_textdomain_codeset(textDomain, "UTF-8")
  CGtk.textdomain(textDomain)
}

/// Looks up a text, or its singular or plural for `count`.
@Sendable
public nonisolated func translate(_ text: String, _ plural: String?, _ count: Int) -> String {
  // Without a translation, GLib returns the pointer that it was given, so the C strings must live
  // until the result is copied.
  text.withCString { singular in
    guard let plural else { return String(cString: g_dgettext(textDomain, singular)) }
    return plural.withCString {
      String(cString: g_dngettext(textDomain, singular, $0, gulong(count.magnitude)))
    }
  }
}
