/// A list of scopes: in the order given, each once, compared without regard to case.
struct Scopes: Sendable, Equatable {
  /// The scopes, as they were written.
  private(set) var list: [String] = []

  /// The scopes that make a sign-in of an authorization; a caller never names them.
  ///
  /// ``OpenIDConfiguration/openIDScopes`` are those that an authority knows.
  static let openID = ["openid", "profile", "offline_access"]
  private static let always = Scopes(openID)

  /// Makes a list of `scopes`.
  init(_ scopes: [String]) {
    for scope in scopes where !contains(scope) { list.append(scope) }
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

  /// Whether all of `scopes` are among these, but for those of OpenID Connect.
  func cover(_ scopes: [String]) -> Bool {
    scopes.allSatisfy { contains($0) || Self.dropped.contains($0) }
  }

  /// These scopes, and behind them those of `scopes` that are not among them.
  func adding(_ scopes: [String]) -> Scopes {
    Scopes(list + scopes)
  }

  /// Whether `scope` is one of these.
  func contains(_ scope: String) -> Bool {
    list.contains { caselessEqual($0, scope) }
  }

  /// Whether all of `other` are among these.
  func contains(_ other: Scopes) -> Bool {
    other.list.allSatisfy(contains)
  }

  /// Throws unless `scopes` can be asked for.
  static func check(_ scopes: [String]) throws(AuthenticationError) {
    guard !scopes.isEmpty else {
      throw AuthenticationError(.invalidParameter, "At least one scope is needed.")
    }
    for scope in scopes {
      guard !always.contains(scope) else {
        throw AuthenticationError(
          .invalidParameter, "'\(scope)' is always asked for; leave it out of the scopes.")
      }
      // RFC 6749, section 3.3: scope-token.
      guard !scope.isEmpty,
        scope.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != 0x22 && $0 != 0x5c })
      else {
        throw AuthenticationError(
          .invalidParameter,
          "'\(scope)' is not a scope: it has a blank or another character"
            + " that a scope cannot have.")
      }
    }
  }
}
