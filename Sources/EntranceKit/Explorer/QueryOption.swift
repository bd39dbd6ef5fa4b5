import AuthCore
import CurlHTTP

/// A part of an address's query, `name=value`, as a table shows it.
public struct QueryOption: Sendable, Equatable {
  /// The name, decoded.
  public var name: String
  /// The value, decoded.
  public var value: String

  /// Creates an option.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

extension ExplorerRequest {
  /// The most options that a table shows.
  public static let mostQueryOptions = 200

  /// The options of the address's query, decoded.
  ///
  /// Parts that are empty are none. Setting them writes only those that have changed: all others stay as they were typed.
  public var queryOptions: [QueryOption] {
    get { parts.prefix(Self.mostQueryOptions).map { QueryOption(part: $0) } }
    set {
      let old = parts
      let rest = old.dropFirst(Self.mostQueryOptions)
      guard newValue != queryOptions else { return }
      // What is the same at the start and at the end stays.
      var texts: [String] = []
      let offset = newValue.count - min(old.count, Self.mostQueryOptions)
      for (index, option) in newValue.enumerated() {
        let candidates = [index, index - offset].filter { old.indices.contains($0) }
        let same = candidates.first { QueryOption(part: old[$0]) == option }
        texts.append(same.map { String(old[$0]) } ?? option.written)
      }
      texts += rest.map(String.init)
      let (head, end) = (address[..<queryStart], address[queryEnd...])
      address = head + (texts.isEmpty ? "" : "?" + texts.joined(separator: "&")) + end
    }
  }

  /// Where the question mark is, or would be.
  private var queryStart: String.Index { address.firstIndex(of: "?") ?? queryEnd }

  /// Where the query ends: at the blanks that were pasted after it.
  ///
  /// A number sign begins no fragment: it is sent encoded, as in the name of a guest.
  private var queryEnd: String.Index { address.trimmed.endIndex }

  private var parts: [Substring] {
    address[queryStart..<queryEnd].dropFirst().split(separator: "&")
  }
}

extension QueryOption {
  /// Reads a part of a query as a server does: a plus sign is a space there, and a percent sign that
  /// encodes nothing is one.
  fileprivate init(part: Substring) {
    let name = part.prefix { $0 != "=" }
    self.init(Self.decoded(name), Self.decoded(part.dropFirst(name.count + 1)))
  }

  /// The option in a query.
  ///
  /// What has a meaning there is encoded; `$`, apostrophes and parentheses of OData stay readable, and
  /// so do variables.
  fileprivate var written: String {
    let name = Self.encoded(name, isName: true)
    return value.isEmpty && name.isEmpty ? "=" : "\(name)=\(Self.encoded(value))"
  }

  private static func encoded(_ text: String, isName: Bool = false) -> String {
    var result: [UInt8] = []
    let digits = Array("0123456789ABCDEF".utf8)
    var rest = Substring(text)
    while let character = rest.first {
      // A variable gets its value later.
      if rest.hasPrefix("{{"), let end = rest.firstRange(of: "}}") {
        result += Array(rest[..<end.upperBound].utf8)
        rest = rest[end.upperBound...]
        continue
      }
      for byte in character.utf8 {
        let isPlain =
          byte > 0x20 && byte < 0x7F && !"#&+%\"<>\\^`{|}".utf8.contains(byte)
          && !(isName && byte == UInt8(ascii: "="))
        if isPlain {
          result.append(byte)
        } else {
          result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
      }
      rest = rest.dropFirst()
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func decoded(_ text: Substring) -> String {
    let bytes = text.utf8.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
    // What is no text stays as it was typed.
    return String(validating: FormEncoding.lenientlyDecoded(bytes), as: UTF8.self) ?? String(text)
  }
}
