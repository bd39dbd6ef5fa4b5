/// The fields of a query or of an `application/x-www-form-urlencoded` body.
struct Form: Sendable {
  private(set) var fields: [(name: String, value: String)]

  /// Creates a form.
  init(_ fields: [(String, String)] = []) {
    self.fields = fields.map { (name: $0.0, value: $0.1) }
  }

  /// Parses an encoded form.
  ///
  /// Invalid UTF-8 is repaired, not rejected.
  init(encoded: some StringProtocol) {
    fields = encoded.utf8.split(separator: UInt8(ascii: "&")).map { pair in
      let parts = pair.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      return (name: Self.decode(parts[0]), value: parts.count > 1 ? Self.decode(parts[1]) : "")
    }
  }

  /// The first value of a field; nil when it is absent or empty.
  ///
  /// Setting it replaces all values.
  subscript(name: String) -> String? {
    get { fields.first { $0.name == name && !$0.value.isEmpty }?.value }
    set {
      fields.removeAll { $0.name == name }
      if let newValue { append(name, newValue) }
    }
  }

  /// Adds a field.
  mutating func append(_ name: String, _ value: String) {
    fields.append((name: name, value: value))
  }

  /// The fields as a query; all but unreserved characters are percent-encoded.
  var encoded: String {
    fields.map { "\(Self.encode($0.name))=\(Self.encode($0.value))" }.joined(separator: "&")
  }

  /// Percent-encodes all but the unreserved characters.
  static func encode(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      if byte.isUnreserved {
        result.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        result += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
      }
    }
    return result
  }

  private static func decode(_ encoded: some Collection<UInt8>) -> String {
    var bytes: [UInt8] = []
    var rest = Array(encoded)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension UInt8 {
  /// Whether it is an unreserved character (RFC 3986, section 2.3).
  var isUnreserved: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"):
      true
    default: false
    }
  }
}
