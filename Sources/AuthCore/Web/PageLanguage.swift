public import Sentences

/// The language of the pages that ``SystemBrowserSession`` shows itself, such as the last page of a
/// sign-in.
public struct PageLanguage: Sendable {
  /// The language as a tag (BCP 47), such as `de`.
  public var tag: String
  /// Translates a sentence into the language.
  public var translate: @Sendable (Sentence) -> String

  /// Creates a language.
  public init(tag: String, translate: @escaping @Sendable (Sentence) -> String) {
    self.tag = tag
    self.translate = translate
  }

  /// English.
  public static let english = PageLanguage(tag: "en") { $0.description }
}
