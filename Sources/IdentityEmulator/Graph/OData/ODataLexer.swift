/// Splits the text of an OData expression (OData 4.01, ABNF).
struct ODataLexer {
  enum Token: Equatable {
    case symbol(Character)
    /// A text in single quotes, without them.
    case text(String)
    /// A name, a keyword or a literal without quotes.
    case word(String)
  }

  private var rest: Substring

  init(_ text: some StringProtocol) { rest = Substring(text) }

  /// All tokens of a text.
  static func tokens(_ text: some StringProtocol) throws(GraphError) -> [Token] {
    var lexer = ODataLexer(text)
    var tokens: [Token] = []
    while let token = try lexer.next() { tokens.append(token) }
    return tokens
  }

  private mutating func next() throws(GraphError) -> Token? {
    rest = rest.drop { $0 == " " || $0 == "\t" }
    guard let first = rest.first else { return nil }
    if "(),/:=".contains(first) {
      rest.removeFirst()
      return .symbol(first)
    }
    if first == "'" { return .text(try quoted()) }
    // A number or a date has colons and signs; a name has none.
    let isLiteral = first.isNumber || first == "-"
    let word = rest.prefix { character in
      character.isLetter || character.isNumber || "_@.$-*".contains(character)
        || isLiteral && ":+".contains(character)
    }
    guard !word.isEmpty else {
      throw .badRequest("Invalid filter clause: syntax error at '\(first)'.")
    }
    rest = rest.dropFirst(word.count)
    return .word(String(word))
  }

  private mutating func quoted() throws(GraphError) -> String {
    var text = ""
    rest.removeFirst()
    while let character = rest.popFirst() {
      guard character == "'" else {
        text.append(character)
        continue
      }
      guard rest.first == "'" else { return text }
      rest.removeFirst()
      text.append("'")
    }
    throw .badRequest("Invalid filter clause: there is an unterminated string literal.")
  }
}
