import CurlHTTP
package import Sentences

/// Translates from English into the user's language.
///
/// The desktop owns the catalog of translations, so the app sets a look-up function at startup.
/// Without one, as in tests and on the command line, all text is English.
public enum Localization {
  /// Looks up a template: `plural` is the template for any other count, nil when there is no count.
  public typealias LookUp =
    @Sendable (_ template: String, _ plural: String?, _ count: Int) -> String

  private static let lookUp = LockedValue<LookUp?>(nil)

  /// Sets the look-up function for all translations from now on.
  public static func use(_ lookUp: @escaping LookUp) {
    self.lookUp.withLock { $0 = lookUp }
  }

  fileprivate static func text(_ sentence: Sentence) -> String {
    guard let lookUp = lookUp.withLock({ $0 }) else { return sentence.description }
    return sentence.text { lookUp($0.template, $0.plural, $0.count) }
  }
}

/// The sentence in the user's language.
package func tr(_ sentence: Sentence) -> String {
  Localization.text(sentence)
}

/// The translation of a template, with a value for each `{name}` in it.
///
/// The template must be a literal without interpolations, because the extraction of texts to
/// translate reads only those.
package func tr(
  _ template: String, _ values: KeyValuePairs<String, any SentenceValue> = [:]
) -> String {
  tr(Sentence(template, values))
}
