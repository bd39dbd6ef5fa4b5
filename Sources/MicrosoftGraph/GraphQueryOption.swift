public import FoundationEssentials

/// A query option (OData system query option): what part of a resource is returned, and how.
///
/// ```swift
/// let request = GraphRequest(.get, "/me/messages", .select("id"), .filter("id eq '\(name)'"))
/// ```
public struct GraphQueryOption: Sendable, Hashable {
  /// The name, with its `$` if it has one.
  public var name: String
  /// The value, not encoded.
  public var value: String

  /// An option that has no function of its own, such as `startDateTime`.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }

  /// `$select`: only these properties.
  public static func select(_ properties: String...) -> Self {
    Self("$select", properties.joined(separator: ","))
  }

  /// `$filter`: only items for which an expression is true.
  ///
  /// A quotation mark of an interpolated value is doubled between quotation marks.
  public static func filter(_ expression: ODataExpression) -> Self {
    Self("$filter", expression.text)
  }

  /// `$search`: only items with these words; most resources want them in quotation marks.
  public static func search(_ words: String) -> Self { Self("$search", words) }

  /// `$orderby`: the order, such as `receivedDateTime desc`.
  public static func orderBy(_ properties: String...) -> Self {
    Self("$orderby", properties.joined(separator: ","))
  }

  /// `$expand`: related resources, too.
  public static func expand(_ relationships: String...) -> Self {
    Self("$expand", relationships.joined(separator: ","))
  }

  /// `$top`: at most so many items on a page.
  public static func top(_ count: Int) -> Self { Self("$top", String(count)) }

  /// `$skip`: without so many items at the start.
  public static func skip(_ count: Int) -> Self { Self("$skip", String(count)) }

  /// `$count`: with the number of all items.
  public static let count = Self("$count", "true")
}

/// An OData expression, such as `startsWith(displayName,'A')`.
///
/// A quotation mark of an interpolated value is doubled between quotation marks, so that the value
/// cannot leave them.
public struct ODataExpression: Sendable, Hashable, ExpressibleByStringInterpolation {
  /// The text, not encoded.
  public let text: String

  /// Doubles the quotation marks of values between quotation marks.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""
    private var isQuoted = false

    /// Starts an empty expression.
    public init(literalCapacity: Int, interpolationCount: Int) {}

    /// Adds what is written.
    public mutating func appendLiteral(_ literal: String) {
      for case "'" in literal.unicodeScalars { isQuoted.toggle() }
      text += literal
    }

    /// Adds a value.
    public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      text += isQuoted ? value.description.replacing("'", with: "''") : value.description
    }

    /// Adds a time as OData has it: in ISO 8601 and UTC, without fractions of a second.
    public mutating func appendInterpolation(_ date: Date) {
      appendInterpolation(date.formatted(.iso8601))
    }
  }

  /// Takes an expression as it is written.
  public init(stringLiteral text: String) { self.text = text }

  /// Takes an expression with values.
  public init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }
}
