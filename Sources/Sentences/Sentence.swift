/// A sentence for the user: a template in English, and the values to fill in.
///
/// Its ``description`` is English, for logs and programs. To show it in another language, use
/// ``text(translatedBy:)``: the translation is looked up by the template, and the values are filled
/// in afterwards.
///
/// ```swift
/// let sentence = Sentence("{host} did not answer in time.", ["host": "login.example.com"])
/// ```
public struct Sentence: Sendable, Equatable {
  private indirect enum Content: Sendable, Equatable {
    case verbatim(String)
    case template(Message, [Value])
    case sequence([Sentence])
    case withoutFullStop(Sentence)
  }

  private struct Value: Sendable, Equatable {
    var name: String
    var sentence: Sentence
  }

  /// A text in English, with a `{name}` for each value.
  ///
  /// It is a literal without interpolations, or several joined with `+`: the extraction of texts to
  /// translate reads only those.
  public struct Template: ExpressibleByStringLiteral, CustomStringConvertible, Sendable {
    /// The text.
    public let description: String

    /// Creates a template from a literal.
    public init(stringLiteral text: StaticString) {
      description = text.description
    }

    private init(_ text: String) {
      description = text
    }

    /// Joins the lines of a long template.
    public static func + (left: Template, right: Template) -> Template {
      Template(left.description + right.description)
    }
  }

  /// The key for a catalog of translations.
  public struct Message: Sendable, Equatable {
    /// The template in English; the singular when there is a count.
    public let template: String
    /// The template in English for any other count; nil when there is no count.
    public let plural: String?
    /// The count.
    public let count: Int

    /// The template in English for the count.
    public var english: String { count == 1 ? template : plural ?? template }
  }

  private let content: Content

  private init(_ content: Content) {
    self.content = content
  }

  /// Creates a sentence, with a value for each `{name}` in `template`.
  ///
  /// A value can be a sentence or part of one; it is translated too.
  public init(
    _ template: Template, _ values: KeyValuePairs<String, any SentenceValue> = [:]
  ) {
    let message = Message(template: template.description, plural: nil, count: 1)
    self.init(.template(message, Self.values(values)))
  }

  /// Creates a sentence with a count, which is the value of `{count}`.
  public static func plural(
    _ one: Template, _ other: Template, count: Int,
    _ values: KeyValuePairs<String, any SentenceValue> = [:]
  ) -> Sentence {
    let message = Message(template: one.description, plural: other.description, count: count)
    let count = Value(name: "count", sentence: Sentence(verbatim: String(count)))
    return Sentence(.template(message, Self.values(values) + [count]))
  }

  /// Creates a sentence that is not translated, such as a name or a server's message.
  public init(verbatim text: String) {
    self.init(.verbatim(text))
  }

  /// Creates a sentence that the system translates.
  package init(system message: String) {
    self.init(.template(Message(template: message, plural: nil, count: 1), []))
  }

  /// Joins several sentences.
  public init(_ sentences: [Sentence]) {
    self.init(.sequence(sentences))
  }

  /// The sentence for use within another: without its final period.
  package var withoutFullStop: Sentence { Sentence(.withoutFullStop(self)) }

  /// The sentence with `transform` applied to each text that is not translated.
  package func mapVerbatim(_ transform: (String) -> String) -> Sentence {
    switch content {
    case .verbatim(let text): Sentence(verbatim: transform(text))
    case .sequence(let sentences): Sentence(sentences.map { $0.mapVerbatim(transform) })
    case .withoutFullStop(let sentence): sentence.mapVerbatim(transform).withoutFullStop
    case .template(let message, let values):
      Sentence(
        .template(
          message,
          values.map { Value(name: $0.name, sentence: $0.sentence.mapVerbatim(transform)) }))
    }
  }

  private static func values(_ values: KeyValuePairs<String, any SentenceValue>) -> [Value] {
    values.map { Value(name: $0.key, sentence: $0.value.sentence) }
  }

  /// The translated text.
  ///
  /// - Parameter translate: looks up the translation of a template; returns an unknown one
  ///   unchanged.
  public func text(translatedBy translate: (Message) -> String) -> String {
    switch content {
    case .verbatim(let text): text
    case .sequence(let sentences):
      Self.join(sentences.map { $0.text(translatedBy: translate) })
    case .withoutFullStop(let sentence):
      Self.withoutFullStop(sentence.text(translatedBy: translate))
    case .template(let message, let values):
      Self.fill(translate(message)) { name in
        values.first { $0.name == name }?.sentence.text(translatedBy: translate)
      }
    }
  }

  /// Joins translated sentences with spaces; after a Chinese or Japanese full stop there is none.
  private static func join(_ texts: [String]) -> String {
    texts.reduce(into: "") { result, text in
      if !result.isEmpty && !result.hasSuffix("。") { result += " " }
      result += text
    }
  }

  private static func withoutFullStop(_ text: String) -> String {
    // Also Chinese and Japanese full stops.
    text.hasSuffix(".") || text.hasSuffix("。") ? String(text.dropLast()) : text
  }

  /// Replaces each `{name}` once; values are not searched for placeholders.
  private static func fill(_ template: String, _ value: (Substring) -> String?) -> String {
    var result = ""
    var rest = template[...]
    while let open = rest.firstIndex(of: "{") {
      result += rest[..<open]
      rest = rest[open...]
      guard let close = rest.firstIndex(of: "}"),
        let text = value(rest[rest.index(after: open)..<close])
      else {
        result.append(rest.removeFirst())
        continue
      }
      result += text
      rest = rest[rest.index(after: close)...]
    }
    return result + rest
  }
}

extension Sentence: CustomStringConvertible {
  /// The text in English.
  public var description: String {
    text(translatedBy: \.english)
  }
}

/// A value for a placeholder in a ``Sentence``: a text, a number, or another sentence.
public protocol SentenceValue {
  /// The value as a sentence.
  var sentence: Sentence { get }
}

extension Sentence: SentenceValue {
  /// The sentence itself.
  public var sentence: Sentence { self }
}

extension String: SentenceValue {
  /// The text as it is.
  public var sentence: Sentence { Sentence(verbatim: self) }
}

extension Int: SentenceValue {
  /// The number in digits.
  public var sentence: Sentence { Sentence(verbatim: String(self)) }
}

extension Substring: SentenceValue {
  /// The text as it is.
  public var sentence: Sentence { Sentence(verbatim: String(self)) }
}
