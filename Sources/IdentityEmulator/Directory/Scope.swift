/// A permission a client asks for.
struct Scope: Sendable, Hashable {
  /// The name without the resource in front, as registered: `User.Read`.
  let name: String
  /// What the consent page says it is for.
  let meaning: String

  /// Scopes that are about the sign-in itself rather than a resource.
  static let openID = [
    Scope(name: "openid", meaning: "Sign you in"),
    Scope(name: "profile", meaning: "See your basic profile"),
    Scope(name: "email", meaning: "See your e-mail address"),
    Scope(name: "offline_access", meaning: "Keep access to data you have given it access to"),
  ]

  /// Scopes of Microsoft Graph that the emulator knows.
  static let graph = [
    Scope(name: "User.Read", meaning: "Sign you in and read your profile"),
    Scope(name: "User.ReadBasic.All", meaning: "Read the basic profiles of all users"),
    Scope(name: "User.Read.All", meaning: "Read the full profiles of all users"),
    Scope(name: "Mail.Read", meaning: "Read your mail"),
    Scope(name: "Mail.ReadWrite", meaning: "Read and write your mail"),
    Scope(name: "Mail.Send", meaning: "Send mail as you"),
    Scope(name: "Calendars.Read", meaning: "Read your calendars"),
    Scope(name: "Files.Read", meaning: "Read your files"),
  ]

  /// The scope of an API of one's own, at `/api/me`, for services that have no Graph.
  static let demo = Scope(name: "demo.read", meaning: "Read the demonstration's data")

  /// The prefix that names Microsoft Graph in a scope.
  static let graphPrefix = "https://graph.microsoft.com/"

  var isOpenID: Bool { Self.openID.contains(self) }
}

/// The scopes of one request.
struct ScopeRequest: Sendable, Hashable {
  /// The scopes asked for, in their order.
  private(set) var scopes: [Scope]
  /// Whether the resource was named, in which case the answer names it too.
  let namesResource: Bool

  /// Reads a space-separated list.
  ///
  /// Names are compared without regard to case.
  /// - Throws: ``EntraError`` for an empty list or an unknown name.
  init(
    _ list: String, client: ClientRegistration, kind: AuthorityKind
  ) throws(EntraError) {
    var scopes: [Scope] = []
    var namesResource = false
    for word in list.split(separator: " ") {
      var name = word.lowercased()
      let prefix = kind.scopePrefix
      if !prefix.isEmpty, name.hasPrefix(prefix) {
        name.removeFirst(prefix.count)
        namesResource = true
      }
      // `.default` stands for what the registration lists, which is User.Read.
      if name == ".default" { name = "user.read" }
      guard
        let scope = (Scope.openID + kind.scopes).first(where: { $0.name.lowercased() == name })
      else { throw .unknownScope(String(word), client: client) }
      if !scopes.contains(scope) { scopes.append(scope) }
    }
    guard !scopes.isEmpty else { throw .missingParameter("scope") }
    self.scopes = scopes
    self.namesResource = namesResource
  }

  /// Whether a refresh token is asked for.
  var wantsRefreshToken: Bool { scopes.contains { $0.name == "offline_access" } }

  /// Asks for a refresh token, too.
  mutating func addRefreshToken() {
    guard !wantsRefreshToken else { return }
    scopes += Scope.openID.filter { $0.name == "offline_access" }
  }

  /// Whether an ID token is asked for.
  var wantsIDToken: Bool { scopes.contains { $0.name == "openid" } }
}
