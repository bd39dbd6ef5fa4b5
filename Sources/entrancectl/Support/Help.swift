import ArgumentParser
import AuthCore
import Localization
import Sentences

/// The paragraphs of a help text, in the user's language.
func paragraphs(_ sentences: Sentence...) -> String {
  sentences.map { tr($0) }.joined(separator: "\n\n")
}

extension ValidationError {
  /// Creates an error in the command line.
  init(_ sentence: Sentence) {
    self.init(tr(sentence.plain))
  }

  /// Refuses an empty value, which a shell makes of a variable that is not set.
  static func refuseEmpty(_ value: String?, of option: String) throws {
    guard value?.isEmpty != true else {
      throw ValidationError(.value(of: option, Sentence("The value is empty.")))
    }
  }

  /// Refuses permissions that cannot be requested, such as two in one text.
  static func check(_ scopes: [String], of option: String) throws {
    guard !scopes.isEmpty else { return }
    for scope in scopes { try refuseEmpty(scope, of: option) }
    do throws(AuthenticationError) {
      try Scopes.check(scopes)
    } catch {
      throw ValidationError(.value(of: option, error.sentence))
    }
  }
}

extension PageLanguage {
  /// The user's language.
  static var person: PageLanguage { PageLanguage(tag: Localization.language) { tr($0) } }
}
