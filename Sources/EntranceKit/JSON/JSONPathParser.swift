import AuthCore
import Sentences

/// Parses JSONPath (RFC 9535).
struct JSONPathParser {
  private let text: [Unicode.Scalar]
  private var place = 0
  private var depth = 0

  /// The deepest nesting of conditions.
  private static let deepest = 32

  init(_ text: String) { self.text = Array(text.unicodeScalars) }

  /// The whole text.
  mutating func query() throws(JSONPath.Failure) -> [JSONPath.Segment] {
    guard take("$") else { throw failure(Sentence("A JSONPath begins with “$”.")) }
    let segments = try segments()
    guard place == text.count else { throw unexpected }
    return segments
  }

  // MARK: Segments

  private mutating func segments() throws(JSONPath.Failure) -> [JSONPath.Segment] {
    var segments: [JSONPath.Segment] = []
    while true {
      let start = place
      skipSpace()
      if take("..") {
        let selectors = peek == "[" ? try bracket() : [try shorthand()]
        segments.append(.init(isDescendant: true, selectors: selectors))
      } else if take(".") {
        segments.append(.init(isDescendant: false, selectors: [try shorthand()]))
      } else if peek == "[" {
        segments.append(.init(isDescendant: false, selectors: try bracket()))
      } else {
        // Space at the end belongs to what follows.
        place = start
        return segments
      }
    }
  }

  /// What follows a point: a name, or `*`.
  private mutating func shorthand() throws(JSONPath.Failure) -> JSONPath.Selector {
    if take("*") { return .wildcard }
    let start = place
    while let scalar = peek,
      scalar == "_" || scalar.value >= 0x80 || Self.isLetter(scalar)
        || place > start && Self.isDigit(scalar)
    {
      place += 1
    }
    guard place > start else {
      if peek == "@" || peek == "$" {
        throw failure(Sentence("Write a name with this character as ['name']."))
      }
      throw unexpected
    }
    return .name(string(start..<place))
  }

  private mutating func bracket() throws(JSONPath.Failure) -> [JSONPath.Selector] {
    _ = take("[")
    var selectors: [JSONPath.Selector] = []
    repeat {
      skipSpace()
      selectors.append(try selector())
      skipSpace()
    } while take(",")
    guard take("]") else { throw unexpected }
    return selectors
  }

  private mutating func selector() throws(JSONPath.Failure) -> JSONPath.Selector {
    if take("*") { return .wildcard }
    if take("?") {
      skipSpace()
      return .filter(try condition())
    }
    if peek == "'" || peek == "\"" { return .name(try quoted()) }
    let start = try integer()
    skipSpace()
    guard take(":") else {
      guard let start else { throw unexpected }
      return .index(start)
    }
    skipSpace()
    let end = try integer()
    skipSpace()
    var step: Int?
    if take(":") {
      skipSpace()
      step = try integer()
    }
    return .slice(start: start, end: end, step: step ?? 1)
  }

  // MARK: Conditions

  private mutating func condition() throws(JSONPath.Failure) -> JSONPath.Condition {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepest else { throw failure(Sentence("The path is nested too deeply.")) }
    return .or(try list("||") { (parser) throws(JSONPath.Failure) in try parser.conjunction() })
  }

  private mutating func conjunction() throws(JSONPath.Failure) -> JSONPath.Condition {
    .and(try list("&&") { (parser) throws(JSONPath.Failure) in try parser.term() })
  }

  /// Conditions with an operator between them: a list, because each of thousands within the next
  /// would be too deep.
  private mutating func list(
    _ separator: String,
    _ condition: (inout Self) throws(JSONPath.Failure) -> JSONPath.Condition
  ) throws(JSONPath.Failure) -> [JSONPath.Condition] {
    var conditions: [JSONPath.Condition] = []
    repeat {
      skipSpace()
      conditions.append(try condition(&self))
      skipSpace()
    } while take(separator)
    return conditions
  }

