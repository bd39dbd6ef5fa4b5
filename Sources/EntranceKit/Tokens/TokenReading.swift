import AuthCore
import CurlHTTP
public import FoundationEssentials
public import Sentences

/// What a text says that should be a token: a JSON Web Token (RFC 7519) explained, or why it cannot
/// be read.
///
/// Nothing is sent and nothing is kept. The signature is not checked.
public struct TokenReading: Sendable, Equatable {
  /// What the text is.
  public enum Content: Sendable, Equatable {
    /// A signed token, or one without a signature.
    case token(DecodedToken)
    /// A token that only the service that issued it can read.
    case opaque
    /// An encrypted token, of which only the header can be read.
    case encrypted(header: [TokenClaim])
    /// No token, or a damaged one; the reason is a sentence.
    case broken(Sentence)
  }

  /// What the text is.
  public let content: Content

  /// The longest text that is read, in bytes.
  public static let maximumLength = 1 << 18

  /// Reads `text`, which may have line breaks, and `Bearer` or quotes around it.
  ///
  /// - Parameter now: the current time.
  public init(_ text: String, at now: Date = Date()) {
    content = Self.content(of: text, at: now)
  }

  init(_ content: Content) {
    self.content = content
  }

  /// Reads `text` on another thread than the caller's.
  @concurrent
  public static func make(of text: String, at now: Date) async -> TokenReading {
    TokenReading(text, at: now)
  }

  /// The token; nil when it cannot be read.
  public var token: DecodedToken? {
    guard case .token(let token) = content else { return nil }
    return token
  }

  /// What is said when there are no claims; nil when there are.
  public var remark: Sentence? {
    switch content {
    case .token: nil
    case .opaque:
      Sentence([
        Sentence("This token is opaque: only the service that issued it can read it."),
        Sentence(
          "That is normal for access tokens of personal accounts and of other services, and for all"
            + " refresh tokens."),
      ])
    case .encrypted:
      Sentence("This token is encrypted: only the API that it is for can read its claims.")
    case .broken(let reason): reason
    }
  }

  // MARK: - Parsing

  private static func content(of text: String, at now: Date) -> Content {
    guard text.utf8.count <= maximumLength else {
      return .broken(
        Sentence(
          "This text is too long for a token: more than {size}.",
          ["size": ByteSize.text(maximumLength)]))
    }
    if text.hasTooManyAccents {
      return foreign(text.unicodeScalars.first { $0.value >= 0x7f }.map { String($0) } ?? "")
    }
    let token = bare(text)
    guard !token.isEmpty else { return .broken(Sentence("There is no token in this text.")) }
    guard !token.contains(where: \.isWhitespace) else {
      return .broken(Sentence("This is not a token: there are spaces or line breaks in it."))
    }
    guard token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else {
      return foreign(token.first { !isOfToken($0) }.map { String($0) } ?? "")
    }
    let segments = token.split(separator: ".", omittingEmptySubsequences: false)
    // All that is signed begins with `{"`, which is `ey` in Base64URL.
    guard token.hasPrefix("ey"), segments.count > 1 else {
      return token.hasPrefix("ey") && token.utf8.count > 40
        ? .broken(Sentence("A part of the token is missing: it has no dots."))
        : token.utf8.count < 8
          ? .broken(Sentence("This text is too short for a token.")) : .opaque
    }
    return content(of: segments, at: now)
  }

  private static func foreign(_ character: String) -> Content {
    .broken(
      Sentence(
        "This is not a token: it contains characters that tokens do not have, such as “{character}”.",
        ["character": character.plain]))
  }

  private static func isOfToken(_ character: Character) -> Bool {
    character.asciiValue.map { $0 > 0x20 && $0 < 0x7f } ?? false
  }

  /// The token without what programs put around it.
  private static func bare(_ text: String) -> Substring {
    // A terminal and a mail program break long lines.
    var rest = Substring(text.filter { !$0.isNewline && $0 != "\t" })
    while rest.first == " " { rest.removeFirst() }
    for prefix in ["authorization:", "bearer "] where rest.lowercased().hasPrefix(prefix) {
      rest = rest.dropFirst(prefix.count)
      while rest.first == " " { rest.removeFirst() }
    }
    while let last = rest.last, " \"',;".contains(last) { rest.removeLast() }
    while let first = rest.first, "\"'".contains(first) { rest.removeFirst() }
    return rest
  }

  private static func content(of segments: [Substring], at now: Date) -> Content {
    do throws(Fault) {
      let header = try object(segments[0], Sentence("header"))
      let fields = header.prefix(DecodedToken.mostClaims).map { TokenClaim(header: $0) }
      switch segments.count {
      case 3: break
      case 5: return .encrypted(header: fields)
      default:
        throw Fault(
          Sentence(
            "A signed token has three parts with dots between them, but this one has {count}.",
            ["count": segments.count]))
      }
      let claims = try object(segments[1], Sentence("payload"))
      guard segments[2].isEmpty || Base64URL.decode(segments[2]) != nil else {
        throw Fault(
          Sentence("The {part} is damaged: it is not Base64URL.", ["part": Sentence("signature")]))
      }
      return .token(
        DecodedToken(header: fields, claims: claims, hasSignature: !segments[2].isEmpty, at: now))
    } catch {
      return .broken(error.sentence)
    }
  }

  private struct Fault: Error {
    let sentence: Sentence

    init(_ sentence: Sentence) { self.sentence = sentence }
  }

  private static func object(
    _ segment: Substring, _ part: Sentence
  ) throws(Fault) -> [JSON.Member] {
    guard !segment.isEmpty else {
      throw Fault(Sentence("The {part} of the token is missing.", ["part": part]))
    }
    guard let bytes = Base64URL.decode(segment) else {
      throw Fault(Sentence("The {part} is damaged: it is not Base64URL.", ["part": part]))
    }
    let json: JSON
    do throws(JSONError) {
      json = try JSON(parsing: bytes)
    } catch {
      throw Fault(
        Sentence(
          "The {part} is damaged: at character {number} of its JSON, {reason}.",
          ["part": part, "number": error.column, "reason": error.reason]))
    }
    guard let members = json.object else {
      throw Fault(Sentence("The {part} is not a JSON object.", ["part": part]))
    }
    return members
  }
}
