import AuthCore
public import Sentences

/// What is said about the text of an error: the explanations in it, or why there are none.
public struct ErrorReading: Sendable, Equatable {
  /// What is known of it, the most exact first.
  public let explanations: [ErrorExplanation]
  /// What is said when nothing is known of it, and what to do then.
  public let unknown: Sentence
  /// What to do when nothing is known of it.
  public let nextStep: Sentence
  /// The page to look at when nothing is known of it, which ``nextStep`` names; nil for none.
  public let page: String?

  /// Reads `text`.
  public init(_ text: String) {
    explanations = ErrorExplanation.all(in: text)
    if let number = CopiedError(text).numbers.first {
      unknown = Sentence("Entrance has no explanation for {name}.", ["name": "AADSTS\(number)"])
      let page = ErrorExplanation.page(of: number)
      nextStep = Sentence("See Microsoft’s page about it: {url}", ["url": page])
      self.page = page
    } else {
      unknown = Sentence("No known error was found in this text.")
      nextStep = Sentence(
        "Look for a code such as “AADSTS50076” or “invalid_grant” in the program’s output or log.")
      page = nil
    }
  }
}
