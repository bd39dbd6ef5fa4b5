import Crypto
import FoundationEssentials

/// Random identifiers and encodings.
enum Random {
  /// Random bytes in base64url: an unguessable code, token or session ID.
  static func token(bytes count: Int = 32) -> String {
    SymmetricKey(size: SymmetricKeySize(bitCount: count * 8))
      .withUnsafeBytes { Data($0) }.base64URL
  }

  /// A code that is easy to type: nine letters that form no word and are not easily confused (RFC
  /// 8628, section 6.1).
  static func userCode() -> String {
    String((0..<9).map { _ in "BCDFGHJKLMNPQRSTVWXZ".randomElement() ?? "B" })
  }

  /// A new GUID in lower case.
  static func guid() -> String { UUID().uuidString.lowercased() }
}

extension Data {
  /// Parses base64url without padding; nil for anything else.
  init?(base64URL text: some StringProtocol) {
    let standard = String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
    let padding = String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4)
    self.init(base64Encoded: standard + padding)
  }

  /// The bytes in base64url without padding (RFC 7515, section 2).
  var base64URL: String {
    String(
      base64EncodedString().compactMap { character in
        switch character {
        case "+": "-"
        case "/": "_"
        case "=": nil
        default: character
        }
      })
  }
}

extension Date {
  /// The time as in error messages of the identity platform: `2026-11-21 07:14:31Z`.
  var platformTimestamp: String {
    var text = formatted(.iso8601)
    if let separator = text.firstIndex(of: "T") {
      text.replaceSubrange(separator...separator, with: " ")
    }
    return text
  }

  /// Whole seconds since 1970.
  var epochSeconds: Int { Int(timeIntervalSince1970) }
}
