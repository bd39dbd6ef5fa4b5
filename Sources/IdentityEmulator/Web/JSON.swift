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

  /// The value, when it is an object.
  var fields: [(String, JSON)]? {
    guard case .object(let fields) = self else { return nil }
    return fields
  }

  /// The value, when it is an array.
  var items: [JSON]? {
    guard case .array(let items) = self else { return nil }
    return items
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

extension JSON: Decodable {
  /// A value of a request.
  init(from decoder: any Decoder) throws {
    if var list = try? decoder.unkeyedContainer() {
      var items: [JSON] = []
      while !list.isAtEnd { items.append(try list.decode(JSON.self)) }
      self = .array(items)
    } else if let object = try? decoder.container(keyedBy: Name.self) {
      self = .object(
        try object.allKeys.sorted { $0.stringValue < $1.stringValue }
          .map { ($0.stringValue, try object.decode(JSON.self, forKey: $0)) })
    } else {
      let value = try decoder.singleValueContainer()
      if value.decodeNil() {
        self = .null
      } else if let flag = try? value.decode(Bool.self) {
        self = .bool(flag)
      } else if let number = try? value.decode(Int.self) {
        self = .number(number)
      } else if let number = try? value.decode(Double.self) {
        self = .raw(String(number))
      } else {
        self = .string(try value.decode(String.self))
      }
    }
  }

  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
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
