/// Reads `$filter`.
///
/// Operators, from weak to strong: `or`, `and`, `not`, comparisons.
struct ODataParser {
  private var tokens: ArraySlice<ODataLexer.Token>
  /// Refuses a property that the type does not have.
  private let check: (String) throws(GraphError) -> Void
  private var variables: Set<String> = []
  private var depth = 0
  /// How deeply parentheses and `not` may be nested.
  private static let maximumDepth = 50
  private var operators = 0
  /// How many `and` and `or` a filter may have: each is one level of the expression, too.
  private static let maximumOperators = 500

  /// Reads a filter of items of `type`.
  static func filter(_ text: String, type: GraphType) throws(GraphError) -> ODataExpression {
    var parser = ODataParser(tokens: try ODataLexer.tokens(text)[...]) { name throws(GraphError) in
      guard type.has(name) else {
        throw .badRequest("Invalid filter clause: " + type.missingProperty(name))
      }
    }
    let expression = try parser.or()
    guard parser.tokens.isEmpty else { throw parser.syntaxError() }
    return expression
  }

  private init(
    tokens: ArraySlice<ODataLexer.Token>, check: @escaping (String) throws(GraphError) -> Void
  ) {
    self.tokens = tokens
    self.check = check
  }

  private func syntaxError() -> GraphError {
    let place =
      switch tokens.first {
      case .symbol(let symbol): "at '\(symbol)'"
      case .text(let text): "at '\(text)'"
      case .word(let word): "at '\(word)'"
      case nil: "at the end"
      }
    return .badRequest("Invalid filter clause: syntax error \(place).")
  }

  private mutating func take(_ word: String) -> Bool {
    guard tokens.first == .word(word) else { return false }
    tokens.removeFirst()
    return true
  }

  private mutating func take(symbol: Character) -> Bool {
    guard tokens.first == .symbol(symbol) else { return false }
    tokens.removeFirst()
    return true
  }

  private mutating func expect(_ symbol: Character) throws(GraphError) {
    guard take(symbol: symbol) else { throw syntaxError() }
  }

  private mutating func or() throws(GraphError) -> ODataExpression {
    var result = try and()
    while take("or") {
      try countOperator()
      result = .or(result, try and())
    }
    return result
  }

  private mutating func and() throws(GraphError) -> ODataExpression {
    var result = try unary()
    while take("and") {
      try countOperator()
      result = .and(result, try unary())
    }
    return result
  }

  private mutating func countOperator() throws(GraphError) {
    operators += 1
    guard operators <= Self.maximumOperators else { throw Self.tooDeep }
  }

  private static let tooDeep = GraphError.badRequest(
    "Invalid filter clause: the filter is nested too deeply.")

  private mutating func unary() throws(GraphError) -> ODataExpression {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maximumDepth else { throw Self.tooDeep }
    return take("not") ? .not(try unary()) : try comparison()
  }

  private mutating func comparison() throws(GraphError) -> ODataExpression {
    let left = try primary()
    if take("in") {
      try expect("(")
      var values: [ODataValue] = []
      repeat {
        guard case .literal(let value) = try primary() else { throw syntaxError() }
        values.append(value)
      } while take(symbol: ",")
      try expect(")")
      return .isOneOf(left, values)
    }
    guard case .word(let word) = tokens.first,
      let comparison = ODataExpression.Comparison(rawValue: word)
    else { return left }
    tokens.removeFirst()
    return .comparison(comparison, left, try primary())
  }

  private mutating func primary() throws(GraphError) -> ODataExpression {
    guard let token = tokens.popFirst() else { throw syntaxError() }
    switch token {
    case .symbol("("):
      let inner = try or()
      try expect(")")
      return inner
    case .symbol: throw .badRequest("Invalid filter clause: syntax error in '\(token)'.")
    case .text(let text): return .literal(.string(text))
    case .word(let word):
      if let value = ODataValue(literal: word) { return .literal(value) }
      return tokens.first == .symbol("(") ? try call(word) : try path(word)
    }
  }

  private mutating func call(_ name: String) throws(GraphError) -> ODataExpression {
    guard let function = ODataExpression.Function(rawValue: name.lowercased()) else {
      throw .notPlayed("the function '\(name)' in $filter")
    }
    try expect("(")
    var arguments = [try or()]
    while take(symbol: ",") { arguments.append(try or()) }
    try expect(")")
    guard arguments.count == function.argumentCount else {
      throw .badRequest(
        "Invalid filter clause: '\(name)' has \(function.argumentCount) arguments.")
    }
    return .call(function, arguments)
  }

  private mutating func path(_ first: String) throws(GraphError) -> ODataExpression {
    if !variables.contains(first) { try check(first) }
    var path = [first]
    while take(symbol: "/") {
      guard case .word(let word)? = tokens.popFirst() else { throw syntaxError() }
      if word == "$count" { return .count(path) }
      if word == "any" || word == "all", tokens.first == .symbol("(") {
        return try lambda(path, isAll: word == "all")
      }
      path.append(word)
    }
    return .path(path)
  }

  private mutating func lambda(
    _ path: [String], isAll: Bool
  ) throws(GraphError) -> ODataExpression {
    try expect("(")
    if !isAll, take(symbol: ")") {
      return .lambda(path, isAll: false, variable: "", nil)
    }
    guard case .word(let variable)? = tokens.popFirst() else { throw syntaxError() }
    try expect(":")
    let isNew = variables.insert(variable).inserted
    let condition = try or()
    if isNew { variables.remove(variable) }
    try expect(")")
    return .lambda(path, isAll: isAll, variable: variable, condition)
  }
}
