import AuthCore
import FoundationEssentials
import Sentences

extension JSON {
  /// A text; `null` without one.
  init(_ text: String?) {
    self = text.map { JSON.string($0) } ?? .null
  }

  /// A list of texts; `null` without one.
  init(_ texts: [String]?) {
    self = texts.map { JSON.array($0.map { JSON.string($0) }) } ?? .null
  }

  /// A time; `null` without one.
  init(_ date: Date?) {
    self.init(date?.formatted(.iso8601))
  }

  /// A number.
  init(_ number: Int) {
    self = .number("\(number)")
  }

  /// A sentence, which is in English for programs; `null` without one.
  init(_ sentence: Sentence?) {
    self.init(sentence?.description)
  }
}
