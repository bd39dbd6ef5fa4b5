import CurlHTTP
package import Sentences

/// The way from English to the person's language.
///
/// A program hands the catalog of translations in at its start. Without one, as in tests, everything reads in
/// English.
public enum Localization {
  private static let catalog = LockedValue<Catalog?>(nil)

  /// Translates by `catalog` from now on.
  public static func use(_ catalog: Catalog) {
    self.catalog.withLock { $0 = catalog }
  }

  /// The person's language as a tag (BCP 47), as far as there are translations.
  public static var language: String {
    catalog.withLock { $0 }?.language ?? "en"
  }

  fileprivate static func text(_ sentence: Sentence) -> String {
    guard let catalog = catalog.withLock({ $0 }) else { return sentence.description }
    return sentence.text { catalog.translation(of: $0.template, $0.plural, $0.count) }
  }
}

/// The sentence in the person's language.
package func tr(_ sentence: Sentence) -> String {
  Localization.text(sentence)
}

/// The translation of a template, with a value for each `{name}` in it.
///
/// The template is a literal without interpolations, because what collects the texts to translate reads no
/// others.
package func tr(
  _ template: String, _ values: KeyValuePairs<String, any SentenceValue> = [:]
) -> String {
  tr(Sentence(template, values))
}
