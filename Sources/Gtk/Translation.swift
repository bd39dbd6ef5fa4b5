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

/// Translates a text that depends on a number, then puts values in the place of placeholders.
public nonisolated func trn(
  _ singular: String, _ plural: String, n: Int, _ values: KeyValuePairs<String, String> = [:]
) -> String {
  let text = singular.withCString { singular in
    plural.withCString { plural in
      String(cString: g_dngettext(textDomain, singular, plural, gulong(n.magnitude)))
    }
  }
  return fill(text, values)
}

/// Translates a text that means different things in different contexts.
public nonisolated func trc(
  _ context: String, _ text: String, _ values: KeyValuePairs<String, String> = [:]
) -> String {
  fill(text.withCString { String(cString: g_dpgettext2(textDomain, context, $0)) }, values)
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
