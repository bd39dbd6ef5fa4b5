import ArgumentParser
import AuthCore
import Localization
import Sentences

/// The paragraphs of a help text, in the person's language.
func paragraphs(_ sentences: Sentence...) -> String {
  sentences.map { tr($0) }.joined(separator: "\n\n")
}

extension ValidationError {
  /// Creates an error about the command line.
  init(_ sentence: Sentence) {
    self.init(tr(sentence.plain))
  }
}

extension PageLanguage {
  /// The language that the programs have found for the person.
  static var person: PageLanguage { PageLanguage(tag: Localization.language) { tr($0) } }
}
