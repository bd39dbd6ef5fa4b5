import Sentences

/// A list of scopes: in the order given, each once, compared without regard to case.
package struct Scopes: Sendable, Equatable {
  /// The scopes, as they were written.
  private(set) var list: [String] = []

  /// The scopes that make a sign-in of an authorization; a caller never names them.
  ///
  /// ``OpenIDConfiguration/openIDScopes`` are those that an authority knows.
  static let openID = ["openid", "profile", "offline_access"]
  private static let always = Scopes(openID)

  /// Makes a list of `scopes`.
  init(_ scopes: [String]) {
    // A server may list as many as it likes.
    var seen: Set<String> = []
    list = scopes.filter { seen.insert($0.lowercased()).inserted }
  }

  /// Reads scopes that are separated by blanks.
  init(joined text: String) {
    self.init(text.split(separator: " ").map(String.init))
  }

  /// The scopes, separated by blanks.
  var joined: String { list.joined(separator: " ") }

  /// The scopes that are not those of OpenID Connect.
  ///
  /// `email` is asked for like any other, but a server does not list it among what it granted.
  var withoutOpenID: Scopes {
    var rest = self
    rest.list.removeAll { Self.dropped.contains($0) }
    return rest
  }

  private static let dropped = Scopes(openID + ["email"])

  /// Whether a token for these scopes is one for `scopes`: those of OpenID Connect need not be among them,
  /// unless nothing else is asked for.
  func cover(_ scopes: [String]) -> Bool {
    let areOpenIDAlone = scopes.allSatisfy(Self.dropped.contains)
    return scopes.allSatisfy { contains($0) || !areOpenIDAlone && Self.dropped.contains($0) }
  }

  /// Whether a token for these scopes takes the place of one for `other`: they have a scope in common, or
  /// none but those of OpenID Connect.
  func replace(_ other: Scopes) -> Bool {
    let (own, others) = (withoutOpenID.list, other.withoutOpenID.list)
    guard !own.isEmpty, !others.isEmpty else { return own.isEmpty && others.isEmpty }
    return !Set(own.map { $0.lowercased() }).isDisjoint(with: others.map { $0.lowercased() })
  }

  /// These scopes, and behind them those of `scopes` that are not among them.
  func adding(_ scopes: [String]) -> Scopes {
    Scopes(list + scopes)
  }

  /// These scopes, as a server lists them for a token, and those of `asked` that it need not list: what a
  /// `.default` stands for is listed in its place, and `email` may not be.
  func granted(for asked: [String]) -> Scopes {
    adding(asked.filter { $0.lowercased().hasSuffix("/.default") || Self.dropped.contains($0) })
  }

  /// Whether `scope` is one of these.
  func contains(_ scope: String) -> Bool {
    list.contains { caselessEqual($0, scope) }
  }

  /// Throws unless `scopes` can be asked for.
  package static func check(_ scopes: [String]) throws(AuthenticationError) {
    guard !scopes.isEmpty else {
      throw AuthenticationError(.invalidParameter, Sentence("At least one scope is required."))
    }
    for scope in scopes {
      guard !always.contains(scope) else {
        throw AuthenticationError(
          .invalidParameter,
          Sentence("'{scope}' is always requested; leave it out of the scopes.", ["scope": scope]))
      }
      // RFC 6749, section 3.3: scope-token.
      guard !scope.isEmpty,
        scope.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != 0x22 && $0 != 0x5c })
      else {
        throw AuthenticationError(
          .invalidParameter,
          Sentence(
            "'{scope}' is not a valid scope: it contains a space or another character that scopes"
              + " cannot have.", ["scope": scope]))
      }
    }
  }
}
