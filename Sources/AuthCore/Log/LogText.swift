import Crypto
import CurlHTTP

/// A log line whose values each declare their kind.
///
/// Literal text is public; a value without a kind does not compile:
///
///     log.info("Signed in \(personal: username) with HTTP \(public: status)", correlationID)
struct LogText: Sendable {
  fileprivate enum Part {
    case text(String)
    case secret(isThere: Bool)
    case personal(String?)
    case identifier(String?)
  }

  private var parts: [Part] = []

  /// The line, with masked values.
  ///
  /// It is one line whatever the values contain.
  func masked(_ level: LogMaskingLevel) -> String {
    parts.map { part in
      switch part {
      case .text(let text): text.plain
      case .secret(let isThere): Self.mark(isThere)
      case .personal(let text):
        level.hidesPersons ? Self.placeholder(of: text) : Self.shown(text)
      case .identifier(let text):
        level.hidesIdentifiers ? text.map(Self.hash) ?? Self.mark(false) : Self.shown(text)
      }
    }.joined()
  }

  private static func shown(_ text: String?) -> String { text?.plain ?? "(null)" }

  private static func mark(_ isThere: Bool) -> String {
    isThere ? "Masked(not-null)" : "Masked(null)"
  }

  /// The replacement for a personal value; for an address, the domain and a hash of the name.
  private static func placeholder(of text: String?) -> String {
    guard let text, let at = text.unicodeScalars.lastIndex(of: "@"), at != text.startIndex else {
      return mark(text != nil)
    }
    let domain = text[text.index(after: at)...]
    return "auth.placeholder-\(hash(String(text[..<at])))__\(String(domain).plain)"
  }

  /// The first 8 hex digits of the SHA-256.
  private static func hash(_ text: String) -> String {
    SHA256.hash(data: Array(text.utf8)).prefix(4).hexadecimal
  }
}

extension LogText: ExpressibleByStringInterpolation {
  init(stringLiteral text: String) { parts = [.text(text)] }

  init(stringInterpolation interpolation: StringInterpolation) { parts = interpolation.parts }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var parts: [Part] = []

    init(literalCapacity: Int, interpolationCount: Int) {}

    mutating func appendLiteral(_ text: String) { parts.append(.text(text)) }

    /// A token, a code, a password: never shown.
    mutating func appendInterpolation<Value>(secret value: Secret<Value>?) {
      parts.append(.secret(isThere: value != nil))
    }

    /// A value about a user: a name, an address.
    mutating func appendInterpolation(personal text: String?) { parts.append(.personal(text)) }

    /// An ID of an account or an organization: an object ID, a tenant.
    mutating func appendInterpolation(identifier text: String?) {
      parts.append(.identifier(text))
    }

    /// A value about nobody: a status, a number, a host name.
    mutating func appendInterpolation(public value: some CustomStringConvertible) {
      parts.append(.text(value.description))
    }

    /// The codes of an error, without its messages, which may repeat what was sent.
    mutating func appendInterpolation(_ error: AuthenticationError) {
      var words = [error.code.rawValue]
      if let step = error.step { words.append("in step \(step.rawValue)") }
      words += [error.oauthError, error.suberror].compactMap(\.self).filter(Self.isErrorCode)
      words += error.serverErrorCodes.map { "AADSTS\($0)" }
      if let status = error.httpStatus { words.append("HTTP \(status)") }
      if error.isThrottled { words.append("not sent") }
      parts.append(.text(words.joined(separator: ", ")))
    }

    /// Whether `text` looks like an error code of RFC 6749, section 5.2, and not like arbitrary
    /// text.
    private static func isErrorCode(_ text: String) -> Bool {
      text.utf8.count <= 40
        && text.utf8.allSatisfy {
          (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || $0 == UInt8(ascii: "_")
        }
    }
  }
}
