public import AuthCore
public import FoundationEssentials
public import Sentences

/// A claim of a token, or a field of its header, in words.
public struct TokenClaim: Sendable, Equatable {
  /// A permission, a role, or another of several values of a claim.
  public struct Part: Sendable, Equatable {
    /// The value, as one line.
    public let name: String
    /// What it means; nil when that is not known.
    public let words: Sentence?
  }

  /// The name, as one line.
  public let name: String
  /// The value.
  public internal(set) var value: JSON
  /// The value as one line, of which a long one is cut.
  public internal(set) var text: String
  /// The value for the clipboard: all of it, strings without quotes.
  public var copiedText: String { value.string ?? value.compactText }
  /// What the value means: a time, an API, a kind; nil when that is not known.
  public let words: Sentence?
  /// What the claim is for; nil when that is not known.
  public let meaning: Sentence?
  /// The values, one by one, when there can be several; a long list is cut.
  public internal(set) var parts: [Part]
  /// The time that the value is; nil for another value.
  public let date: Date?

  /// The most characters of a text, and the most values of a claim, that are shown.
  static let (longestText, mostParts) = (1000, 200)

  /// Explains a claim.
  ///
  /// - Parameter now: the current time.
  init(_ member: JSON.Member, at now: Date) {
    name = member.name.shown(upTo: 100)
    value = member.value
    text = Self.text(member.value).shown(upTo: Self.longestText)
    meaning = ClaimMeaning.sentence(member.name)
    date =
      ClaimMeaning.isTime(member.name) ? member.value.number.flatMap(TimeInWords.date) : nil
    words = date.map { TimeInWords.sentence($0, at: now) } ?? ClaimValue.words(member)
    parts = ClaimValue.parts(member, upTo: Self.mostParts)
  }

  /// A field of the header.
  init(header member: JSON.Member) {
    name = member.name.shown(upTo: 100)
    value = member.value
    text = Self.text(member.value).shown(upTo: Self.longestText)
    meaning = ClaimMeaning.headerSentence(member.name)
    (words, parts, date) = (nil, [], nil)
  }

  /// The value as a text: strings without quotes, at most so much of it as is shown.
  private static func text(_ value: JSON) -> String {
    if let text = value.string { return text }
    // Whole, it could be long.
    if let list = value.array, list.count > mostParts {
      return JSON.array(Array(list.prefix(mostParts))).compactText.dropLast() + ", …]"
    }
    return value.compactText
  }
}
