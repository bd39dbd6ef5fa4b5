import CGtk

/// The gettext domain of all texts.
public nonisolated let textDomain = "entrance"

/// Sets the locale and finds the translations.
///
/// GLib decides at the first text whether to translate at all, so this comes before any GTK call.
public func initializeTranslation(localeDirectory: String?) {
  setlocale(LC_ALL, "")
  if let localeDirectory { _ = bindtextdomain(textDomain, localeDirectory) }
  bind_textdomain_codeset(textDomain, "UTF-8")
  CGtk.textdomain(textDomain)
}

// Without a translation GLib returns the very pointer that it was given. The C strings must therefore
// live until the result is copied.

/// Translates a text, then puts values in the place of `{name}` placeholders.
///
/// The text must be one plain literal: what extracts the texts reads no interpolations.
public nonisolated func tr(_ text: String, _ values: KeyValuePairs<String, String> = [:])
  -> String
{
  fill(text.withCString { String(cString: g_dgettext(textDomain, $0)) }, values)
}

/// Looks up a text, or the one of two that `count` calls for.
@Sendable
public nonisolated func translate(_ text: String, _ plural: String?, _ count: Int) -> String {
  text.withCString { singular in
    guard let plural else { return String(cString: g_dgettext(textDomain, singular)) }
    return plural.withCString {
      String(cString: g_dngettext(textDomain, singular, $0, gulong(count.magnitude)))
    }
  }
}

/// Replaces each `{name}` once over, so that a value is never searched for placeholders.
nonisolated func fill(_ text: String, _ values: KeyValuePairs<String, String>) -> String {
  guard !values.isEmpty else { return text }
  var result = ""
  var rest = text[...]
  while let open = rest.firstIndex(of: "{") {
    result += rest[..<open]
    rest = rest[open...]
    guard let close = rest.firstIndex(of: "}"),
      let value = values.first(where: { $0.key == rest[rest.index(after: open)..<close] })?.value
    else {
      result.append(rest.removeFirst())
      continue
    }
    result += value
    rest = rest[rest.index(after: close)...]
  }
  return result + rest
}
