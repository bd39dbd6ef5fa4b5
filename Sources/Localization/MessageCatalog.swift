import CGettext
import Glibc

/// The translations that are installed with the programs, by gettext.
///
/// They are for the language of the environment. The locale of the process is not used and can stay
/// unchanged, so that what libraries write for programs does not depend on the language. Without an
/// installed locale for that language, or without translations for it, all text is English.
public struct MessageCatalog: Sendable {
  /// The language as a tag (BCP 47), such as `de` or `pt-BR`.
  public let language: String

  private static let domain = "entrance"
  /// The domain of glibc's own messages.
  private static let systemDomain = "libc"

  /// The user's locale, which is never changed or freed; nil when all text is English.
  private nonisolated(unsafe) let locale: locale_t?

  /// Finds the translations in `directory`, for `bindtextdomain`.
  ///
  /// This applies to the whole process, so it includes the texts that GTK looks up itself.
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

  /// The language in the header of a catalog; nil without a catalog.
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
  ///   - template: the template for a count of 1.
  ///   - plural: the template for any other count; nil when there is no count.
  ///   - count: the count.
  func translation(of template: String, _ plural: String?, _ count: Int) -> String {
    guard let locale else { return count == 1 ? template : plural ?? template }
    return Self.perform(in: locale) {
      // Without a translation, gettext returns the pointer that it was given, so the C strings must
      // live until the result is copied.
      template.withCString { singular in
        if let plural {
          return plural.withCString {
            String(cString: dngettext(Self.domain, singular, $0, count.magnitude))
          }
        }
        guard let found = dgettext(Self.domain, singular) else { return template }
        // Error messages of the system are translated by the system.
        let isKnown = UnsafePointer(found) != singular
        return String(cString: isKnown ? found : dgettext(Self.systemDomain, singular))
      }
    }
  }

  /// Runs `work` with `locale` as this thread's locale.
  private static func perform<Result>(in locale: locale_t, _ work: () -> Result) -> Result {
    let before = uselocale(locale)
    defer { uselocale(before) }
    return work()
  }
}
