import CurlHTTP
package import Sentences

/// The way from English to the person's language.
///
/// The catalog of translations belongs to the desktop; the app hands a look-up in at its start. Without one,
/// as in tests and on the command line, everything reads in English.
public enum Localization {
  /// Looks up a template: `plural` is the one for any other number of things, nil where no number matters.
  public typealias LookUp =
    @Sendable (_ template: String, _ plural: String?, _ count: Int) -> String

  private static let lookUp = LockedValue<LookUp?>(nil)

  /// Translates by `lookUp` from now on.
  public static func use(_ lookUp: @escaping LookUp) {
    self.lookUp.withLock { $0 = lookUp }
  }

  fileprivate static func text(_ sentence: Sentence) -> String {
    guard let lookUp = lookUp.withLock({ $0 }) else { return sentence.description }
    return sentence.text { lookUp($0.template, $0.plural, $0.count) }
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
