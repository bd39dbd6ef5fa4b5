import Sentences

/// A list of scopes: in the given order, without duplicates, case-insensitive.
package struct Scopes: Sendable, Equatable {
  /// The scopes, as written.
  private(set) var list: [String] = []

  /// The scopes that request an ID token; callers need not name them.
  ///
  /// ``OpenIDConfiguration/openIDScopes`` are those that an authority supports.
  static let openID = ["openid", "profile", offlineAccess]
  /// The scope that requests a refresh token (OpenID Connect Core 1.0, section 11).
  static let offlineAccess = "offline_access"
  private static let always = Scopes(openID)

  /// Creates a list of `scopes`.
  init(_ scopes: [String]) {
    // A server may list any number of scopes.
    var seen: Set<String> = []
    list = scopes.filter { seen.insert($0.lowercased()).inserted }
  }

  /// Parses space-separated scopes.
  init(joined text: String) {
    self.init(text.split(separator: " ").map(String.init))
  }

  /// The scopes, separated by spaces.
  var joined: String { list.joined(separator: " ") }

  /// The scopes without those of OpenID Connect.
  ///
  /// `email` is requested like any other, but servers do not list it among the granted scopes.
  var withoutOpenID: Scopes {
    var rest = self
    rest.list.removeAll { Self.dropped.contains($0) }
    return rest
  }

  private static let dropped = Scopes(openID + ["email"])

  /// The scopes of an API among `scopes`: without those of OpenID Connect, `email` included.
  package static func withoutOpenID(_ scopes: [String]) -> [String] {
    scopes.filter { !dropped.contains($0) }
  }

  /// Whether a token for these scopes can be used for `scopes`: those of OpenID Connect are
  /// ignored, unless no others are requested.
  func cover(_ scopes: [String]) -> Bool {
    let areOpenIDAlone = scopes.allSatisfy(Self.dropped.contains)
    // An access token is the same with a refresh token and without.
    return scopes.allSatisfy {
      contains($0) || $0 == Self.offlineAccess || !areOpenIDAlone && Self.dropped.contains($0)
    }
  }

  /// Whether a token for these scopes replaces one for `other`: they have a scope in common, or
  /// only those of OpenID Connect.
  func replace(_ other: Scopes) -> Bool {
    let (own, others) = (withoutOpenID.list, other.withoutOpenID.list)
    guard !own.isEmpty, !others.isEmpty else { return own.isEmpty && others.isEmpty }
    return !Set(own.map { $0.lowercased() }).isDisjoint(with: others.map { $0.lowercased() })
  }

  /// These scopes, followed by those of `scopes` that are not among them.
  func adding(_ scopes: [String]) -> Scopes {
    Scopes(list + scopes)
  }

  /// These scopes, as granted by a server, and those of `asked` that it need not list: it lists the
  /// scopes that a `.default` stands for instead, and may omit `email`.
  func granted(for asked: [String]) -> Scopes {
    adding(asked.filter { Self.isDefault($0) || Self.dropped.contains($0) })
  }

  /// Whether a scope stands for all that were consented to: of the API before it, or else of Microsoft
  /// Graph.
  private static func isDefault(_ scope: String) -> Bool {
    let scope = scope.lowercased()
    return scope == ".default" || scope.hasSuffix("/.default")
  }

  /// Whether `scope` is one of these.
  func contains(_ scope: String) -> Bool {
    list.contains { caselessEqual($0, scope) }
  }

  /// The scopes among `scopes` that a caller requests of an authority of `kind`: without those of
  /// OpenID Connect, which a result lists, and which each request adds as far as the service
  /// supports them.
  ///
  /// An OpenID Connect provider need not list all scopes that it supports (OpenID Connect Discovery
  /// 1.0, section 3, `scopes_supported`), so whoever names `offline_access` knows more than the list.
  ///
  /// - Throws: when they cannot be requested.
  static func checked(
    _ scopes: [String], for kind: Authority.Kind
  ) throws(AuthenticationError) -> [String] {
    try check(scopes)
    let namesOfflineAccess = scopes.contains { caselessEqual($0, offlineAccess) }
    return scopes.filter { !always.contains($0) }
      + (kind == .oidc && namesOfflineAccess ? [offlineAccess] : [])
  }

  /// Throws when `scopes` cannot be requested.
  ///
  /// Those of OpenID Connect may be among them.
  package static func check(_ scopes: [String]) throws(AuthenticationError) {
    guard !scopes.isEmpty else {
      throw AuthenticationError(.invalidParameter, Sentence("At least one permission is required."))
    }
    if let scope = scopes.first, scopes.allSatisfy(always.contains) {
      throw AuthenticationError(
        .invalidParameter,
        Sentence("“{scope}” is always requested; add a permission of the API.", ["scope": scope]))
    }
    for scope in scopes {
      // RFC 6749, section 3.3: scope-token.
      guard !scope.isEmpty,
        scope.utf8.allSatisfy({ $0.isVisibleASCII && $0 != 0x22 && $0 != 0x5c })
      else {
        throw AuthenticationError(
          .invalidParameter,
          Sentence(
            "“{scope}” is not a valid permission: it contains a space or another character that"
              + " permissions cannot have.", ["scope": scope]))
      }
    }
  }
}
