public import HTTPTypes

/// One challenge of a `WWW-Authenticate` field (RFC 9110, section 11.6.1): what an API requires
/// before it answers.
///
/// An API that requires a token with more claims sends a claims challenge:
///
/// ```swift
/// if let claims = AuthenticationChallenge.claims(in: reply.response) {
///   parameters.claims = claims
/// }
/// ```
public struct AuthenticationChallenge: Sendable, Equatable {
  /// The scheme, such as `Bearer`; case-insensitive.
  public var scheme: String
  /// The token that some schemes send instead of parameters.
  public var token68: String?
  /// The parameters, by their names in lower case.
  public var parameters: [String: String] = [:]

  /// The longest field that is parsed, in bytes.
  public static let maximumLength = 32_768

  /// The challenges of a response.
  ///
  /// A malformed field has none.
  public static func challenges(in response: HTTPResponse) -> [AuthenticationChallenge] {
    response.headerFields[values: .wwwAuthenticate].flatMap { parse($0) ?? [] }
  }

  /// The claims of a response's first claims challenge; nil when it has none that can be parsed.
  public static func claims(in response: HTTPResponse) -> ClaimsRequest? {
    challenges(in: response).lazy.compactMap(\.claims).first
  }

  /// Parses the value of a `WWW-Authenticate` field; nil when it is malformed or too long.
  ///
  /// A challenge with a duplicate parameter is ambiguous and left out.
  public static func parse(_ field: String) -> [AuthenticationChallenge]? {
    guard field.utf8.count <= maximumLength else { return nil }
    var parser = AuthenticationChallengeParser(bytes: Array(field.utf8))
    return parser.challenges()
  }

  /// The claims that the API requires; nil when there are none, or they cannot be parsed.
  public var claims: ClaimsRequest? {
    guard scheme.lowercased() == "bearer", let text = parameters["claims"],
      text.utf8.count <= Self.maximumLength, let bytes = Self.decode(base64: text),
      let json = String(validating: bytes, as: UTF8.self),
      let claims = try? ClaimsRequest(json: json), !claims.isEmpty
    else { return nil }
    return claims
  }

  /// The decoded base64, in either alphabet, with or without padding: APIs send all four.
  private static func decode(base64 text: String) -> [UInt8]? {
    let digits = text.utf8.prefix { $0 != UInt8(ascii: "=") }
    let padding = text.utf8.dropFirst(digits.count)
    let isPadded =
      padding.count <= 2 && padding.allSatisfy { $0 == UInt8(ascii: "=") }
      && text.utf8.count % 4 == 0
    guard padding.isEmpty || isPadded else { return nil }
    let unpadded = digits.map { byte in
      switch byte {
      case UInt8(ascii: "+"): UInt8(ascii: "-")
      case UInt8(ascii: "/"): UInt8(ascii: "_")
      default: byte
      }
    }
    return Base64URL.decode(String(decoding: unpadded, as: UTF8.self)).map(Array.init)
  }
}
