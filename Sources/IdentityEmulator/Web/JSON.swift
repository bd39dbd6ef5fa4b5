/// A JSON value that preserves the order of its fields.
enum JSON: Sendable {
  case null
  case bool(Bool)
  case number(Int)
  case string(String)
  case array([JSON])
  case object([(String, JSON)])
  /// JSON text as it is.
  case raw(String)

  /// A string, or `null` for nil.
  static func optional(_ string: String?) -> JSON { string.map(JSON.string) ?? .null }

  /// Adds a field to an object.
  mutating func append(_ name: String, _ value: JSON) {
    guard case .object(let fields) = self else { return }
    self = .object(fields + [(name, value)])
  }

  /// A field of an object; setting nil removes it.
  subscript(name: String) -> JSON? {
    get {
      guard case .object(let fields) = self else { return nil }
      return fields.first { $0.0 == name }?.1
    }
    set {
      guard case .object(var fields) = self else { return }
      let index = fields.firstIndex { $0.0 == name }
      switch (index, newValue) {
      case (let index?, let value?): fields[index].1 = value
      case (let index?, nil): fields.remove(at: index)
      case (nil, let value?): fields.append((name, value))
      case (nil, nil): break
      }
      self = .object(fields)
    }
  }

  /// The value, when it is a string.
  var string: String? {
    guard case .string(let value) = self else { return nil }
    return value
  }

  /// The value as JSON text.
  var text: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .number(let value): String(value)
    case .string(let value): Self.quoted(value)
    case .raw(let text): text
    case .array(let values): "[\(values.map(\.text).joined(separator: ","))]"
    case .object(let fields):
      "{\(fields.map { "\(Self.quoted($0.0)):\($0.1.text)" }.joined(separator: ","))}"
    }
  }

  private static func quoted(_ string: String) -> String {
    var result = "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case "\u{0}"..."\u{1f}":
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  init(stringLiteral value: String) { self = .string(value) }
  init(integerLiteral value: Int) { self = .number(value) }
  init(booleanLiteral value: Bool) { self = .bool(value) }
  init(arrayLiteral elements: JSON...) { self = .array(elements) }
  init(dictionaryLiteral elements: (String, JSON)...) { self = .object(elements) }
}