  private mutating func term() throws(JSONPath.Failure) -> JSONPath.Condition {
    if take("!") {
      skipSpace()
      if peek == "(" { return .not(try parenthesis()) }
      guard case .query(let query) = try value() else { throw unexpected }
      return .not(.exists(query))
    }
    if peek == "(" { return try parenthesis() }
    let start = place
    let one = try value()
    skipSpace()
    guard let comparison = JSONPath.Comparison.allCases.first(where: { take($0.rawValue) }) else {
      guard case .query(let query) = one else { throw unexpected }
      return .exists(query)
    }
    skipSpace()
    let other = try value()
    for case .query(let query) in [one, other] where !query.isSingular {
      place = start
      throw failure(Sentence("Only single values can be compared."))
    }
    return .compares(one, comparison, other)
  }

  private mutating func parenthesis() throws(JSONPath.Failure) -> JSONPath.Condition {
    _ = take("(")
    skipSpace()
    let result = try condition()
    skipSpace()
    guard take(")") else { throw unexpected }
    return result
  }

  private mutating func value() throws(JSONPath.Failure) -> JSONPath.Value {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepest else { throw failure(Sentence("The path is nested too deeply.")) }
    if take("@") { return .query(.init(isAbsolute: false, segments: try segments())) }
    if take("$") { return .query(.init(isAbsolute: true, segments: try segments())) }
    if peek == "'" || peek == "\"" { return .literal(.string(try quoted())) }
    for (name, value) in [("true", JSON.bool(true)), ("false", .bool(false)), ("null", .null)]
    where take(name) {
      return .literal(value)
    }
    let start = place
    while let scalar = peek, Self.isDigit(scalar) || "+-.eE".unicodeScalars.contains(scalar) {
      place += 1
    }
    if place > start, let number = try? JSON(parsing: string(start..<place).utf8),
      number.number != nil
    {
      return .literal(number)
    }
    place = start
    if let scalar = peek, Self.isLetter(scalar) {
      throw failure(Sentence("Functions cannot be used."))
    }
    throw unexpected
  }

  // MARK: Characters

  private var peek: Unicode.Scalar? { place < text.count ? text[place] : nil }

  private mutating func take(_ word: String) -> Bool {
    guard text[place...].starts(with: word.unicodeScalars) else { return false }
    place += word.unicodeScalars.count
    return true
  }

  private mutating func skipSpace() {
    while let scalar = peek, " \t\n\r".unicodeScalars.contains(scalar) { place += 1 }
  }

  /// An integer; nil when there is none.
  private mutating func integer() throws(JSONPath.Failure) -> Int? {
    let start = place
    _ = take("-")
    while let scalar = peek, Self.isDigit(scalar) { place += 1 }
    guard place > start else { return nil }
    let digits = string(start..<place)
    // Those that JSON can hold exactly (I-JSON).
    guard let number = Int(digits), (-(1 << 53)...(1 << 53)).contains(number),
      digits == String(number)
    else {
      place = start
      throw failure(Sentence("This is not a valid number."))
    }
    return number
  }

  /// A text between quotation marks.
  private mutating func quoted() throws(JSONPath.Failure) -> String {
    let start = place
    guard let quote = peek else { throw unexpected }
    place += 1
    var json = "\""
    while let scalar = peek, scalar != quote {
      place += 1
      if scalar == "\\", let escaped = peek {
        place += 1
        // JSON has no escape for a single quotation mark.
        json += escaped == "'" && quote == "'" ? "'" : "\\\(escaped)"
      } else {
        json += scalar == "\"" ? "\\\"" : String(scalar)
      }
    }
    guard take(String(quote)), let text = (try? JSON(parsing: (json + "\"").utf8))?.string else {
      place = start
      throw failure(Sentence("This text is not valid."))
    }
    return text
  }

  private func string(_ range: Range<Int>) -> String {
    var result = String.UnicodeScalarView()
    result.append(contentsOf: text[range])
    return String(result)
  }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII && scalar.properties.isAlphabetic
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  private func failure(_ reason: Sentence) -> JSONPath.Failure {
    JSONPath.Failure(column: place + 1, reason: reason)
  }

  private var unexpected: JSONPath.Failure {
    failure(
      peek == nil
        ? Sentence("The path ends too early.") : Sentence("This character is not expected."))
  }
}
