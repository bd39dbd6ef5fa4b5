import CurlHTTP
import Sentences

/// The redirect URI of an app registration, such as `msauth.io.github.entrance.entrance://auth`.
///
/// It is compared byte for byte, except for the case of its scheme (RFC 3986, section 3.1; RFC
/// 9700, section 4.1): a prefix, another path, port or user does not match.
public struct RedirectURI: Sendable, Hashable, CustomStringConvertible {
  /// The URI exactly as registered, as sent to the server.
  public let description: String

  /// The scheme in lower case, for comparison.
  private let scheme: [UInt8]
  /// Everything after the scheme, starting with the colon.
  private let rest: [UInt8]

  /// Parses the redirect URI of a public client: `msauth.<name>://auth`, another private-use scheme
  /// with a dot in it (RFC 8252, section 7.1), or `http://localhost` with or without a port
  /// (section 7.3).
  ///
  /// - Throws: ``AuthenticationError`` with code
  ///   ``AuthenticationError/Code/invalidConfiguration`` for any other URI.
  public init(_ string: String) throws(AuthenticationError) {
    let bytes = Array(string.utf8)
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon > 0 else {
      throw Self.invalid(string, Sentence("it has no scheme"))
    }
    let scheme = bytes[..<colon].map(\.lowercased)
    let rest = Array(bytes[colon...])
    guard rest.starts(with: "://".utf8), rest.count > 3 else {
      throw Self.invalid(string, Sentence("it must have “://” and a host"))
    }
    guard bytes.allSatisfy({ $0.isVisibleASCII && !"?#\\\"<>^`{|}".utf8.contains($0) }) else {
      throw Self.invalid(string, Sentence("it cannot have a query, a fragment, or spaces"))
    }
    switch String(decoding: scheme, as: UTF8.self) {
    case "http":
      guard Self.isLoopback(rest.dropFirst(3)) else {
        throw Self.invalid(string, Sentence("“http” is allowed only for “http://localhost”"))
      }
    case "https":
      throw Self.invalid(string, Sentence("a desktop program cannot receive “https” redirects"))
    case let name:
      guard Self.isPrivateUseScheme(name) else {
        throw Self.invalid(
          string, Sentence("a private scheme must be a reversed domain name with a dot in it"))
      }
    }
    self.description = string
    self.scheme = scheme
    self.rest = rest
  }

  /// Whether `url` is this redirect URI, optionally followed by a query or a fragment.
  public func matches(_ url: String) -> Bool {
    let bytes = Array(url.utf8)
    let length = scheme.count + rest.count
    guard bytes.count >= length,
      bytes[..<scheme.count].elementsEqual(scheme, by: { $0.lowercased == $1 }),
      bytes[scheme.count..<length].elementsEqual(rest)
    else { return false }
    return bytes.count == length || bytes[length] == UInt8(ascii: "?")
      || bytes[length] == UInt8(ascii: "#")
  }

  /// Whether `url` means that the device must be registered with the organization first:
  /// `msauth://wpj`, or `/msauth/wpj` after the redirect URI.
  ///
  /// Like the redirect, it ends the pages, and the sign-in fails with
  /// ``AuthenticationError/Code/workplaceJoinRequired``.
  public func asksForRegistration(_ url: String) -> Bool {
    let place = url.prefix { $0 != "?" && $0 != "#" }.lowercased()
    return place == "msauth://wpj" || place == "\(description)/msauth/wpj".lowercased()
  }

  /// Whether the redirect goes to a listener on this computer, not to a scheme handler.
  public var isLoopback: Bool { scheme.elementsEqual("http".utf8) }

  /// The host of a loopback redirect: `localhost` or `127.0.0.1`, with its port if it has one.
  var loopbackAuthority: String {
    String(decoding: rest.dropFirst(3).prefix { $0 != UInt8(ascii: "/") }, as: UTF8.self)
  }

  /// The port of a loopback redirect; nil when it has none, which means any port (RFC 8252, section
  /// 7.3).
  var loopbackPort: UInt16? {
    loopbackAuthority.split(separator: ":").dropFirst().first.flatMap { UInt16($0) }
  }

  /// The path of a redirect; `/` when it is empty, as browsers request it.
  var path: String {
    let path = rest.dropFirst(3).drop { $0 != UInt8(ascii: "/") }
    return path.isEmpty ? "/" : String(decoding: path, as: UTF8.self)
  }

  /// This loopback redirect, which has no port, with a port.
  func withLoopbackPort(_ port: UInt16) -> RedirectURI {
    let host = loopbackAuthority
    let path = rest.dropFirst(3 + host.utf8.count)
    let rest = Array("://\(host):\(port)".utf8) + path
    return RedirectURI(
      description: String(description.prefix(scheme.count)) + String(decoding: rest, as: UTF8.self),
      scheme: scheme, rest: rest)
  }

  private init(description: String, scheme: [UInt8], rest: [UInt8]) {
    self.description = description
    self.scheme = scheme
    self.rest = rest
  }

  /// The scheme, in lower case.
  public var schemeName: String { String(decoding: scheme, as: UTF8.self) }

  private static func invalid(_ string: String, _ reason: Sentence) -> AuthenticationError {
    AuthenticationError(
      .invalidConfiguration,
      Sentence(
        "The redirect URI “{uri}” cannot be used: {reason}.", ["uri": string, "reason": reason]))
  }

  private static func isPrivateUseScheme(_ name: String) -> Bool {
    name.utf8.first?.isLetter == true && name.utf8.contains(UInt8(ascii: "."))
      && name.utf8.allSatisfy { $0.isAlphanumeric || ".+-".utf8.contains($0) }
  }

  private static func isLoopback(_ authority: ArraySlice<UInt8>) -> Bool {
    let host = authority.prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "/") }
    guard host.elementsEqual("localhost".utf8) || host.elementsEqual("127.0.0.1".utf8) else {
      return false
    }
    let port = authority.dropFirst(host.count).prefix { $0 != UInt8(ascii: "/") }
    let number = String(decoding: port.dropFirst(), as: UTF8.self)
    return port.isEmpty || UInt16(number).map { $0 > 0 && number == "\($0)" } == true
  }
}
