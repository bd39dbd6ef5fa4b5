import CurlHTTP

/// Encodes parameters in URLs and form bodies.
///
/// Unreserved characters (RFC 3986, section 2.3) are kept; all others become `%XX` with upper-case
/// digits. A space is `%20` in a URL and `+` in a form (WHATWG URL,
/// `application/x-www-form-urlencoded`).
public enum FormEncoding {
  /// A name and a value.
  ///
  /// A list keeps its order.
  public typealias Parameter = (name: String, value: String)

  /// Encodes `parameters` as a form body.
  public static func body(_ parameters: [Parameter]) -> String {
    joined(parameters, space: "+")
  }

  /// Encodes `parameters` as a URL's query.
  public static func query(_ parameters: [Parameter]) -> String {
    joined(parameters, space: "%20")
  }

  /// Percent-encodes a value for a URL.
  public static func percentEncoded(_ text: String) -> String {
    encoded(text, space: "%20")
  }

  /// The query of a URL (RFC 3986, section 3.4); nil when it has none.
  ///
  /// By bytes: for `Character`, a `?` with a combining mark after it is not a `?`.
  package static func query(of url: String) -> Substring? {
    let whole = url.utf8.prefix { $0 != UInt8(ascii: "#") }
    guard let mark = whole.firstIndex(of: UInt8(ascii: "?")) else { return nil }
    return Substring(whole[whole.index(after: mark)...])
  }

  /// `url` with `parameters` behind the query that it may have already, such as that of an endpoint
  /// (RFC 6749, section 3.1).
  static func url(_ url: String, adding parameters: [Parameter]) -> String {
    url + (url.utf8.contains(UInt8(ascii: "?")) ? "&" : "?") + query(parameters)
  }

  /// The first of `names` that is among the `reserved` ones, case-insensitively; nil when none is.
  static func reservedName(
    in names: some Sequence<String>, _ reserved: Set<String>
  ) -> String? {
    names.first { reserved.contains($0.lowercased()) }
  }

  /// Splits a query or form body at `&` and decodes it.
  ///
  /// Empty parts are skipped; a part without `=` has an empty value.
  /// - Returns: nil when an escape is malformed, or the decoded bytes are not UTF-8.
  public static func parse(_ text: some StringProtocol) -> [Parameter]? {
    var parameters: [Parameter] = []
    for part in text.utf8.split(separator: UInt8(ascii: "&")) {
      let name = part.prefix { $0 != UInt8(ascii: "=") }
      let value = part.dropFirst(name.count + 1)
      guard let name = decoded(name), let value = decoded(value) else { return nil }
      parameters.append((name, value))
    }
    return parameters
  }

  private static func joined(_ parameters: [Parameter], space: String) -> String {
    parameters.map { "\(encoded($0.name, space: space))=\(encoded($0.value, space: space))" }
      .joined(separator: "&")
  }

  private static func encoded(_ text: String, space: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var result: [UInt8] = []
    result.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      if byte.isAlphanumeric || "-._~".utf8.contains(byte) {
        result.append(byte)
      } else if byte == UInt8(ascii: " ") {
        result.append(contentsOf: space.utf8)
      } else {
        result.append(UInt8(ascii: "%"))
        result.append(digits[Int(byte >> 4)])
        result.append(digits[Int(byte & 15)])
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func decoded(_ bytes: some Collection<UInt8>) -> String? {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var rest = bytes.makeIterator()
    while let byte = rest.next() {
      switch byte {
      case UInt8(ascii: "+"):
        result.append(UInt8(ascii: " "))
      case UInt8(ascii: "%"):
        guard let high = rest.next()?.hexValue, let low = rest.next()?.hexValue
        else { return nil }
        result.append(high << 4 | low)
      default:
        result.append(byte)
      }
    }
    return String(validating: result, as: UTF8.self)
  }

  /// `bytes` with all well-formed escapes decoded; malformed ones are kept.
  package static func lenientlyDecoded(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
        let high = bytes[index + 1].hexValue, let low = bytes[index + 2].hexValue
      {
        result.append(high << 4 | low)
        index += 3
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return result
  }
}
