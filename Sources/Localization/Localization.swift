import CurlHTTP
@_exported public import Sentences

/// Translates from English into the user's language.
///
/// A program sets the catalog of translations at startup. Without one, as in tests, all text is
/// English.
public enum Localization {
  private static let catalog = LockedValue<MessageCatalog?>(nil)

  /// Sets the catalog for all translations from now on.
  public static func use(_ catalog: MessageCatalog) {
    self.catalog.withLock { $0 = catalog }
  }

  /// The user's language as a tag (BCP 47); English when there are no translations for it.
  public static var language: String {
    catalog.withLock { $0 }?.language ?? "en"
  }

  fileprivate static func text(_ sentence: Sentence) -> String {
    guard let catalog = catalog.withLock({ $0 }) else { return sentence.description }
    return sentence.text { catalog.translation(of: $0.template, $0.plural, $0.count) }
  }
}

/// The sentence in the user's language.
package func tr(_ sentence: Sentence) -> String {
  Localization.text(sentence)
}

/// The translation of a template, with a value for each `{name}` in it.
package func tr(
  _ template: Sentence.Template, _ values: KeyValuePairs<String, any SentenceValue> = [:]
) -> String {
  tr(Sentence(template, values))
}

/// Translated sentences as one text, joined as the user's language does it.
package func join(_ sentences: [String]) -> String {
  tr(Sentence(sentences.map { Sentence(verbatim: $0) }))
}
