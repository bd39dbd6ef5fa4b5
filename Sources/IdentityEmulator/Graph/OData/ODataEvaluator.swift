/// Evaluates `$filter` and `$orderby` for one item.
///
/// Texts are compared without case, as Graph does.
struct ODataEvaluator {
  /// The values of names: `""` is the item, and others are the variables of `any` and `all`.
  private var scope: [String: JSON]

  init(_ item: JSON) { scope = ["": item] }

  /// Whether the item is in the result.
  func isTrue(_ expression: ODataExpression) -> Bool {
    switch expression {
    case .and(let one, let other): return isTrue(one) && isTrue(other)
    case .or(let one, let other): return isTrue(one) || isTrue(other)
    case .not(let one): return !isTrue(one)
    case .comparison(let comparison, let one, let other):
      return Self.compare(comparison, value(one), value(other))
    case .isOneOf(let one, let values):
      let value = value(one)
      return values.contains { Self.compare(.eq, value, $0) }
    case .lambda(let path, let isAll, let variable, let condition):
      guard case .array(let items)? = json(path) else { return isAll }
      guard let condition else { return !items.isEmpty }
      for item in items {
        var inner = self
        inner.scope[variable] = item
        if inner.isTrue(condition) != isAll { return !isAll }
      }
      return isAll
    case .literal, .path, .call, .count: return value(expression) == .bool(true)
    }
  }

  /// The value of an expression.
  func value(_ expression: ODataExpression) -> ODataValue {
    switch expression {
    case .literal(let value): return value
    case .path(let path): return Self.value(json(path))
    case .count(let path):
      guard case .array(let items)? = json(path) else { return .number(0) }
      return .number(Double(items.count))
    case .call(let function, let arguments):
      return Self.call(function, arguments.map { value($0) })
    default: return .bool(isTrue(expression))
    }
  }

  private func json(_ path: [String]) -> JSON? {
    guard let first = path.first else { return nil }
    var value = scope[first] ?? scope[""]?[first]
    for name in path.dropFirst() { value = value?[name] }
    return value
  }

  private static func value(_ json: JSON?) -> ODataValue {
    switch json {
    case .string(let text): .string(text)
    case .number(let number): .number(Double(number))
    case .bool(let flag): .bool(flag)
    case .raw(let text): Double(text).map(ODataValue.number) ?? .null
    case .null, .array, .object, nil: .null
    }
  }

  private static func call(
    _ function: ODataExpression.Function, _ values: [ODataValue]
  ) -> ODataValue {
    let texts = values.map { value -> String? in
      guard case .string(let text) = value else { return nil }
      return text.lowercased()
    }
    guard let first = texts[0] else { return .null }
    let second = texts.count > 1 ? texts[1] : nil
    switch function {
    case .tolower: return .string(first)
    case .toupper: return .string(first.uppercased())
    case .length: return .number(Double(first.count))
    case .startswith: return .bool(second.map { first.hasPrefix($0) } ?? false)
    case .endswith: return .bool(second.map { first.hasSuffix($0) } ?? false)
    case .contains: return .bool(second.map { first.contains($0) } ?? false)
    }
  }

  /// The order of two values; nil when they cannot be compared.
  static func order(_ one: ODataValue, _ other: ODataValue) -> Int? {
    switch (one, other) {
    case (.string(let one), .string(let other)):
      let (one, other) = (one.lowercased(), other.lowercased())
      return one == other ? 0 : one < other ? -1 : 1
    case (.number(let one), .number(let other)), (.date(let one), .date(let other)):
      return one == other ? 0 : one < other ? -1 : 1
    case (.bool(let one), .bool(let other)): return one == other ? 0 : other ? -1 : 1
    // Properties with a time are texts.
    case (.string(let text), .date(let date)):
      return ODataDate.seconds(text).flatMap { order(.date($0), .date(date)) }
    case (.date(let date), .string(let text)):
      return ODataDate.seconds(text).flatMap { order(.date(date), .date($0)) }
    case (.null, .null): return 0
    default: return nil
    }
  }

  private static func compare(
    _ comparison: ODataExpression.Comparison, _ one: ODataValue, _ other: ODataValue
  ) -> Bool {
    let order = order(one, other)
    switch comparison {
    case .eq: return order == 0
    case .ne: return order != 0
    // Nothing is greater or less than null.
    case .gt: return one != .null && (order ?? 0) > 0
    case .ge: return one != .null && (order ?? -1) >= 0
    case .lt: return one != .null && (order ?? 0) < 0
    case .le: return one != .null && (order ?? 1) <= 0
    }
  }
}
