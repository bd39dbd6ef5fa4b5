// Documents as they are written in Swift: `["a": 1, "b": [true, "text", .null]]`. `nil` is no
// literal of them: it is an absent value.

extension JSON: ExpressibleByDictionaryLiteral {
  /// An object, in the order of its members.
  public init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(elements.map { Member($0.0, $0.1) })
  }
}

extension JSON: ExpressibleByArrayLiteral {
  /// An array.
  public init(arrayLiteral elements: JSON...) { self = .array(elements) }
}

extension JSON: ExpressibleByStringLiteral {
  /// A string.
  public init(stringLiteral value: String) { self = .string(value) }
}

extension JSON: ExpressibleByIntegerLiteral {
  /// A number.
  public init(integerLiteral value: Int) { self = .number("\(value)") }
}

extension JSON: ExpressibleByBooleanLiteral {
  /// `true` or `false`.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
}
