/// What can be written at the cursor of a text.
public struct TextCompletion: Sendable, Equatable {
  /// A text that can take the place of what was begun.
  public struct Proposal: Sendable, Equatable {
    /// The text.
    public let text: String
    /// What it is.
    public let kind: Kind

    init(_ text: String, _ kind: Kind) {
      self.text = text
      self.kind = kind
    }

    /// Whether what follows it may be proposed, too.
    public var isContinued: Bool { text.hasSuffix("=") || text.hasSuffix(": ") }

    /// How many of its last characters are to be behind the cursor: what is missing is written between
    /// the parentheses or the quotation marks.
    public var sizeBehindCursor: Int { text.hasSuffix("=)") || text.hasSuffix("=\"\"") ? 1 : 0 }
  }

  /// What a proposal is.
  public enum Kind: Sendable, Equatable {
    /// A resource of a type.
    case resource(String)
    /// A list of resources of a type.
    case list(String)
    /// An action, which is called with `POST`.
    case action
    /// A function, or what is told by its text alone.
    case other
    /// A query option.
    case option
    /// A property of a resource.
    case property
  }

  /// Longer texts have no more that anybody would want to complete.
  static let longestText = 4096

  /// How many characters before the cursor a proposal takes the place of.
  public let begun: Int
  /// The proposals, in alphabetical order; never empty.
  public let proposals: [Proposal]

  /// - Returns: nil when none of `all` begins so, or only what is already written.
  init?(_ begun: Substring, _ all: [Proposal]) {
    let beginning = begun.lowercased()
    var seen: Set<String> = []
    let found = all.filter {
      $0.text.lowercased().hasPrefix(beginning) && seen.insert($0.text).inserted
    }
    guard !found.isEmpty, found.map(\.text) != [String(begun)] else { return nil }
    self.begun = begun.count
    proposals = found.sorted { $0.text.lowercased() < $1.text.lowercased() }
  }
}
