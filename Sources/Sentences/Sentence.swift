/// A sentence for a person: a template in English, and the values to fill it with.
///
/// By itself it reads in English (``description``), as logs and programs want it. Whoever shows it to a person
/// can put it into their language first (``text(translatedBy:)``): the template is what a catalog of
/// translations is asked for, and values are filled in after that.
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

  /// What a catalog of translations is asked for.
  public struct Message: Sendable, Equatable {
    /// The template in English; for one thing, where the number matters.
    public let template: String
    /// The template in English for any other number of things; nil where no number matters.
    public let plural: String?
    /// How many things it is about.
    public let count: Int

    /// The template in English that the number calls for.
    public var english: String { count == 1 ? template : plural ?? template }
  }

  private let content: Content

  private init(_ content: Content) {
    self.content = content
  }

  /// Creates a sentence, with a value for each `{name}` in `template`.
  ///
  /// A value can be a sentence of its own, or the part of one: it is translated, too. The template is
  /// a literal without interpolations, because what collects the texts to translate reads no others.
  public init(
    _ template: String, _ values: KeyValuePairs<String, any SentenceValue> = [:]
  ) {
    let message = Message(template: template, plural: nil, count: 1)
    self.init(.template(message, Self.values(values)))
  }

  /// Creates a sentence about a number of things, which is the value of `{count}`.
  public static func plural(
    _ one: String, _ other: String, count: Int,
    _ values: KeyValuePairs<String, any SentenceValue> = [:]
  ) -> Sentence {
    let message = Message(template: one, plural: other, count: count)
    let count = Value(name: "count", sentence: Sentence(verbatim: String(count)))
    return Sentence(.template(message, Self.values(values) + [count]))
  }

  /// Creates a sentence that reads the same in every language: a name, or the words of a server.
  public init(verbatim text: String) {
    self.init(.verbatim(text))
  }

  /// Creates the text of several sentences, one after the other.
  public init(_ sentences: [Sentence]) {
    self.init(.sequence(sentences))
  }

  /// The sentence to stand within another: without the full stop at its end.
  package var withoutFullStop: Sentence { Sentence(.withoutFullStop(self)) }

  /// The sentence with each text that reads the same in every language put through `transform`.
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

  /// The text in another language.
  ///
  /// - Parameter translate: Looks up the translation of a template; an unknown one is returned as it is.
  public func text(translatedBy translate: (Message) -> String) -> String {
    switch content {
    case .verbatim(let text): text
    case .sequence(let sentences):
      sentences.map { $0.text(translatedBy: translate) }.joined(separator: " ")
    case .withoutFullStop(let sentence):
      Self.withoutFullStop(sentence.text(translatedBy: translate))
    case .template(let message, let values):
      Self.fill(translate(message)) { name in
        values.first { $0.name == name }?.sentence.text(translatedBy: translate)
      }
    }
  }

  private static func withoutFullStop(_ text: String) -> String {
    text.hasSuffix(".") ? String(text.dropLast()) : text
  }

  /// Replaces each `{name}` once: a value is never searched for placeholders.
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

/// What can fill a place in a ``Sentence``: a text, a number, or another sentence.
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
