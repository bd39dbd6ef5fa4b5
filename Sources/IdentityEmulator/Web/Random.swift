import Crypto
import FoundationEssentials

/// Random identifiers and encodings used all over.
enum Random {
  /// Random bytes in base64url: an unguessable name for a code, a token or a session.
  static func token(bytes count: Int = 32) -> String {
    SymmetricKey(size: SymmetricKeySize(bitCount: count * 8))
      .withUnsafeBytes { Data($0) }.base64URL
  }

  /// A code that is easy to type: nine letters, none of which makes a word or passes for another
  /// (RFC 8628, section 6.1).
  static func userCode() -> String {
    String((0..<9).map { _ in "BCDFGHJKLMNPQRSTVWXZ".randomElement() ?? "B" })
  }

  /// A fresh GUID in lower case.
  static func guid() -> String { UUID().uuidString.lowercased() }
}

extension Data {
  /// Reads base64url without padding; nil when it is something else.
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
  /// `2026-11-21 07:14:31Z`, as error messages of the identity platform write it.
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
