import CGettext
import Glibc

/// The translations that are installed with the programs, by gettext.
///
/// They are for the language that the environment asks for. The locale of the process has no part in it and can
/// stay as it is, so that what libraries write for programs does not change with the language. Where that of the
/// environment is not installed, or there are no translations for it, everything reads in English.
public struct Catalog: Sendable {
  /// The language as a tag (BCP 47), such as `de` or `pt-BR`.
  public let language: String

  private static let domain = "entrance"
  /// What glibc calls the domain of its own messages.
  private static let systemDomain = "libc"

  /// The person's locale, which nothing changes or frees; nil when all is in English.
  private nonisolated(unsafe) let locale: locale_t?

  /// Finds the translations in `directory`, as `bindtextdomain` wants it.
  ///
  /// They become those of the whole process, for what GTK looks up itself.
  public init(directory: String) {
    bindtextdomain(Self.domain, directory)
    textdomain(Self.domain)
    for domain in [Self.domain, Self.systemDomain] { bind_textdomain_codeset(domain, "UTF-8") }
    let locale = newlocale(LC_CTYPE_MASK | LC_MESSAGES_MASK, "", nil)
    let language = locale.flatMap { locale in
      Self.perform(in: locale) { Self.language(of: String(cString: dgettext(Self.domain, ""))) }
    }
    self.language = language ?? "en"
    self.locale = language == nil ? nil : locale
  }

  /// The language that the header of a catalog names; nil when there is no catalog.
  private static func language(of header: String) -> String? {
    let field = "Language: "
    let line = header.split(separator: "\n").first { $0.hasPrefix(field) }
    guard let name = line?.dropFirst(field.count).prefix(while: { $0 != "@" && $0 != "." }) else {
      return header.isEmpty ? nil : "und"
    }
    return String(name.map { $0 == "_" ? "-" : $0 })
  }

  /// The translation of a template, or the template itself when there is none.
  ///
  /// - Parameters:
  ///   - template: the template for one thing.
  ///   - plural: the one for any other number of things; nil where no number matters.
  ///   - count: how many things it is about.
  func translation(of template: String, _ plural: String?, _ count: Int) -> String {
    guard let locale else { return count == 1 ? template : plural ?? template }
    return Self.perform(in: locale) {
      // Without a translation gettext returns the very pointer that it was given: the C strings must live until
      // the result is copied.
      template.withCString { singular in
        if let plural {
          return plural.withCString {
            String(cString: dngettext(Self.domain, singular, $0, count.magnitude))
          }
        }
        guard let found = dgettext(Self.domain, singular) else { return template }
        // What the system says of an error is translated with the system.
        let isKnown = UnsafePointer(found) != singular
        return String(cString: isKnown ? found : dgettext(Self.systemDomain, singular))
      }
    }
  }

  /// Does `work` with `locale` for this thread.
  private static func perform<Result>(in locale: locale_t, _ work: () -> Result) -> Result {
    let before = uselocale(locale)
    defer { uselocale(before) }
    return work()
  }
}
